package fault

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	yamltoken "github.com/goccy/go-yaml/token"

	"github.com/hookassay/hookassay/internal/near"
)

// The words of the YAML form that are no kind and no parameter.
const (
	stepsWord = "steps"
	thenWord  = "then"
	timesWord = "times"
	valueWord = "value"
)

func planOf(root ast.Node) (Plan, error) {
	if list, ok := root.(*ast.SequenceNode); ok { // steps alone
		return planOfFields(root, map[string]ast.Node{stepsWord: list})
	}
	fields, err := fieldsOf(root, stepsWord, thenWord, ttlWord)
	if err != nil {
		return Plan{}, err
	}
	return planOfFields(root, fields)
}

func planOfFields(root ast.Node, fields map[string]ast.Node) (Plan, error) {
	steps, err := stepsOf(fields[stepsWord])
	if err != nil {
		return Plan{}, err
	}
	if n := fields[thenWord]; n != nil {
		s, times, err := itemOf(n)
		if err != nil {
			return Plan{}, err
		}
		if times != 1 {
			return Plan{}, placed(n, "then: repeats for ever, leave the number out")
		}
		steps = append(steps, s)
	}
	if len(steps) == 0 {
		return Plan{}, placed(root, "want steps, then, or both")
	}
	p := planOfSteps(steps)
	if p.Then.For > 0 {
		return Plan{}, placed(root, "%s", lastLasts)
	}
	if n := fields[ttlWord]; n != nil {
		p.TTL, err = spanAt(n, ttlWord)
	}
	return p, err
}

func stepsOf(n ast.Node) (steps []Step, err error) {
	if n == nil {
		return nil, nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok || len(list.Values) == 0 {
		return nil, placed(n, "steps: want a list of steps, such as [502, 200]")
	}
	for _, item := range list.Values {
		s, times, err := itemOf(item)
		if err != nil {
			return nil, err
		}
		if len(steps)+times > maxSteps {
			return nil, placed(item, "more than %d steps", maxSteps)
		}
		for range times {
			steps = append(steps, s)
		}
	}
	return steps, nil
}

func spanAt(n ast.Node, what string) (time.Duration, error) {
	word, _, _ := scalar(n)
	d, problem := spanOf(what, word)
	if problem != "" {
		return 0, placed(n, "%s", problem)
	}
	return d, nil
}

// fieldsOf takes a mapping apart, which has no other fields than those of the given names, each once at most.
func fieldsOf(n ast.Node, names ...string) (map[string]ast.Node, error) {
	pairs, err := pairsOf(n)
	if err != nil {
		return nil, err
	}
	fields := map[string]ast.Node{}
	for _, p := range pairs {
		name, _, _ := scalar(p.Key)
		switch {
		case fields[name] != nil:
			return nil, placed(p.Key, "%s: is there twice", name)
		case !slices.Contains(names, name):
			return nil, placed(p.Key, "unknown field %q%s; want %s", name, near.Meant(name, names), oneOf(names))
		}
		fields[name] = p.Value
	}
	return fields, nil
}

// oneOf is a list for a message: a, b or c.
func oneOf(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

func pairsOf(n ast.Node) ([]*ast.MappingValueNode, error) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, nil
	default:
		return nil, placed(n, "want fields with values here")
	}
}

// itemOf reads a step and how many times it stands there.
func itemOf(n ast.Node) (Step, int, error) {
	if word, _, ok := scalar(n); ok {
		return textItem(n, word)
	}
	pairs, err := pairsOf(n)
	if err != nil {
		return Step{}, 0, placed(n, "want a step, such as 502 or {timeout: 5s}")
	}
	var s Step
	times := 0
	var kind *ast.MappingValueNode
	for _, p := range pairs {
		name, _, _ := scalar(p.Key)
		switch {
		case name == timesWord && times == 0 && s.For == 0:
			word, _, _ := scalar(p.Value)
			if times, err = strconv.Atoi(word); err != nil || times < 1 || times > maxSteps {
				return Step{}, 0, placed(p.Value, "times: want a number from 1 to %d", maxSteps)
			}
		case name == forWord && times == 0 && s.For == 0:
			if s.For, err = spanAt(p.Value, forWord); err != nil {
				return Step{}, 0, err
			}
		case name == timesWord || name == forWord || kind != nil:
			return Step{}, 0, placed(p.Key, "%s: a step is one kind of fault, and times or for at most", name)
		default:
			kind = p
		}
	}
	if kind == nil {
		return Step{}, 0, placed(n, "want a kind of fault beside times")
	}
	s.Fault, err = stepOf(kind)
	return s, max(1, times), err
}

// textItem reads a step in its text form, with its count.
func textItem(n ast.Node, word string) (Step, int, error) {
	p := parser{text: word}
	s, times, err := p.item()
	if err == nil && !p.end() {
		err = p.errorf("want one step only")
	}
	if err != nil {
		return Step{}, 0, placed(n, "%.80q: %v", word, err)
	}
	return s, times, nil
}

// stepOf reads a kind with its arguments.
func stepOf(p *ast.MappingValueNode) (Fault, error) {
	word, _, ok := scalar(p.Key)
	if !ok {
		return nil, placed(p.Key, "want a kind of fault, such as timeout")
	}
	nodes := []ast.Node{p.Key}
	a := args{step: word, problem: func(at int, what string) error { return placed(nodes[at], "%s", what) }}
	add := func(name string, n ast.Node) error {
		value, quoted, ok := scalar(n)
		if !ok {
			return placed(n, "%s: want one value", word)
		}
		a.list = append(a.list, arg{name: name, value: value, quoted: quoted, at: len(nodes)})
		nodes = append(nodes, n)
		return nil
	}
	if err := eachArgument(p.Value, add); err != nil {
		return nil, err
	}
	return build(&a)
}

// eachArgument calls add for each argument of a step: none, the one without a name, or named ones, of which one may have a
// list of values.
func eachArgument(n ast.Node, add func(name string, n ast.Node) error) error {
	if _, none := n.(*ast.NullNode); none {
		return nil
	}
	pairs, err := pairsOf(n)
	if err != nil {
		return add("", n)
	}
	for _, p := range pairs {
		name, _, ok := scalar(p.Key)
		if !ok {
			return placed(p.Key, "want the name of an argument")
		}
		if name == valueWord {
			name = ""
		}
		values := []ast.Node{p.Value}
		if list, ok := p.Value.(*ast.SequenceNode); ok {
			values = list.Values
		}
		for _, v := range values {
			if err := add(name, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// scalar is the text of a value as it was written. quoted tells that it was in quotes, or a block of text.
func scalar(n ast.Node) (value string, quoted, ok bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, n.Token.Type != yamltoken.StringType, true
	case *ast.LiteralNode:
		return n.Value.Value, true, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, false, true
	default:
		return "", false, false
	}
}

// placed is a problem at a node.
func placed(n ast.Node, format string, a ...any) error {
	what := fmt.Sprintf(format, a...)
	if t := n.GetToken(); t != nil && t.Position != nil {
		return fmt.Errorf("line %d, column %d: %s", t.Position.Line, t.Position.Column, what)
	}
	return errors.New(what)
}
