package match

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

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

// loops are what an expression could run or grow without end by.
func loops() map[gojq.TermType]string {
	return map[gojq.TermType]string{
		gojq.TermTypeReduce: "reduce", gojq.TermTypeForeach: "foreach", gojq.TermTypeLabel: "label", gojq.TermTypeBreak: "break",
	}
}

// restrictor refuses what an expression must not do, and has the rest weighed.
type restrictor struct{ expr string }

func restrict(q *gojq.Query, expr string) error {
	if q.Meta != nil || len(q.Imports) > 0 {
		return errors.New("a module cannot be read here")
	}
	return restrictor{expr}.visit(reflect.ValueOf(q))
}

// visit goes through all parts of an expression: the tree has a dozen types, of which a few matter. Inner parts come first,
// so that what is put around a part is not visited.
func (r restrictor) visit(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if v.Type() == reflect.TypeFor[*gojq.FuncDef]() {
			return r.refused("def", "a match defines no functions")
		}
		if err := r.visit(v.Elem()); err != nil {
			return err
		}
		return r.check(v.Interface())
	case reflect.Slice:
		for i := range v.Len() {
			if err := r.visit(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			if err := r.visit(field); err != nil {
				return err
			}
		}
	default:
	}
	return nil
}

func (r restrictor) check(part any) error {
	switch part := part.(type) {
	case *gojq.String:
		if part.Queries != nil {
			return r.refused(`\(`, "a match puts no values into texts, write + instead")
		}
	case *gojq.Index:
		if part.IsSlice {
			return r.refused(":", "a match takes no slices, write startswith, endswith or test instead")
		}
		part.Start = weighed(part.Start, 1)
	case *gojq.Query:
		if slices.Contains(assignments(), part.Op) {
			return r.refused(part.Op.String(), "a match tells and does not change")
		}
		weighOperands(part)
	case *gojq.Term:
		return r.term(part)
	default:
	}
	return nil
}

func (r restrictor) term(t *gojq.Term) error {
	if name, ok := loops()[t.Type]; ok {
		return r.refused(name, "a match has no loops, write any, all or select instead")
	}
	switch t.Type {
	case gojq.TermTypeFormat:
		return r.refused(t.Format, "a match writes no formats")
	case gojq.TermTypeFunc:
		return r.call(t)
	default:
		return nil
	}
}

// call looks at a function or a variable.
func (r restrictor) call(t *gojq.Term) error {
	f := t.Func
	signature := fmt.Sprintf("%s/%d", f.Name, len(f.Args))
	weight, weighs := weights()[signature]
	switch {
	case slices.Contains(outside(), f.Name):
		return r.refused(f.Name, "a match knows the request only")
	case strings.HasPrefix(f.Name, "$") || slices.Contains(free(), signature):
		return nil
	case !weighs:
		return r.refused(f.Name, fmt.Sprintf("a match has no %s, only %s", signature, strings.Join(allowed(), ", ")))
	case f.Name == "test" && !literal(f.Args[0]):
		return r.refused(f.Name, `a match tests for an expression that is written there, such as test("^a")`)
	}
	for i := range f.Args {
		f.Args[i] = weighed(f.Args[i], weight)
	}
	inner := &gojq.Query{Left: weigh(weight), Op: gojq.OpPipe, Right: &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: f}}}
	t.Type, t.Func, t.Query = gojq.TermTypeQuery, nil, inner
	return nil
}

// refused names a construct and where it is.
func (r restrictor) refused(what, why string) error {
	return fmt.Errorf("%s: %s (position %d)", what, why, r.position(what))
}

// position is where a word first is, outside of texts where it can be. The tree does not tell.
func (r restrictor) position(word string) int {
	at, quoted := -1, false
	for i := 0; i < len(r.expr) && at < 0; i++ {
		switch {
		case strings.HasPrefix(r.expr[i:], word) && (!quoted || word == `\(`) && apart(r.expr, i, word):
			at = i
		case r.expr[i] == '\\':
			i++
		case r.expr[i] == '"':
			quoted = !quoted
		}
	}
	if at < 0 {
		at = max(0, strings.Index(r.expr, word))
	}
	return utf8.RuneCountInString(r.expr[:at]) + 1
}

// apart tells whether the word at i is not a piece of a longer one, nor a field of that name.
func apart(expr string, i int, word string) bool {
	letter := func(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }
	if !letter(word[0]) {
		return true
	}
	end := i + len(word)
	return (i == 0 || !letter(expr[i-1]) && expr[i-1] != '.') && (end == len(expr) || !letter(expr[end]))
}
