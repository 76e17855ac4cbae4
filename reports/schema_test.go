package reports_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// strict returns a schema that allows no field that it does not name, so that a field without a description fails.
func strict(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var tighten func(any)
	tighten = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			if _, isObject := x["properties"]; isObject && x["type"] == "object" {
				x["additionalProperties"] = false
			}
			for _, y := range x {
				tighten(y)
			}
		case []any:
			for _, y := range x {
				tighten(y)
			}
		}
	}
	tighten(doc)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, what string, text []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return s.Validate(doc)
}

func TestResultsKeepTheirSchema(t *testing.T) {
	s := strict(t, reports.JSONSchema("results"))
	for name, in := range inputs() {
		if name == "-empty" {
			in.Verdict = "incomplete" // a run always has a verdict
		}
		if err := validate(t, s, "results"+name, render(t, format(t, "json"), in)); err != nil {
			t.Errorf("input%s: %v", name, err)
		}
	}
	for what, text := range map[string]string{"another number": `{"schema":"hookassay.results/2"}`, "nothing": `{}`} {
		if validate(t, s, what, []byte(text)) == nil {
			t.Errorf("%s is valid", what)
		}
	}
}

func TestCTRFKeepsItsSchema(t *testing.T) {
	text, err := os.ReadFile("testdata/published/ctrf.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	s := strict(t, text)
	for name, in := range inputs() {
		if err := validate(t, s, "ctrf"+name, render(t, format(t, "ctrf"), in)); err != nil {
			t.Errorf("input%s: %v", name, err)
		}
	}
	good := string(render(t, format(t, "ctrf"), perfect()))
	for what, broken := range map[string]string{
		"a status of its own":           strings.Replace(good, `"status": "passed"`, `"status": "fine"`, 1),
		"a version of two numbers":      strings.Replace(good, `"specVersion": "0.0.0"`, `"specVersion": "0.0"`, 1),
		"a count that is text":          strings.Replace(good, `"failed": 0`, `"failed": "0"`, 1),
		"a field that the form has not": strings.Replace(good, `"failed": 0`, `"failed": 0, "warned": 1`, 1),
	} {
		if broken == good {
			t.Errorf("%s: nothing was broken", what)
		}
		if validate(t, s, what, []byte(broken)) == nil {
			t.Errorf("%s is valid", what)
		}
	}
}

func TestManifestAndDiffKeepTheirSchemas(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "evidence.ndjson"), evidenceHead)
	if _, err := open(t, dir).Write(mixed()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := validate(t, strict(t, reports.JSONSchema("manifest")), "manifest", text); err != nil {
		t.Error(err)
	}
	for _, d := range []reports.Diff{
		reports.Compare(reports.Build(perfect()), reports.Build(mixed())), reports.Compare(reports.Build(mixed()), reports.Build(empty())),
	} {
		if text, err = json.Marshal(d); err != nil {
			t.Fatal(err)
		}
		// A run without a header has no verdict, which no stored run lacks.
		text = bytes.ReplaceAll(text, []byte(`"verdict":""`), []byte(`"verdict":"incomplete"`))
		if err := validate(t, strict(t, reports.JSONSchema("diff")), "diff", text); err != nil {
			t.Error(err)
		}
	}
}

func TestBadgeIsAnEndpointBadge(t *testing.T) {
	text, err := os.ReadFile("testdata/badge.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	s := strict(t, text)
	for name, in := range inputs() {
		for _, v := range []judge.RunVerdict{in.Verdict, judge.RunError, "", "unheard of"} {
			in.Verdict = v
			if err := validate(t, s, "badge"+name, render(t, format(t, "badge"), in)); err != nil {
				t.Errorf("input%s, verdict %q: %v", name, v, err)
			}
		}
	}
	if validate(t, s, "no message", []byte(`{"schemaVersion":1,"label":"webhook delivery","message":"","color":"red"}`)) == nil {
		t.Error("a badge that says nothing is valid")
	}
}

func TestArchiveHoldsEachRequest(t *testing.T) {
	in := mixed()
	long := evidence.Raw(bytes.Repeat([]byte("ü"), 4000))
	in.Run.Attempts[0].Body, in.Run.Attempts[0].BodySize = long, int64(len(long))
	in.Run.Attempts[1].Body = evidence.Raw{0xff, 0xfe}
	var doc struct {
		Log struct {
			Version string
			Entries []struct {
				Request struct {
					Method   string
					PostData struct{ Text string }
				}
				Response struct{ Status int }
				Event    string `json:"_event"`
				Line     int    `json:"_line"`
				Cut      string `json:"_cut"`
			}
		}
	}
	if err := json.Unmarshal(render(t, format(t, "har"), in), &doc); err != nil {
		t.Fatal(err)
	}
	if n := len(doc.Log.Entries); n != len(in.Run.Attempts) || doc.Log.Version != "1.2" {
		t.Fatalf("version %s with %d entries, want 1.2 with %d", doc.Log.Version, n, len(in.Run.Attempts))
	}
	e := doc.Log.Entries[0]
	if e.Request.Method != "POST" || e.Response.Status != 502 || e.Event != "evt_1" || e.Line != 17 {
		t.Errorf("first entry: %+v", e)
	}
	if len(e.Request.PostData.Text) != 2048 || e.Cut == "" {
		t.Errorf("a long body: %d bytes, cut %q", len(e.Request.PostData.Text), e.Cut)
	}
	if b := doc.Log.Entries[1]; b.Request.PostData.Text != "" || b.Cut == "" {
		t.Errorf("a body that is no text: %+v", b)
	}
}
