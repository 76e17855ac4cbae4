package httpapi

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseTemplate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]part{
		"":                       nil,
		"plain $5":               {{lit: "plain $5"}},
		"${a}":                   {{name: "a"}},
		"x${a_1}y${b.c-d.yaml}":  {{lit: "x"}, {name: "a_1"}, {lit: "y"}, {name: "b.c-d.yaml"}},
		"$${a} ${b}":             {{lit: "${a} "}, {name: "b"}},
		"${a:-none at all}":      {{name: "a", alt: "none at all"}},
		"${json:contract.n}":     {{name: "contract.n", json: true}},
		`${endpoint.types:-[1]}`: {{name: "endpoint.types", json: true, alt: "[1]"}},
	} {
		got, err := parseTemplate(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(part{})); d != "" {
			t.Errorf("%q (want first):\n%s", text, d)
		}
	}
	for text, want := range map[string]string{
		"x${a":     "${a has no closing }",
		"${}":      "${} is no variable",
		"${A}":     "${A} is no variable",
		"${a b}":   "${a b} is no variable",
		"${a.}":    "${a.} is no variable",
		"${json:}": "is no variable",
	} {
		if _, err := parseTemplate(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want %q, got %v", text, want, err)
		}
	}
}

// Whatever the parser accepts, expanding its variables to themselves gives the text back.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"", "a${b}c", "$${a}", "${a:-b}", "${json:a.b}", "$$$${", "${", "}", "${a:-$}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts, err := parseTemplate(text)
		if err != nil {
			return
		}
		var b strings.Builder
		for _, p := range parts {
			switch {
			case p.name == "" && p.lit == "":
				t.Fatalf("empty part of %q", text)
			case p.name == "":
				b.WriteString(strings.ReplaceAll(p.lit, "${", "$${"))
			default:
				b.WriteString(written(p))
			}
		}
		again, err := parseTemplate(b.String())
		if err != nil {
			t.Fatalf("%q was written back as %q: %v", text, b.String(), err)
		}
		if d := cmp.Diff(parts, again, cmp.AllowUnexported(part{})); d != "" {
			t.Fatalf("%q was written back as %q:\n%s", text, b.String(), d)
		}
	})
}

func written(p part) string {
	name := p.name
	if p.json && !isJSONName(name) {
		name = "json:" + name
	}
	if p.alt != "" {
		name += ":-" + p.alt
	}
	return "${" + name + "}"
}

// Whatever stands in a variable, the body stays the JSON value that the adapter describes.
func TestBodyTextCannotEscape(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.String().Draw(t, "value")
		parts, err := parseTemplate("a ${reason} b")
		if err != nil {
			t.Fatal(err)
		}
		b := bodyNode{kind: bodyObject, fields: []bodyField{
			{key: "x", value: bodyNode{kind: bodyText, text: template{parts: parts}}},
			{key: "y", value: bodyNode{kind: bodyLiteral, raw: "1.50"}},
		}}
		var out bytes.Buffer
		if _, err := b.write(&out, values{"reason": value}); err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%q gave %s: %v", value, out.Bytes(), err)
		}
		if d := cmp.Diff(map[string]any{"x": "a " + value + " b", "y": 1.5}, got); d != "" {
			t.Fatalf("want first:\n%s", d)
		}
	})
}

// Whatever stands in a variable, it stays one segment of the path.
func TestPathValueStaysOneSegment(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.String().Draw(t, "value")
		c := call{method: "GET", path: template{parts: []part{{lit: "/a/"}, {name: "reason"}, {lit: "/b"}}}}
		req, err := c.request(t.Context(), "http://h/base/", &Adapter{}, values{"reason": value})
		if value == "" || value == "." || value == ".." {
			if err == nil {
				t.Fatalf("%q is accepted", value)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if req.URL.Path != "/base/a/"+value+"/b" || strings.Count(req.URL.EscapedPath(), "/") != 4 || req.URL.RawQuery != "" {
			t.Fatalf("%q gave %s", value, req.URL)
		}
	})
}
