package contract

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/internal/near"
)

// maxItems bounds a list: a large platform's event types fit, and checks that compare items with each other stay fast.
const maxItems = 1000

// decoder fills a contract from YAML nodes by the yaml tags of its types. It goes on after a problem, so that all of them
// are found at once; the library's own decoder stops at the first.
type decoder struct {
	file     string
	problems []problem
	at       map[string]position // where each field stands, by its path
}

type position struct{ line, col int }

func (d *decoder) add(at position, field, what string) {
	d.problems = append(d.problems, problem{file: d.file, line: at.line, col: at.col, field: field, what: what})
}

// nearest returns where a field stands, or else the closest one around it.
func (d *decoder) nearest(field string) position {
	for {
		if at, ok := d.at[field]; ok {
			return at
		}
		i := strings.LastIndexAny(field, ".[")
		if i < 0 {
			return d.at[""]
		}
		field = field[:i]
	}
}

func where(n ast.Node) position {
	tk := n.GetToken()
	if tk == nil || tk.Position == nil {
		return position{}
	}
	return position{tk.Position.Line, tk.Position.Column}
}

// decode sets v from n. path names v in problems, and d.at holds its place already.
func (d *decoder) decode(n ast.Node, v reflect.Value, path string) {
	switch {
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.decode(n, v.Elem(), path)
	case v.Kind() == reflect.Struct:
		d.mapping(n, v, path)
		if r, ok := reflect.TypeAssert[*signature.Record](v.Addr()); ok {
			r.Like = "" // what it is like stands in it now, so that the effective contract says all
		}
	case v.Kind() == reflect.Slice:
		d.list(n, v, path)
	default:
		if what := scalar(n, v); what != "" {
			d.add(d.at[path], path, what)
		}
	}
}

func (d *decoder) mapping(n ast.Node, v reflect.Value, path string) {
	m, ok := n.(ast.MapNode)
	if !ok {
		d.add(d.at[path], path, "is "+describe(n)+"; write fields: "+strings.Join(fieldNames(v.Type()), ", "))
		return
	}
	d.like(m, v, path)
	seen := map[string]bool{}
	for it := m.MapRange(); it.Next(); {
		key, value := it.Key(), it.Value()
		name := keyName(key)
		field := strings.TrimPrefix(path+"."+name, ".")
		i := slices.Index(fieldNames(v.Type()), name)
		switch _, plain := key.(*ast.StringNode); {
		case !plain || i < 0:
			d.add(where(key), field, "is no field"+near.Meant(name, fieldNames(v.Type()))+"; here are "+strings.Join(fieldNames(v.Type()), ", "))
		case seen[name]:
			d.add(where(key), field, "stands here twice; leave one out")
		default:
			seen[name] = true
			d.at[field] = where(key)
			d.value(value, v.Field(i), field)
		}
	}
}

// like fills a record of a signature scheme with that of the scheme that it names, before its own fields are read.
func (d *decoder) like(m ast.MapNode, v reflect.Value, path string) {
	r, ok := reflect.TypeAssert[*signature.Record](v.Addr())
	if !ok {
		return
	}
	for it := m.MapRange(); it.Next(); {
		name, isText := stringOf(it.Value())
		if text(it.Key()) != "like" || !isText {
			continue
		}
		var err error
		if *r, err = likeness(name); err != nil {
			d.add(where(it.Key()), path, err.Error()) // of all that it would have brought
		}
	}
}

// value refuses what an absent value can be mistaken for, before decode reads it.
func (d *decoder) value(n ast.Node, v reflect.Value, path string) {
	if n == nil || n.Type() == ast.NullType {
		d.add(d.at[path], path, "is empty; give it a value or leave it out")
		return
	}
	d.decode(n, v, path)
}

func (d *decoder) list(n ast.Node, v reflect.Value, path string) {
	seq, ok := n.(*ast.SequenceNode)
	switch {
	case !ok:
		d.add(d.at[path], path, "is "+describe(n)+"; write a list in brackets")
		return
	case len(seq.Values) > maxItems:
		d.add(d.at[path], path, fmt.Sprintf("has %d items; at most %d", len(seq.Values), maxItems))
		return
	}
	if len(seq.Values) == 0 {
		return // nil, so that an empty list equals one left out
	}
	v.Set(reflect.MakeSlice(v.Type(), len(seq.Values), len(seq.Values)))
	for i, item := range seq.Values {
		d.item(item, v.Index(i), v.Type(), fmt.Sprintf("%s[%d]", path, i))
	}
}

