package reports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

func ran(vs ...judge.Verdict) reports.Results { return reports.Results{Verdicts: vs} }

func one(o judge.Outcome) judge.Verdict { return verdict("retry/x", "id.stable", o, "because") }

func TestDiffFilesEachChange(t *testing.T) {
	known := one(judge.Fail)
	known.Known = "until May"
	for _, c := range []struct {
		was, is string // outcomes; empty: no verdict
		list    string
		worse   bool
	}{
		{"pass", "fail", "Regressions", true},
		{"pass", "warn", "Regressions", true},
		{"warn", "fail", "Regressions", true},
		{"inconclusive", "fail", "Regressions", true},
		{"not-applicable", "fail", "Regressions", true},
		{"pass", "known", "Regressions", false},
		{"", "fail", "New failures", true},
		{"", "pass", "", false},
		{"fail", "pass", "Fixed", false},
		{"warn", "pass", "Fixed", false},
		{"fail", "fail", "Still broken", false},
		{"fail", "warn", "Still broken", false},
		{"pass", "inconclusive", "Cannot be told any more", false},
		{"fail", "not-applicable", "Cannot be told any more", false},
		{"fail", "", "Cannot be told any more", false},
		{"pass", "pass", "", false},
		{"pass", "", "", false},
		{"observed", "pass", "", false},
	} {
		of := func(o string) reports.Results {
			switch o {
			case "":
				return ran()
			case "known":
				return ran(known)
			}
			return ran(one(judge.Outcome(o)))
		}
		d := reports.Compare(of(c.was), of(c.is))
		text := d.Text()
		for _, list := range []string{"Regressions", "New failures", "Fixed", "Still broken", "Cannot be told any more"} {
			if there := strings.Contains(text, "\n"+list+" (1)\n"); there != (list == c.list) {
				t.Errorf("%q to %q: listed under %s: %v, want under %q\n%s", c.was, c.is, list, there, c.list, text)
			}
		}
		if d.Worse != c.worse {
			t.Errorf("%q to %q: worse %v, want %v", c.was, c.is, d.Worse, c.worse)
		}
	}
}

func TestDiffTellsShiftsFromNoise(t *testing.T) {
	at := func(median, slowest time.Duration) reports.Results {
		return reports.Results{Scenarios: []reports.Scenario{{Name: "retry/x", Delivery: &reports.Delivery{Delivered: 9, P50: median, P95: median, Max: slowest}}}}
	}
	for _, c := range []struct {
		a, b reports.Results
		want string
	}{
		{at(s, s), at(1200*ms, 1200*ms), ""},          // below the allowance
		{at(20*s, 20*s), at(22*s, 22*s), ""},          // below a quarter
		{at(s, s), at(2*s, 2*s), "median"},            // once, and not for each figure
		{at(2*s, 2*s), at(s, s), "median"},            // faster is told as well
		{at(s, 2*s), at(s, 4*s), "slowest"},           // the others hold
		{at(s, s), reports.Results{}, ""},             // not played
		{reports.Results{}, at(20*s, 20*s), ""},       // not played before
		{at(0, 0), at(300*ms, 300*ms), "median"},      // from nothing
		{at(0, 0), at(200*ms, 200*ms), ""},            // noise
		{at(90*s, 90*s), at(60*s, 60*s), "median"},    // a third less
		{at(60*s, 60*s), at(75*s+ms, 70*s), "median"}, // just over a quarter
	} {
		d := reports.Compare(c.a, c.b)
		got := ""
		if len(d.Timing) > 0 {
			got = d.Timing[0].What
		}
		if got != c.want || len(d.Timing) > 1 || d.Worse {
			t.Errorf("shifts %+v, worse %v, want %q and not worse", d.Timing, d.Worse, c.want)
		}
	}
}

func TestDiffSaysWhatElseDiffers(t *testing.T) {
	b := reports.Build(mixed())
	in := mixed()
	in.Effective = "name: another"
	in.Acceptance.DeliveredFirstTry, in.Acceptance.Pending = 1971, 0
	in.Acceptance.DeliveredAfterRetry = 29
	a := reports.Build(in)
	text := reports.Compare(a, b).Text()
	for _, says := range []string{"the contracts differ", "the acceptance rate fell", "0 regressions"} {
		if !strings.Contains(text, says) {
			t.Errorf("the text does not say %q:\n%s", says, text)
		}
	}
	if same := reports.Compare(a, a); len(same.Notes) > 0 || same.Worse {
		t.Errorf("a run compared with itself: %q, worse %v", same.Notes, same.Worse)
	}
}
