package refsender_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/internal/refsender"
)

// document is what the tests read of openapi.json.
type document struct {
	Paths      map[string]map[string]operation
	Components struct {
		Responses map[string]response
		Schemas   map[string]*schema
	}
}

type operation struct{ Responses map[string]response }

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]struct{ Schema *schema }
}

// schema is the part of JSON Schema that the document uses.
type schema struct {
	Ref                  string `json:"$ref"`
	Type                 kinds
	Properties           map[string]*schema
	Required             []string
	AdditionalProperties *bool
	Items                *schema
	Enum                 []any
	Const                any
	Format, Description  string
	MinLength, MaxLength int
	Minimum              *float64
}

// kinds is one type or several.
type kinds []string

func (k *kinds) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		*k = kinds{strings.Trim(string(text), `"`)}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(k))
}

func readDocument(t testing.TB) document {
	t.Helper()
	d, err := documentOnce()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Each answer of each test is checked by the document; reading it anew would take longer than the call.
var documentOnce = sync.OnceValues(func() (d document, err error) {
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		return d, err
	}
	err = json.Unmarshal(text, &d)
	return d, err
})

// find returns the operation of a path as it was called.
func (d document) find(method, path string) (operation, bool) {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for template, ops := range d.Paths {
		names := strings.Split(template, "/")
		same := len(names) == len(parts)
		for i := 0; same && i < len(names); i++ {
			same = names[i] == parts[i] || strings.HasPrefix(names[i], "{")
		}
		if op, ok := ops[strings.ToLower(method)]; ok && same {
			return op, true
		}
	}
	return operation{}, false
}

// check says how an answer differs from what the document says of it; nil if it does not.
func (d document) check(method, path string, status int, body []byte) error {
	op, ok := d.find(method, path)
	if !ok {
		return d.matches("Error", body)
	}
	r, ok := op.Responses[fmt.Sprint(status)]
	if !ok {
		return fmt.Errorf("%s %s was answered by %d, which is not documented", method, path, status)
	}
	if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
		r = d.Components.Responses[name]
	}
	if len(r.Content) == 0 {
		if len(body) != 0 {
			return fmt.Errorf("%s %s: %d has a body, and none is documented", method, path, status)
		}
		return nil
	}
	return d.matches(strings.TrimPrefix(r.Content["application/json"].Schema.Ref, "#/components/schemas/"), body)
}

func (d document) matches(name string, body []byte) error {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return fmt.Errorf("%w in %s", err, body)
	}
	return d.valid(name, &schema{Ref: "#/components/schemas/" + name}, v)
}

func (d document) valid(at string, s *schema, v any) error {
	if s.Ref != "" {
		name := strings.TrimPrefix(s.Ref, "#/components/schemas/")
		if s = d.Components.Schemas[name]; s == nil {
			return fmt.Errorf("%s: schema %s is missing", at, name)
		}
	}
	if !slices.Contains(s.Type, kindOf(v)) {
		return fmt.Errorf("%s: %v is no %v", at, v, s.Type)
	}
	if s.Enum != nil && !slices.Contains(s.Enum, v) || s.Const != nil && s.Const != v {
		return fmt.Errorf("%s: %v is not among the documented values", at, v)
	}
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			if err := d.valid(fmt.Sprintf("%s[%d]", at, i), s.Items, item); err != nil {
				return err
			}
		}
	case map[string]any:
		return d.validObject(at, s, v)
	}
	return nil
}

func (d document) validObject(at string, s *schema, v map[string]any) error {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			return fmt.Errorf("%s: documented field %s is missing", at, name)
		}
	}
	for name, value := range v {
		p := s.Properties[name]
		if p == nil {
			if s.AdditionalProperties == nil {
				continue
			}
			return fmt.Errorf("%s: field %s is not documented", at, name)
		}
		if err := d.valid(at+"."+name, p, value); err != nil {
			return err
		}
	}
	return nil
}

func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
	}
	return "number"
}

func TestEachRouteIsDocumented(t *testing.T) {
	s, err := refsender.New(refsender.Config{DB: filepath.Join(t.TempDir(), "sender.db"), Contract: fast(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	router, ok := s.Handler().(*mux.Router)
	if !ok {
		t.Fatal("the handler is no router whose routes can be listed")
	}
	var routes []string
	err = router.Walk(func(r *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		path, err := r.GetPathTemplate()
		if err != nil {
			return err
		}
		methods, err := r.GetMethods()
		for _, m := range methods {
			routes = append(routes, m+" "+path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for path, ops := range readDocument(t).Paths {
		for method := range ops {
			documented = append(documented, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(routes)
	slices.Sort(documented)
	if diff := cmp.Diff(documented, routes); diff != "" {
		t.Errorf("documented (-) and routed (+): %s", diff)
	}
}

func TestDocumentIsServed(t *testing.T) {
	r := newRig(t, refsender.Config{})
	var got json.RawMessage
	if status := r.call("GET", "/openapi.json", nil, &got); status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var want, have bytes.Buffer
	if json.Compact(&want, text) != nil || json.Compact(&have, got) != nil || want.String() != have.String() {
		t.Error("what is served is not openapi.json")
	}
}

// The document's reader must have teeth: an answer that lacks a field, has one more, or has another kind is refused.
func TestAnswerThatDiffersFromTheDocument(t *testing.T) {
	d := readDocument(t)
	for body, want := range map[string]string{
		`{"id":"ep_1"}`:           "",
		`{}`:                      "documented field id is missing",
		`{"id":"ep_1","url":"x"}`: "field url is not documented",
		`{"id":7}`:                "is no [string]",
		`{"id":"ep_1","secret":"s"} {"id":"ep_2"}`: "after top-level value",
	} {
		err := d.check("POST", "/v1/endpoints", http.StatusCreated, []byte(body))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
	if err := d.check("POST", "/v1/endpoints", 418, []byte(`{}`)); err == nil {
		t.Error("a status that is not documented passes")
	}
	if err := d.check("DELETE", "/v1/endpoints/ep_1", 204, []byte(`{}`)); err == nil {
		t.Error("a body that is not documented passes")
	}
}