// item lets a status stand without quotes: 429 is a number to YAML and a code to us.
func (d *decoder) item(n ast.Node, v reflect.Value, list reflect.Type, path string) {
	if n == nil {
		n = ast.Null(nil)
	}
	d.at[path] = where(n)
	if list == reflect.TypeFor[Codes]() && n.Type() == ast.IntegerType {
		v.SetString(text(n))
		return
	}
	d.value(n, v, path)
}

// keyName returns a key as problems show it: as it is if it could be a field, else quoted and cut.
func keyName(key ast.MapKeyNode) string {
	name := text(key)
	if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
		return name
	}
	return short(name)
}

// short quotes text of the file and cuts it, so that a problem stays one readable line.
func short(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.Quote(s)
}

// fieldNames returns the YAML names of a struct's fields, in order. Each field of the contract types has one.
func fieldNames(t reflect.Type) []string {
	names := make([]string, t.NumField())
	for i := range names {
		names[i], _, _ = strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
	}
	return names
}

// scalar sets v from n and returns what is wrong, or "".
func scalar(n ast.Node, v reflect.Value) string {
	switch {
	case v.Type() == reflect.TypeFor[time.Duration]():
		return duration(n, v)
	case v.Kind() == reflect.String:
		s, ok := stringOf(n)
		if !ok {
			return "is " + describe(n) + `; write a text in quotes`
		}
		v.SetString(s)
	case v.Kind() == reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			return "is " + describe(n) + "; write true or false"
		}
		v.SetBool(b.Value)
	case v.Kind() == reflect.Int:
		return integer(n, v)
	default:
		return float(n, v)
	}
	return ""
}

func stringOf(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	}
	return "", false
}

func integer(n ast.Node, v reflect.Value) string {
	i, err := strconv.ParseInt(text(n), 10, 64)
	if n.Type() != ast.IntegerType || err != nil {
		return "is " + describe(n) + "; write a whole number"
	}
	v.SetInt(i)
	return ""
}

func float(n ast.Node, v reflect.Value) string {
	f, err := strconv.ParseFloat(text(n), 64)
	number := n.Type() == ast.FloatType || n.Type() == ast.IntegerType
	if !number || err != nil {
		return "is " + describe(n) + "; write a number, as 0.02"
	}
	v.SetFloat(f)
	return ""
}

func duration(n ast.Node, v reflect.Value) string {
	s := text(n)
	if n.Type() == ast.IntegerType || n.Type() == ast.FloatType {
		return fmt.Sprintf("%s has no unit; write %ss", s, s)
	}
	s, ok := stringOf(n)
	if !ok {
		return "is " + describe(n) + "; write a duration with its unit, as 5s or 75m"
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return fmt.Sprintf("%s has no unit; write %ss", short(s), s)
	}
	dur, err := time.ParseDuration(s)
	if err != nil {
		return short(s) + " is no duration; write one with units h, m, s or ms, as 5s or 1h15m"
	}
	v.SetInt(int64(dur))
	return ""
}

// text returns a scalar as it was written.
func text(n ast.Node) string {
	if tk := n.GetToken(); tk != nil {
		return tk.Value
	}
	return ""
}

// describe names a node for people.
func describe(n ast.Node) string {
	switch n.Type() {
	case ast.MappingType, ast.MappingValueType:
		return "a group of fields"
	case ast.SequenceType:
		return "a list"
	case ast.StringType, ast.LiteralType:
		s, _ := stringOf(n)
		return "the text " + short(s)
	case ast.IntegerType, ast.FloatType, ast.InfinityType, ast.NanType:
		return "the number " + text(n)
	case ast.NullType:
		return "empty"
	case ast.BoolType:
		return "the word " + text(n)
	case ast.AnchorType, ast.AliasType, ast.MergeKeyType:
		return "an anchor or alias, which contracts do not use"
	case ast.TagType:
		return "a YAML tag, which contracts do not use"
	}
	return "nothing that a contract uses"
}
