package fault_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestParseFile(t *testing.T) {
	for text, want := range map[string]fault.File{
		"plan: 502, 200":                     {Plan: mustParse(t, "502, 200")},
		"steps: [502*2]\nthen: 200\nttl: 1m": {Plan: mustParse(t, "502*2, 200; ttl=1m")},
		"then: reset":                        {Plan: mustParse(t, "reset")},
		`
plan: {steps: [502], then: 200}
events:
  evt_1: timeout, 200
  "2": {then: 410}
rules:
  - match: .body.type == "payment.failed"
    plan: 502*3, 200
  - match: |
      .attempt > 3
    plan: {then: {429: {retry-after: 2}}}
`: {
			Plan:   mustParse(t, "502, 200"),
			Events: map[string]fault.Plan{"evt_1": mustParse(t, "timeout, 200"), "2": mustParse(t, "410")},
			Rules: []fault.Rule{
				{Match: `.body.type == "payment.failed"`, Plan: mustParse(t, "502*3, 200")},
				{Match: ".attempt > 3\n", Plan: mustParse(t, "429(retry-after=2)")},
			},
		},
		"events: {a: 502}": {Plan: fault.OK(), Events: map[string]fault.Plan{"a": mustParse(t, "502")}},
	} {
		got, err := fault.ParseFile([]byte(text), nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func TestParseFileRefuses(t *testing.T) {
	check := func(m string) error {
		if m == "bad" {
			return errors.New("is no expression")
		}
		return nil
	}
	for text, want := range map[string]string{
		"{}":                                      "want a plan, events or rules",
		"plans: 502":                              `line 1, column 1: unknown field "plans"`,
		"plan: 502, oops":                         `line 1, column 7: plan "502, oops": position 6: unknown step`,
		"plan: 502\nthen: 200":                    "not both",
		"plan: {502}":                             "unknown field",
		"plan: 502\nevents: [a]":                  "line 2, column 9: events: want plans by event",
		"events: {a: 502, a: 503}":                "a: is there twice",
		"events: {a: {steps: []}}":                "want a list of steps",
		`events: {"": 502}`:                       "want an event's id",
		"rules: []":                               "want a list of rules",
		"rules: [{match: x}]":                     "want match and plan",
		"rules: [{match: x, plan: 502, x: 1}]":    `unknown field "x"; want match or plan`,
		"rules: [{match: [x], plan: 502}]":        "want a jq expression",
		"rules:\n  - match: bad\n    plan: 502":   "line 2, column 12: is no expression",
		"rules: [{match: x, plan: oops}]":         "unknown step",
		"rules: [{match: x, plan: {then: oops}}]": "unknown step",
	} {
		_, err := fault.ParseFile([]byte(text), check)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: got %v, want %q in it", text, err, want)
		}
	}
}

func FuzzParseFile(f *testing.F) {
	f.Add([]byte("plan: 502, 200\nevents: {a: timeout}\nrules: [{match: .a, plan: {then: 200}}]"))
	f.Add([]byte("steps: [502 for 1s, 200]\nttl: 1m\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := fault.ParseFile(text, func(string) error { return nil })
		if err != nil {
			return
		}
		for _, r := range append(file.Rules, fault.Rule{Plan: file.Plan}) {
			if _, err := fault.Parse(r.Plan.String()); err != nil {
				t.Fatalf("%q became %q: %v", text, r.Plan, err)
			}
		}
	})
}
