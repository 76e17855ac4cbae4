package match

import (
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/itchyny/gojq"
)

const (
	// maxWeight bounds what one evaluation puts together, compares and searches, in bytes of JSON times the weight of what is
	// done with them. It is a few dozen times MaxBody: each value of a small request may be looked at by many tests, and a large
	// body by some. Values that share parts count each part as often as it is there: [.,.] of [.,.] doubles.
	maxWeight = 64 << 20
	// maxDigits bounds numbers that are computed with: a product has the digits of both.
	maxDigits = 1000
)

// Functions that count what they look at, and one more that refuses texts. No expression can name them.
const (
	weighName  = "_weigh"
	factorName = "_factor"
)

// errWeight and its like are told to whoever wrote the expression.
var (
	errWeight = errors.New("put together or looked through too much")
	errDigits = errors.New("a number of more than " + strconv.Itoa(maxDigits) + " digits cannot be computed with")
	errText   = errors.New("a text cannot be multiplied here")
)

// free are the functions that neither copy nor go through their input, by name and number of arguments. Those that call their
// argument for several values end by the bound of steps.
func free() []string {
	return []string{
		"all/0", "all/1", "all/2", "any/0", "any/1", "any/2", "arrays/0", "booleans/0", "empty/0", "error/0", "error/1", "first/0",
		"first/1", "has/1", "isempty/1", "iterables/0", "last/0", "last/1", "length/0", "map/1", "not/0", "nulls/0", "numbers/0",
		"objects/0", "scalars/0", "select/1", "strings/0", "type/0", "values/0",
	}
}

// weights are the other functions, with about how many bytes each makes of a byte of JSON.
func weights() map[string]int {
	return map[string]int{
		"abs/0": 1, "add/0": 8, "ascii_downcase/0": 1, "ascii_upcase/0": 1, "ceil/0": 1, "contains/1": 1, "endswith/1": 1,
		"floor/0": 1, "fromjson/0": 20, "index/1": 1, "inside/1": 1, "keys/0": 8, "ltrimstr/1": 1, "max/0": 1, "min/0": 1,
		"round/0": 1, "rtrimstr/1": 1, "sort/0": 8, "split/1": 32, "startswith/1": 1, "test/1": 8, "test/2": 8, "tonumber/0": 1,
		"tostring/0": 6, "trim/0": 1, "unique/0": 8,
	}
}

// allowed names all functions, for whoever used another one.
func allowed() []string {
	names := append(free(), slices.Collect(maps.Keys(weights()))...)
	for i, name := range names {
		names[i], _, _ = strings.Cut(name, "/")
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// weighOperands has the operands of an operator weighed that makes a new value of them or goes through both.
func weighOperands(q *gojq.Query) {
	weight := 1
	switch q.Op {
	case gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		if literal(q.Left) || literal(q.Right) {
			return // that takes as long as the literal is
		}
	case gojq.OpMul:
		q.Left, q.Right = through(q.Left, call(factorName)), through(q.Right, call(factorName))
	case gojq.OpDiv:
		weight = weights()["split/1"] // of texts it is that
	case gojq.OpAdd, gojq.OpSub, gojq.OpMod:
		weight = 8 // a value of a list takes 16 bytes
	default:
		return
	}
	q.Left, q.Right = weighed(q.Left, weight), weighed(q.Right, weight)
}

// literal tells whether q is a text, a number, true, false or null as written.
func literal(q *gojq.Query) bool {
	if q.Term == nil || len(q.Term.SuffixList) > 0 {
		return false
	}
	switch q.Term.Type {
	case gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse, gojq.TermTypeNumber, gojq.TermTypeString:
		return true
	default:
		return false
	}
}

// weighed is q | _weigh(weight). What is written out weighs nothing.
func weighed(q *gojq.Query, weight int) *gojq.Query {
	if q == nil || literal(q) {
		return q
	}
	return through(q, weigh(weight))
}

func weigh(weight int) *gojq.Query {
	return call(weighName, &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeNumber, Number: strconv.Itoa(weight)}})
}

func call(name string, args ...*gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}}
}

func through(q, next *gojq.Query) *gojq.Query {
	return &gojq.Query{Left: q, Op: gojq.OpPipe, Right: next}
}

// evaluation is an expression compiled for one evaluation at a time, with what that may still weigh.
type evaluation struct {
	code *gojq.Code
	left int
}

func newEvaluation(parsed *gojq.Query) (*evaluation, error) {
	e := &evaluation{}
	var err error
	e.code, err = gojq.Compile(parsed, gojq.WithFunction(factorName, 0, 0, factorOf), gojq.WithFunction(weighName, 1, 1, e.weigh))
	return e, err
}

// factorOf refuses texts: "x" * 1e8 is a text of that length, and the number may come from a request.
func factorOf(v any, _ []any) any {
	if _, text := v.(string); text {
		return errText
	}
	return v
}

// weigh lets a value through while there is weight left for it.
func (e *evaluation) weigh(v any, args []any) any {
	switch n := v.(type) {
	case json.Number:
		if len(n) > maxDigits {
			return errDigits
		}
	case *big.Int:
		if n.BitLen() > maxDigits*4 { // a digit is less than four bits
			return errDigits
		}
	}
	weight, _ := args[0].(int)
	if e.take(v, weight); e.left < 0 {
		return errWeight
	}
	return v
}

// take counts v with all that is in it, about as JSON.
func (e *evaluation) take(v any, weight int) {
	switch v := v.(type) {
	case string:
		e.left -= weight * (len(v) + 2)
	case json.Number:
		e.left -= weight * len(v)
	case []any:
		e.left -= 2 * weight
		for i := 0; i < len(v) && e.left >= 0; i++ {
			e.take(v[i], weight)
		}
	case map[string]any:
		e.left -= 2 * weight
		for name, part := range v {
			if e.left -= weight * (len(name) + 3); e.left < 0 {
				return
			}
			e.take(part, weight)
		}
	default:
		e.left -= 2 * weight
	}
}
