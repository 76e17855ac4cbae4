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

// A later run that came to no end shows nothing to be as good as before.
func TestDiffWithARunThatIsCutShort(t *testing.T) {
	for _, c := range []struct {
		verdict     judge.RunVerdict
		is          judge.Outcome
		open, worse bool
	}{
		{judge.Incomplete, judge.Pass, true, false},
		{judge.RunError, judge.Error, true, false},
		{judge.Incomplete, judge.Fail, false, true}, // worse is worse
		{judge.Conformant, judge.Pass, false, false},
	} {
		a, b := ran(one(judge.Pass), verdict("retry/y", "id.stable", judge.Pass, "because")), ran(one(c.is))
		b.Verdict = c.verdict
		d := reports.Compare(a, b)
		if d.Open != c.open || d.Worse != c.worse {
			t.Errorf("%s, %s: open %v, worse %v; want %v, %v", c.verdict, c.is, d.Open, d.Worse, c.open, c.worse)
		}
		text := d.Text()
		if !strings.Contains(text, "note: the later run has no verdict on 1 check that passed in the earlier one\n") {
			t.Errorf("it does not say what is gone:\n%s", text)
		}
		if strings.Contains(text, "cannot be told: the later run is "+string(c.verdict)+"\n") != c.open {
			t.Errorf("open is %v, and it says\n%s", c.open, text)
		}
	}
	earlier := ran(one(judge.Pass))
	earlier.Verdict = judge.Incomplete
	if d := reports.Compare(earlier, ran(one(judge.Pass))); d.Open {
		t.Error("it is open for an earlier run that was cut short")
	}
}

func TestDiffOfOtherSelectionsAndContracts(t *testing.T) {
	a, b := ran(), ran()
	a.LeftOut, b.LeftOut = []string{"retry/x", "retry/y"}, []string{"retry/x", "retry/z"} // as many, and others
	if text := reports.Compare(a, b).Text(); !strings.Contains(text, "1 scenario in the earlier one alone, 1 in the later one alone") {
		t.Errorf("two selections of one size:\n%s", text)
	}
	if text := reports.Compare(a, a).Text(); strings.Contains(text, "by selection") {
		t.Errorf("one selection twice:\n%s", text)
	}
	timed := func(contract string, median time.Duration) reports.Results {
		r := reports.Results{Scenarios: []reports.Scenario{{Name: "retry/x", Delivery: &reports.Delivery{Delivered: 9, P50: median, P95: median, Max: median}}}}
		r.Contract.Effective = contract
		return r
	}
	if d := reports.Compare(timed("compressed_by: 200", s), timed("compressed_by: 20", 10*s)); len(d.Timing) > 0 {
		t.Errorf("the contract's own times are a shift: %+v", d.Timing)
	}
	if d := reports.Compare(timed("compressed_by: 200", s), timed("compressed_by: 200", 10*s)); len(d.Timing) != 1 {
		t.Errorf("shifts %+v, want one", d.Timing)
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
