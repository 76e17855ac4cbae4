package virtual_test

import (
	"bytes"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/reports"
	"github.com/hookassay/hookassay/scenarios"
)

// correct is the reference sender, which keeps its state in a database.
func correct() virtual.Config {
	return virtual.Config{Name: "reference sender", NewSender: inprocess.Virtual(""), Restarts: true}
}

// TestWholeSuite plays everything by the published bounded-6, whose window is 75 minutes.
func TestWholeSuite(t *testing.T) {
	t.Parallel()
	began := time.Now()
	r := virtual.Assay(t, correct())
	t.Logf("%v of schedule in %v: %s: %s", r.Run.Footer.Ended.Round(time.Second), time.Since(began).Round(time.Millisecond), r.Verdict, r.Why)
	if window := r.Contract.Schedule.Deadline; window != 75*time.Minute || r.Run.Footer.Ended < window {
		t.Errorf("the run took %v of a window of %v; want all of 75 minutes", r.Run.Footer.Ended, window)
	}
	if want := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC); !r.Run.Header.Started.Equal(want) {
		t.Errorf("started at %v, want %v, where the clock of a bubble begins", r.Run.Header.Started, want)
	}
	for _, v := range r.Verdicts {
		if v.Outcome == judge.Inconclusive {
			t.Errorf("%s in %s: %s: without noise everything can be judged", v.Check, v.Scenario, v.Because)
		}
	}
	for _, x := range r.Run.Troubles {
		t.Errorf("trouble in %q: %s", x.Scenario, x.What)
	}
	onlyUnplayed(t, r)
	smallPages(t, r)
}

// smallPages writes the report of a whole run in each language: at most two megabytes, so that it can be mailed and opens at once.
func smallPages(t *testing.T, r *scenarios.Result) {
	t.Helper()
	english := regexp.MustCompile(`<span lang="en">[^<]*`)
	for _, l := range []reports.Language{reports.English, reports.Chinese} {
		var b bytes.Buffer
		page := reports.Formats()[0]
		if err := page.Write(&b, reports.Prepare(reports.Input{
			Contract: r.Contract, Run: r.Run, Verdicts: r.Verdicts, Acceptance: r.Acceptance, Timelines: r.Timelines,
			Verdict: r.Verdict, Why: r.Why, Language: l,
		})); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s in %s: %d bytes", page.File, l, b.Len())
		if most := 2 << 20; b.Len() >= most {
			t.Errorf("%s in %s has %d bytes, want less than %d", page.File, l, b.Len(), most)
		}
		if left := english.FindAllString(b.String(), 5); len(left) > 0 {
			t.Errorf("a run in which all passes says in %s as %q: write it into internal/words/phrases.zh.txt", l, left)
		}
	}
}

// onlyUnplayed checks that what was not played is what needs a process, or what the contract does not promise, and that none of
// it counts as passed.
func onlyUnplayed(t *testing.T, r *scenarios.Result) {
	t.Helper()
	promised := map[string]string{}
	for _, sc := range scenarios.All(r.Contract, 0) {
		promised[sc.Name] = sc.NotRun
	}
	for _, sc := range r.Run.Scenarios {
		if sc.NotRun == "" {
			continue
		}
		lacks := slices.Contains([]string{`the sender's driver has no ability "kill"`, `the sender's driver has no ability "trust-ca"`}, sc.NotRun)
		if sc.NotRun != promised[sc.Name] && !lacks {
			t.Errorf("%s was not played: %s", sc.Name, sc.NotRun)
		}
		if i := slices.IndexFunc(r.Verdicts, func(v judge.Verdict) bool {
			return v.Scenario == sc.Name && v.Outcome != judge.NotApplicable
		}); i >= 0 {
			t.Errorf("%s was not played and %s is %s", sc.Name, r.Verdicts[i].Check, r.Verdicts[i].Outcome)
		}
	}
	if has := r.Run.Header.Sender.Abilities; slices.Contains(has, string(sender.CanKill)) || !slices.Contains(has, string(sender.CanStop)) {
		t.Errorf("abilities %q: want stop, and not kill", has)
	}
}
