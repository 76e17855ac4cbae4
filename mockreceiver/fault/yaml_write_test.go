package fault_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// TestPlanRoundTripInYAML goes from text to YAML and back, and through JSON.
func TestPlanRoundTripInYAML(t *testing.T) {
	all := plans()
	rapid.Check(t, func(t *rapid.T) {
		want := all.Draw(t, "plan")
		text := want.YAML()
		got, err := fault.ParseYAML([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %s", text, d)
		}
		b, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var read fault.Plan
		if err := json.Unmarshal(b, &read); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if d := cmp.Diff(want, read); d != "" {
			t.Fatalf("%s: %s", b, d)
		}
	})
}

func TestYAMLOfAPlan(t *testing.T) {
	p := mustParse(t, `502*3, 429(retry-after=2, header="A: 1", header="B: 2")*2, reset for 30s, drip(1, every=1s) for 1m, 200(body="\xff"), 410; ttl=1h`)
	const want = `steps:
  - 502*3
  - 429: {retry-after: 2, header: ["A: 1", "B: 2"]}
    times: 2
  - reset for 30s
  - drip: {value: 1, every: 1s}
    for: 1m0s
  - "200(body=\"\\xff\")"
then: 410
ttl: 1h0m0s
`
	if d := cmp.Diff(want, p.YAML()); d != "" {
		t.Error(d)
	}
}

// FuzzPlanInJSON wants whatever JSON gives to be written and read back, in each of the forms.
func FuzzPlanInJSON(f *testing.F) {
	for _, s := range []string{
		`"502*3, 200"`, `{"steps":[{"429":{"retry-after":2,"header":["A: 1","B: 2"]},"times":2}],"then":200,"ttl":"1m"}`, "null", `"200; ttl=1h"`,
		`{"then":{"mix":{"502":0.2,"429(retry-after=2)":0.1,"value":201}}}`, `{"then":{"200":{"body":"\ud83d\ude00\u2028\/"}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var p fault.Plan
		if err := json.Unmarshal(text, &p); err != nil {
			return
		}
		fromText, err := fault.Parse(p.String())
		if err != nil {
			t.Fatalf("%q became %q: %v", text, p, err)
		}
		if len(p.Steps) > 500 { // YAML has a bound on its words
			return
		}
		fromYAML, err := fault.ParseYAML([]byte(p.YAML()))
		if err != nil {
			t.Fatalf("%q became %q: %v", text, p.YAML(), err)
		}
		if fromText.String() != p.String() || fromYAML.String() != p.String() {
			t.Fatalf("%q became %q, %q and %q", text, p, fromText, fromYAML)
		}
	})
}
