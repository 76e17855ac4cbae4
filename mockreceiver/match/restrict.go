package match

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/itchyny/gojq"
)

// factor is the name of the function that each operand of a multiplication goes through.
const factor = "_factor"

// factorOf refuses texts: "x" * 1e8 is a text of that length, and the number may come from a request.
func factorOf(v any, _ []any) any {
	if _, text := v.(string); text {
		return errors.New("a text cannot be multiplied here")
	}
	return v
}

// outside are functions that read or do something besides their input, so that the same request could give another result,
// or one at the cost of the receiver.
func outside() []string {
	return []string{
		"input", "inputs", "input_filename", "input_line_number", "env", "$ENV", "debug", "stderr", "halt", "halt_error", "now",
		"localtime", "strflocaltime", "setpath", "get_search_list", "modulemeta",
	}
}

// assignments change a copy of the request, which a question has no need of; an index from a request would make a list of
// any length.
func assignments() []gojq.Operator {
	return []gojq.Operator{
		gojq.OpAssign, gojq.OpModify, gojq.OpUpdateAdd, gojq.OpUpdateSub, gojq.OpUpdateMul, gojq.OpUpdateDiv, gojq.OpUpdateMod,
		gojq.OpUpdateAlt,
	}
}

// restrict refuses what an expression must not do, and bounds multiplications.
func restrict(q *gojq.Query) error {
	if q.Meta != nil || len(q.Imports) > 0 {
		return errors.New("a module cannot be read here")
	}
	return visit(reflect.ValueOf(q))
}

// visit goes through all parts of an expression: the tree has a dozen types, of which three matter.
func visit(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if err := check(v.Interface()); err != nil {
			return err
		}
		return visit(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			if err := visit(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			if err := visit(field); err != nil {
				return err
			}
		}
	default:
	}
	return nil
}

func check(part any) error {
	switch part := part.(type) {
	case *gojq.Query:
		switch {
		case slices.Contains(assignments(), part.Op):
			return fmt.Errorf("%s: a match tells and does not change", part.Op)
		case part.Op == gojq.OpMul:
			part.Left, part.Right = bounded(part.Left), bounded(part.Right)
		}
	case *gojq.Func:
		if slices.Contains(outside(), part.Name) {
			return fmt.Errorf("%s: a match knows the request only", part.Name)
		}
	default:
	}
	return nil
}

// bounded is q | _factor.
func bounded(q *gojq.Query) *gojq.Query {
	call := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: factor}}}
	return &gojq.Query{Left: q, Op: gojq.OpPipe, Right: call}
}
