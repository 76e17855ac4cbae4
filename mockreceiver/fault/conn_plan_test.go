package fault_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// connGenerators has one generator per kind at the level of connections.
func connGenerators() map[string]*rapid.Generator[fault.ConnFault] {
	holds := rapid.Map(rapid.Int64Range(1, int64(24*time.Hour)), func(n int64) time.Duration { return time.Duration(n) })
	spread := rapid.Custom(func(t *rapid.T) fault.Spread {
		if rapid.Bool().Draw(t, "log-normal") {
			return fault.Spread{Median: holds.Draw(t, "median"), Sigma: rapid.Float64Range(1e-9, 3).Draw(t, "sigma")}
		}
		s := fault.Spread{To: holds.Draw(t, "to")}
		s.From = time.Duration(rapid.Int64Range(0, int64(s.To)).Draw(t, "from"))
		return s
	})
	just := func(f fault.ConnFault) *rapid.Generator[fault.ConnFault] { return rapid.Just(f) }
	list := map[string]*rapid.Generator[fault.ConnFault]{
		"ok":           just(fault.NoFault{}),
		"refuse":       rapid.Map(holds, func(d time.Duration) fault.ConnFault { return fault.Refuse{For: d} }),
		"accept-delay": rapid.Map(spread, func(s fault.Spread) fault.ConnFault { return fault.AcceptDelay{Spread: s} }),
		"accept-stall": just(fault.AcceptStall{}),
		"accept-close": just(fault.AcceptClose{}),
		"accept-reset": just(fault.AcceptReset{}),
		"throttle":     rapid.Map(rapid.IntRange(1, 1<<30), func(n int) fault.ConnFault { return fault.Throttle{PerSecond: n} }),
		"tls-delay":    rapid.Map(spread, func(s fault.Spread) fault.ConnFault { return fault.TLSDelay{Spread: s} }),
		"tls-stall":    just(fault.TLSStall{}),
		"tls-abort": rapid.Map(rapid.SampledFrom([]fault.End{"", fault.Closed, fault.Aborted}), func(e fault.End) fault.ConnFault {
			return fault.TLSAbort{With: e}
		}),
		"tls-alert": rapid.Map(rapid.SampledFrom([]string{"unknown_ca", "unrecognized_name"}), func(a string) fault.ConnFault {
			return fault.TLSAlert{Alert: a}
		}),
		"tls-old":     rapid.Map(rapid.SampledFrom([]string{"1.0", "1.1"}), func(v string) fault.ConnFault { return fault.TLSOld{Version: v} }),
		"max-streams": rapid.Map(rapid.IntRange(1, 1000), func(n int) fault.ConnFault { return fault.MaxStreams{N: n} }),
	}
	for _, f := range []fault.Flaw{fault.Expired, fault.NotYetValid, fault.SelfSigned, fault.WrongName} {
		list["tls-"+string(f)] = just(fault.BadCertificate{Flaw: f})
	}
	return list
}

func TestEveryConnKindHasAGenerator(t *testing.T) {
	known := connGenerators()
	for _, k := range fault.ConnKinds() {
		if known[k.Name] == nil || k.Reason == "" || k.Level() != fault.ConnectionLevel {
			t.Errorf("kind %s: has no generator, no reason or level %s", k.Name, k.Level())
		}
		p, err := fault.ParseConn(k.Form)
		if err != nil || p.Then.Kind() != k.Name {
			t.Errorf("kind %s: its form %q parses as %v, %v", k.Name, k.Form, p, err)
		}
	}
	if len(known) != len(fault.ConnKinds()) {
		t.Errorf("%d generators for %d kinds", len(known), len(fault.ConnKinds()))
	}
}

func TestConnPlanRoundTrip(t *testing.T) {
	var kinds []*rapid.Generator[fault.ConnFault]
	for _, g := range connGenerators() {
		kinds = append(kinds, g)
	}
	rapid.Check(t, func(t *rapid.T) {
		want := fault.ConnPlanOf(rapid.SliceOfN(rapid.OneOf(kinds...), 1, 6).Draw(t, "faults")...)
		var got fault.ConnPlan
		b, err := want.MarshalText()
		if err == nil {
			err = got.UnmarshalText(b)
		}
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want.String(), got.String()); d != "" {
			t.Fatal(d)
		}
		for n := 1; n < 9; n++ {
			if d := cmp.Diff(want.Step(n), got.Step(n)); d != "" {
				t.Fatal(d)
			}
		}
	})
}

func TestParseConnRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "position 1: want a step",
		"ok,":                       "position 4: want a step",
		"ok tls-stall":              "position 4: want a comma",
		"oops":                      `unknown step "oops"`,
		"502":                       "acts on a request",
		"timeout":                   "acts on a request",
		"ok*0":                      "count",
		"ok*9999, ok*9999":          "more than 10000 steps",
		"ok(1s)":                    "takes no such argument",
		"refuse(soon)":              "want a duration",
		"accept-delay":              "want accept-delay(from=100ms",
		"accept-delay(0s)":          "want accept-delay(from=100ms",
		"tls-delay(1s, to=2s)":      "to=2s: tls-delay takes no such argument",
		"tls-delay(from=2s)":        "is above to",
		"throttle":                  "give the bytes per second",
		"throttle(0)":               "want a number from 1",
		"tls-abort(with=bang)":      "want with=close",
		"tls-alert(oops)":           "want an alert: access_denied",
		"tls-old(1.2)":              "want tls-old(1.0)",
		"max-streams(0)":            "want a number from 1",
		"\xff":                      "not valid UTF-8",
		strings.Repeat("o", 70_000): "at most",
	} {
		_, err := fault.ParseConn(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q in it", text, err, want)
		}
	}
	if _, err := fault.Parse("tls-expired"); err == nil || !strings.Contains(err.Error(), "plan of a listener") {
		t.Errorf("a fault of connections among those of requests: %v", err)
	}
}

func TestConnPlanSteps(t *testing.T) {
	p, err := fault.ParseConn("tls-stall*2, ok")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{1: "tls-stall", 2: "tls-stall", 3: "ok", 9: "ok"} {
		if got := p.Step(n).String(); got != want {
			t.Errorf("step %d: got %s, want %s", n, got, want)
		}
	}
	var zero fault.ConnPlan
	if !zero.IsZero() || p.IsZero() || zero.String() != "ok" || zero.Step(5).Open(0) != (fault.Opening{}) {
		t.Errorf("zero plan: %s", zero)
	}
	for text, want := range map[string][2]bool{
		"accept-reset, refuse": {}, "ok, tls-expired": {true, false}, "tls-stall, max-streams": {true, true},
	} {
		p, err := fault.ParseConn(text)
		if err != nil {
			t.Fatal(err)
		}
		if tls, http2, step := p.Needs(); [2]bool{tls, http2} != want || tls == (step == "") {
			t.Errorf("%s needs TLS %v, HTTP/2 %v for %q; want %v", text, tls, http2, step, want)
		}
	}
}

func FuzzParseConn(f *testing.F) {
	for _, s := range []string{"ok*3, tls-expired", "refuse(2s), accept-delay(median=1s, sigma=1)", "tls-alert(unknown_ca)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := fault.ParseConn(text)
		if err != nil {
			return
		}
		again, err := fault.ParseConn(p.String())
		if err != nil {
			t.Fatalf("%q became %q: %v", text, p, err)
		}
		if p.String() != again.String() {
			t.Fatalf("%q became %q", p, again)
		}
	})
}
