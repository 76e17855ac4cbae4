package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/reports"
)

// question is what a verdict answers.
type question struct{ scenario, check string }

// TestVirtualTimeGivesTheVerdictsOfRealTime puts the correct sender to the test twice: as processes over sockets in compressed
// real time, and on virtual time by the published contract with its real waits. Whatever both can play must get the same verdict
// from both, but for what noise left undecided in real time.
func TestVirtualTimeGivesTheVerdictsOfRealTime(t *testing.T) {
	t.Parallel()
	correct := refsender.Defect{}
	args := arguments(t, correct)
	code, _, stderr := hookassay(t, args...)
	res, err := reports.ReadResults(filepath.Join(args[len(args)-1], "results.json"))
	if err != nil {
		t.Fatalf("exit code %d: %v\n%s", code, err, stderr)
	}
	cfg := virtual.Config{NewSender: inprocess.Virtual(""), Restarts: true}
	if !*full { // all but the load
		_, quick := contractFor(t, correct)
		cfg.Select = feeding(quick, correct)
	}
	r := virtual.Run(t, cfg)

	inReal := map[question]judge.Verdict{}
	for _, v := range res.Verdicts {
		inReal[question{v.Scenario, v.Check}] = v
	}
	played, compared := bothPlayed(r.Run.Scenarios, res.Scenarios), 0
	for _, v := range r.Verdicts {
		timed, ok := inReal[question{v.Scenario, v.Check}]
		switch {
		case !played[v.Scenario]:
		case !ok:
			t.Errorf("%s in %s: there is no verdict in real time", v.Check, v.Scenario)
		case timed.Outcome == judge.Inconclusive: // noise
		case timed.Outcome != v.Outcome:
			t.Errorf("%s in %s\n  in real time:    %s: %s\n  on virtual time: %s: %s",
				v.Check, v.Scenario, timed.Outcome, timed.Because, v.Outcome, v.Because)
		default:
			compared++
		}
	}
	t.Logf("%d verdicts of %d scenarios are the same", compared, len(played))
	if compared == 0 {
		t.Error("nothing could be compared")
	}
}

// bothPlayed names the scenarios that were played on virtual time and in real time.
func bothPlayed(onVirtual []evidence.Scenario, inReal []reports.Scenario) map[string]bool {
	both := map[string]bool{}
	for _, sc := range onVirtual {
		i := slices.IndexFunc(inReal, func(o reports.Scenario) bool { return o.Name == sc.Name })
		if i >= 0 && sc.NotRun == "" && inReal[i].NotRun == "" {
			both[sc.Name] = true
		}
	}
	return both
}
