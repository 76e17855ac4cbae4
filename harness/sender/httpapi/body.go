package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
)

// bodyNode is a value of a JSON body: exactly one of its parts is used, by kind.
type bodyNode struct {
	kind   bodyKind
	fields []bodyField // object
	items  []bodyNode  // list
	raw    string      // literal: JSON as it is sent
	text   template    // text: a string with variables, or one JSON variable
}

type bodyField struct {
	key      string
	optional bool
	value    bodyNode
}

type bodyKind int

const (
	bodyObject bodyKind = iota
	bodyList
	bodyLiteral
	bodyText
)

// body reads the tree of a body.
func (r *reader) body(n ast.Node, sc scope) bodyNode {
	switch v := n.(type) {
	case *ast.MappingNode:
		b := bodyNode{kind: bodyObject}
		seen := map[string]bool{}
		for _, e := range r.entries(n, "body") {
			key, optional := strings.CutSuffix(e.key, "?")
			if strings.Contains(key, "${") {
				r.errorf(e.at, "body: key %q: variables stand in values only", key)
			}
			if seen[key] {
				r.errorf(e.at, "body: key %q is there twice", key)
			}
			seen[key] = true
			b.fields = append(b.fields, bodyField{key, optional, r.body(e.value, sc)})
		}
		return b
	case *ast.SequenceNode:
		b := bodyNode{kind: bodyList}
		for _, item := range v.Values {
			b.items = append(b.items, r.body(item, sc))
		}
		return b
	case *ast.NullNode:
		return bodyNode{kind: bodyLiteral, raw: "null"}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		raw := v.GetToken().Value
		if !json.Valid([]byte(raw)) {
			r.errorf(posOf(n), "body: %q is not in the form that JSON has; quote it if it is meant as text", raw)
		}
		return bodyNode{kind: bodyLiteral, raw: raw}
	case *ast.StringNode, *ast.LiteralNode:
		return bodyNode{kind: bodyText, text: r.bodyText(n, sc)}
	}
	r.errorf(posOf(n), "body: want text, a number, true, false, null, a list or a mapping, got %s", kindOf(n))
	return bodyNode{kind: bodyLiteral, raw: "null"}
}

// bodyText reads a string of a body, in which a JSON variable must stand alone.
func (r *reader) bodyText(n ast.Node, sc scope) template {
	t := r.template(n, "body", sc)
	for _, p := range t.parts {
		if p.json && len(t.parts) > 1 {
			r.errorf(t.at, "body: ${%s} is JSON and must be the whole value", p.name)
		}
		if p.json && p.alt != "" && !json.Valid([]byte(p.alt)) {
			r.errorf(t.at, "body: the text after :- of ${%s} is not JSON", p.name)
		}
	}
	return t
}

// write appends the JSON of b. empty tells that an optional field with this value is left out.
func (b *bodyNode) write(out *bytes.Buffer, v values) (empty bool, err error) {
	switch b.kind {
	case bodyObject:
		return b.writeObject(out, v)
	case bodyList:
		out.WriteByte('[')
		for i := range b.items {
			if i > 0 {
				out.WriteByte(',')
			}
			if _, err := b.items[i].write(out, v); err != nil {
				return false, err
			}
		}
		out.WriteByte(']')
		return len(b.items) == 0, nil
	case bodyLiteral:
		out.WriteString(b.raw)
		return b.raw == "null", nil
	case bodyText:
		return writeText(out, b.text, v)
	}
	return false, fmt.Errorf("body of kind %d", b.kind)
}

func (b *bodyNode) writeObject(out *bytes.Buffer, v values) (empty bool, err error) {
	out.WriteByte('{')
	empty = true
	for i := range b.fields {
		f := &b.fields[i]
		start := out.Len()
		if !empty {
			out.WriteByte(',')
		}
		if err := writeString(out, f.key); err != nil {
			return false, err
		}
		out.WriteByte(':')
		drop, err := f.value.write(out, v)
		if f.optional && drop {
			out.Truncate(start)
			continue
		}
		if err != nil {
			return false, fmt.Errorf("field %s: %w", f.key, err)
		}
		empty = false
	}
	out.WriteByte('}')
	return empty, nil
}

func writeText(out *bytes.Buffer, t template, v values) (empty bool, err error) {
	if len(t.parts) == 1 && t.parts[0].json {
		return writeRaw(out, t.parts[0], v)
	}
	s, err := t.expand(v, plain)
	if err != nil {
		return false, err
	}
	return s == "", writeString(out, s)
}

// writeRaw appends a JSON value token by token as it is: re-encoding would turn 1.50 into 1.5.
func writeRaw(out *bytes.Buffer, p part, v values) (empty bool, err error) {
	raw := strings.TrimSpace(v.text(p))
	switch {
	case raw == "":
		return true, fmt.Errorf("${%s} is empty: end the key with ?, or give a value with :-", p.name)
	case !json.Valid([]byte(raw)):
		return false, fmt.Errorf("${%s} is not JSON", p.name)
	}
	out.WriteString(raw)
	return raw == "null" || raw == "[]" || raw == "{}", nil
}

// writeString appends a JSON string; <, > and & stay as they are.
func writeString(out *bytes.Buffer, s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("text is not UTF-8, which JSON cannot carry")
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the line end that Encode adds
	return nil
}
