package httpapi

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/hookassay/hookassay/internal/near"
)

// pos is a place in the adapter file, from 1.
type pos struct{ line, col int }

func posOf(n ast.Node) pos {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		return posOf(m.Values[0].Key) // its own token is the first colon
	}
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return pos{1, 1}
	}
	p := n.GetToken().Position
	return pos{p.Line, p.Column}
}

// reader walks the file's tree and collects what is wrong with it.
type reader struct {
	file     string
	problems []problem
	adapter  *Adapter
}

type problem struct {
	at   pos
	text string
}

func (r *reader) errorf(at pos, format string, args ...any) {
	r.problems = append(r.problems, problem{at, fmt.Sprintf(format, args...)})
}

// err joins the problems in the order of the file.
func (r *reader) err() error {
	slices.SortStableFunc(r.problems, func(a, b problem) int {
		return cmp.Or(cmp.Compare(a.at.line, b.at.line), cmp.Compare(a.at.col, b.at.col))
	})
	var errs []error
	for _, p := range r.problems {
		errs = append(errs, fmt.Errorf("%s:%d:%d: %s", r.file, p.at.line, p.at.col, p.text))
	}
	return errors.Join(errs...)
}

// entry is a field of a mapping.
type entry struct {
	key   string
	at    pos // of the key
	value ast.Node
}

// entries returns the fields of a mapping in the order of the file, or nothing and a problem if n is no mapping.
func (r *reader) entries(n ast.Node, what string) []entry {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		if _, null := n.(*ast.NullNode); !null {
			r.errorf(posOf(n), "%s: want a mapping, got %s", what, kindOf(n))
		}
		return nil
	}
	out := make([]entry, 0, len(m.Values))
	for _, v := range m.Values {
		key, ok := v.Key.(*ast.StringNode)
		if !ok {
			r.errorf(posOf(v.Key), "%s: want a plain name as key, got %s", what, kindOf(v.Key))
			continue
		}
		out = append(out, entry{key.Value, posOf(key), v.Value})
	}
	return out
}

// field says how one field of a mapping with a fixed set of fields is read.
type field struct {
	name string
	need bool
	read func(n ast.Node, at pos)
}

// fields reads a mapping with a fixed set of fields. at is the place that a missing one is reported for.
func (r *reader) fields(n ast.Node, at pos, what string, table []field) {
	seen := map[string]bool{}
	for _, e := range r.entries(n, what) {
		i := slices.IndexFunc(table, func(f field) bool { return f.name == e.key })
		if i < 0 {
			names := make([]string, len(table))
			for j, f := range table {
				names[j] = f.name
			}
			r.errorf(e.at, "%s: unknown field %q%s; known: %s", what, e.key, near.Meant(e.key, names), strings.Join(names, ", "))
			continue
		}
		seen[e.key] = true
		table[i].read(e.value, e.at)
	}
	for _, f := range table {
		if f.need && !seen[f.name] {
			r.errorf(at, "%s: field %q is missing", what, f.name)
		}
	}
}

// items returns the items of a list.
func (r *reader) items(n ast.Node, what string) []ast.Node {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		r.errorf(posOf(n), "%s: want a list, got %s", what, kindOf(n))
		return nil
	}
	return s.Values
}

// text returns a scalar as it is written; numbers and booleans keep their tokens.
func (r *reader) text(n ast.Node, what string) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return v.GetToken().Value, true
	}
	r.errorf(posOf(n), "%s: want text, got %s", what, kindOf(n))
	return "", false
}

// textInto returns a field reader that stores a non-empty text.
func (r *reader) textInto(dst *string, what string) func(ast.Node, pos) {
	return func(n ast.Node, _ pos) {
		s, ok := r.text(n, what)
		if ok && strings.TrimSpace(s) == "" {
			r.errorf(posOf(n), "%s: is empty", what)
		}
		*dst = s
	}
}

func (r *reader) duration(n ast.Node, what string) time.Duration {
	s, ok := r.text(n, what)
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		r.errorf(posOf(n), "%s: want a time such as 10s or 500ms, above 0, got %q", what, s)
		return 0
	}
	return d
}

func kindOf(n ast.Node) string {
	switch n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	case *ast.AliasNode, *ast.AnchorNode, *ast.MergeKeyNode:
		return "an anchor or alias, which adapters do not have"
	case *ast.TagNode:
		return "a tag, which adapters do not have"
	}
	return "something else"
}
