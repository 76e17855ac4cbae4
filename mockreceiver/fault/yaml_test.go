package fault_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestParseYAML(t *testing.T) {
	for text, want := range map[string]string{
		"steps: [502, timeout, 200]": "502, timeout, 200",
		"[502, timeout, 200]":        "502, timeout, 200",
		"then: reset":                "reset",
		`
# a comment
steps:
  - 502*2
  - 429: {retry-after: 2}
    times: 2
  - 429: {retry-after: "2"}
  - 503: {retry-after: date+3s}
  - 503: {retry-after: "-5"}
  - large: 1000000
  - drip: {value: 1, every: 100ms, header: ["X-A: 1", 'X-B: 2']}
  - wrong-length: +10
  - wrong-length: {value: -10}
  - malformed: chunk
  - timeout:
  - chance: 0.1
  - cut(after=3, with=reset)
  - 200:
      body: |
        {"a": 1}
then:
  outage: {from: 1s, to: 2s}
`: `502*2, 429(retry-after=2)*3, 503(retry-after=date+3s), 503(retry-after="-5"), large(1000000), ` +
			`drip(1, every=100ms, header="X-A: 1", header="X-B: 2"), wrong-length(+10), wrong-length(-10), malformed(chunk), timeout, ` +
			`chance(0.1), cut(after=3, with=reset), 200(body="{\"a\": 1}\n"), outage(from=1s, to=2s)`,
		`then: {mix: {502: 0.2, "429(retry-after=2)": 0.1, timeout: 0, value: 201}}`: "mix(502=0.2, 429(retry-after=2)=0.1, timeout=0, 201)",
		"steps: [502 for 30s, {503: {delay: 1s}, for: 1m}, {reset: , for: 2s}]\nthen: 200\nttl: 10m": "502 for 30s, 503(delay=1s) for 1m, " +
			"reset for 2s, 200; ttl=10m",
	} {
		p, err := fault.ParseYAML([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if d := cmp.Diff(mustParse(t, want), p); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func mustParse(t *testing.T, text string) fault.Plan {
	t.Helper()
	p, err := fault.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParseYAMLRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "holds 0 documents",
		"{}":                                     "want steps, then, or both",
		"502":                                    "want fields with values",
		"[[502]]":                                "want a step",
		"step: [502]":                            `line 1, column 1: unknown field "step" (did you mean steps?); want steps, then or ttl`,
		"steps: []":                              "want a list of steps",
		"steps: 502":                             "want a list of steps",
		"steps: [502]\nsteps: [503]":             "line 2, column 1: steps: is there twice",
		"steps:\n  - oops":                       `line 2, column 5: "oops": position 1: unknown step "oops"`,
		"steps:\n  - oops: 1":                    `line 2, column 5: unknown step "oops"`,
		"steps: ['502, 200']":                    "want one step only",
		"steps: [{timeout: 5}]":                  "want a duration",
		"steps:\n  - 502: {delay: 1s, x: 2}":     "line 2, column 25: x=2: 502 takes no such argument",
		"steps: [{502: {delay: 1s, delay: 2s}}]": "or takes it once",
		"steps: [{502: {delay: {a: b}}}]":        "want one value",
		"steps: [{502: {body: [[a]]}}]":          "want one value",
		"steps: [{502: , 503: }]":                "a step is one kind of fault",
		"steps: [{times: 2}]":                    "want a kind of fault",
		"steps: [{502: , times: 0}]":             "times: want a number",
		"steps: [{502: , times: 10001}]":         "times: want a number",
		"steps: [502*10000, 503]":                "more than 10000 steps",
		"then: 502*2":                            "repeats for ever",
		"then: {502: , times: 2}":                "repeats for ever",
		"then: [502]":                            "want a step",
		"steps: [{502: , for: 5}]":               "line 1, column 22: for \"5\": want a duration",
		"steps: [{502: , for: 5s, times: 2}]":    "times or for at most",
		"steps: [502 for 1s]":                    "the last step repeats for ever",
		"then: {502: , for: 1s}":                 "the last step repeats for ever",
		"then: 502\nttl: 0s":                     `line 2, column 6: ttl "0s": want a duration`,
		"then: 502\nttl: [1s]":                   "want a duration",
		"steps: [&a 502, *a]":                    "want a step",
		"then: !!str 502":                        "want a step",
		"then: 502\n---\nthen: 503":              "holds 2 documents",
		"then: [":                                "is no YAML",
		"then: " + strings.Repeat("[", 17):       "nested more than 16 deep",
		"then: " + strings.Repeat("- ", 17):      "nested more than 16 deep",
		"then: [" + strings.Repeat("1,", 6000):   "words and signs",
		strings.Repeat("#", 70_000):              "at most",
		"then: \xff":                             "not valid UTF-8",
	} {
		_, err := fault.ParseYAML([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: got %v, want %q in it", text, err, want)
		}
	}
}

// TestEveryKindInYAML writes the text form of each step as a YAML value.
func TestEveryKindInYAML(t *testing.T) {
	var kinds []*rapid.Generator[fault.Fault]
	for _, g := range generators() {
		kinds = append(kinds, g)
	}
	rapid.Check(t, func(t *rapid.T) {
		want := fault.Of(rapid.SliceOfN(rapid.OneOf(kinds...), 2, 6).Draw(t, "faults")...)
		var b strings.Builder
		b.WriteString("steps:\n")
		for _, s := range want.Steps {
			quoted, err := json.Marshal(s.String())
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString("  - " + string(quoted) + "\n")
		}
		quoted, err := json.Marshal(want.Then.String())
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("then: " + string(quoted) + "\n")
		got, err := fault.ParseYAML([]byte(b.String()))
		if err != nil {
			t.Fatalf("%s: %v", b.String(), err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %s", b.String(), d)
		}
	})
}

func TestHostileYAMLIsQuick(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[", 60_000), "braces": strings.Repeat("{", 60_000), "dashes": strings.Repeat("- ", 30_000),
		"question marks": strings.Repeat("? ", 30_000), "colons": strings.Repeat("a: ", 20_000), "quotes": strings.Repeat(`"`, 60_000),
		"anchors": strings.Repeat("&a ", 20_000), "pipes": strings.Repeat("|\n", 30_000),
	} {
		// A second is a hundred times what it takes; without the bounds some take several. The quickest of three counts: a machine
		// that stalls meanwhile does not do so each time.
		took := time.Hour
		for range 3 {
			begun := time.Now()
			if _, err := fault.ParseYAML([]byte(text)); err == nil {
				t.Errorf("%s: read without an error", name)
			}
			took = min(took, time.Since(begun))
		}
		if took > time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
}

func FuzzParseYAML(f *testing.F) {
	for _, s := range []string{"steps: [502*3, 200]", "steps:\n  - 429: {retry-after: \"2\"}\n    times: 2\nthen: reset", "then: {drip: {value: 1, size: 3}}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := fault.ParseYAML(text)
		if err != nil {
			return
		}
		again, err := fault.Parse(p.String())
		if err != nil {
			t.Fatalf("%q became %q: %v", text, p, err)
		}
		if d := cmp.Diff(p, again); d != "" {
			t.Fatal(d)
		}
	})
}
