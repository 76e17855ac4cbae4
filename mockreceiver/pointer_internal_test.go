package mockreceiver

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPointers(t *testing.T) {
	list := []string{"/id", "/data/id", "/data/list/1/x", "", "/a~1b/~0", "/n"}
	p := newPointers(list...)
	for body, want := range map[string][]string{
		``:                                       {"", "", "", "", "", ""},
		`"text"`:                                 {"", "", "", "", "", ""},
		`{}`:                                     {"", "", "", "", "", ""},
		`{"id":"evt_1","n":12.50}`:               {"evt_1", "", "", "", "", "12.50"},
		` { "n" : -1e3 , "id" : "evt_1" } `:      {"evt_1", "", "", "", "", "-1e3"},
		`{"id":null,"n":true}`:                   {"", "", "", "", "", ""},
		`{"id":{},"n":[1]}`:                      {"", "", "", "", "", ""},
		`{"x":{"id":"no"},"data":{"id":"o_1"}}`:  {"", "o_1", "", "", "", ""},
		`{"data":{"list":[{"x":1},{"x":"y"}]}}`:  {"", "", "y", "", "", ""},
		`{"a/b":{"~":"z"},"":"no"}`:              {"", "", "", "", "z", ""},
		`{"id":"first","id":"second"}`:           {"first", "", "", "", "", ""},
		`{"id":{},"id":"second"}`:                {"", "", "", "", "", ""},
		`{"\u0069d":"a\u00e9\"\\"}`:              {`aé"\`, "", "", "", "", ""},
		`{"id":"evt_1", cut`:                     {"evt_1", "", "", "", "", ""},
		`{"x":[[[{"id":"}"}]]],"n":7}`:           {"", "", "", "", "", "7"},
		`{"x":` + strings.Repeat("[", 1_000_000): {"", "", "", "", "", ""},
		`{"id":01}`:                              {"", "", "", "", "", ""},
		"{\"id\":\"\xff\"}":                      {"\uFFFD", "", "", "", "", ""},
	} {
		if d := cmp.Diff(want, p.find([]byte(body))); d != "" {
			t.Errorf("%.60s (-want +got):\n%s", body, d)
		}
	}
}

// oracle reads a value out of the tree of the whole document.
func oracle(body []byte, pointer string) string {
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return ""
	}
	for _, name := range strings.Split(pointer, "/")[1:] {
		switch in := v.(type) {
		case map[string]any:
			v = in[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(in) {
				return ""
			}
			v = in[i]
		default:
			return ""
		}
	}
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

func TestPointersFindWhatIsThere(t *testing.T) {
	names := []string{"a", "b", "0", "1", "é"}
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		leaf := rapid.OneOf(rapid.String().AsAny(), rapid.Int().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil))
		if depth == 0 {
			return leaf
		}
		inner := rapid.Deferred(func() *rapid.Generator[any] { return value(depth - 1) })
		return rapid.OneOf(leaf, rapid.SliceOfN(inner, 0, 3).AsAny(), rapid.MapOfN(rapid.SampledFrom(names), inner, 0, 4).AsAny())
	}
	rapid.Check(t, func(t *rapid.T) {
		v := value(4).Draw(t, "document")
		body, err := json.Marshal(v)
		if rapid.Bool().Draw(t, "indented") {
			body, err = json.MarshalIndent(v, "", "\t")
		}
		if err != nil {
			t.Fatal(err)
		}
		list := rapid.SliceOfN(rapid.Map(rapid.SliceOfN(rapid.SampledFrom(names), 1, 4), func(l []string) string {
			return "/" + strings.Join(l, "/")
		}), 1, 4).Draw(t, "pointers")
		want := make([]string, len(list))
		for i, p := range list {
			want[i] = oracle(body, p)
		}
		if d := cmp.Diff(want, newPointers(list...).find(body)); d != "" {
			t.Errorf("%s (-want +got):\n%s", body, d)
		}
	})
}

// FuzzPointers: a body from outside never panics, and what is found in a valid one is there.
func FuzzPointers(f *testing.F) {
	for _, seed := range []string{`{"id":"x"}`, `{"a":{"id":[1,{"b":"c"}]}}`, `[{"id":1}`, `{"id":"\ud800"}`, "{\"id\":\"\x00\"}"} {
		f.Add([]byte(seed))
	}
	p := newPointers("/id", "/a/id/1/b")
	f.Fuzz(func(t *testing.T, body []byte) {
		got := p.find(body)
		if !json.Valid(body) || strings.Count(string(body), "id") > 1 || strings.Contains(string(body), `\`) {
			return // of equal names the tree keeps the last, and an escape can make one
		}
		if want := oracle(body, "/id"); got[0] != want {
			t.Errorf("%q: got %q, want %q", body, got[0], want)
		}
	})
}
