package fault

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	yamltoken "github.com/goccy/go-yaml/token"
)

// The words of the YAML form that are no kind and no parameter.
const (
	stepsWord = "steps"
	thenWord  = "then"
	timesWord = "times"
	valueWord = "value"
)

func planOf(root ast.Node) (Plan, error) {
	fields, err := fieldsOf(root)
	if err != nil {
		return Plan{}, err
	}
	var faults []Fault
	if n := fields[stepsWord]; n != nil {
		list, ok := n.(*ast.SequenceNode)
		if !ok || len(list.Values) == 0 {
			return Plan{}, placed(n, "steps: want a list of steps, such as [502, 200]")
		}
		for _, item := range list.Values {
			f, times, err := itemOf(item)
			if err != nil {
				return Plan{}, err
			}
			if len(faults)+times > maxSteps {
				return Plan{}, placed(item, "more than %d steps", maxSteps)
			}
			for range times {
				faults = append(faults, f)
			}
		}
	}
	if n := fields[thenWord]; n != nil {
		f, times, err := itemOf(n)
		if err != nil {
			return Plan{}, err
		}
		if times != 1 {
			return Plan{}, placed(n, "then: repeats for ever, leave the number out")
		}
		faults = append(faults, f)
	}
	if len(faults) == 0 {
		return Plan{}, placed(root, "want steps, then, or both")
	}
	return Of(faults...), nil
}

// fieldsOf takes the outermost mapping apart.
func fieldsOf(n ast.Node) (map[string]ast.Node, error) {
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
		case name != stepsWord && name != thenWord:
			return nil, placed(p.Key, "unknown field %q: want %s or %s", name, stepsWord, thenWord)
		}
		fields[name] = p.Value
	}
	return fields, nil
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
func itemOf(n ast.Node) (Fault, int, error) {
	if word, _, ok := scalar(n); ok {
		return textItem(n, word)
	}
	pairs, err := pairsOf(n)
	if err != nil {
		return nil, 0, placed(n, "want a step, such as 502 or {timeout: 5s}")
	}
	times := 0
	var kind *ast.MappingValueNode
	for _, p := range pairs {
		name, _, _ := scalar(p.Key)
		switch {
		case name == timesWord && times == 0:
			word, _, _ := scalar(p.Value)
			if times, err = strconv.Atoi(word); err != nil || times < 1 || times > maxSteps {
				return nil, 0, placed(p.Value, "times: want a number from 1 to %d", maxSteps)
			}
		case name == timesWord || kind != nil:
			return nil, 0, placed(p.Key, "%s: a step is one kind of fault, and times at most", name)
		default:
			kind = p
		}
	}
	if kind == nil {
		return nil, 0, placed(n, "want a kind of fault beside times")
	}
	f, err := stepOf(kind)
	return f, max(1, times), err
}

// textItem reads a step in its text form, with its count.
func textItem(n ast.Node, word string) (Fault, int, error) {
	p := parser{text: word}
	f, times, err := p.item()
	if err == nil && !p.end() {
		err = p.errorf("want one step only")
	}
	if err != nil {
		return nil, 0, placed(n, "%.80q: %v", word, err)
	}
	return f, times, nil
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
