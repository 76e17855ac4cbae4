package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/reports"
	"github.com/hookassay/hookassay/scenarios"
)

// question is what a verdict answers.
type question struct{ scenario, check string }

// TestVirtualTimeGivesTheVerdictsOfRealTime puts the correct sender to the test twice: as processes over sockets in compressed
// real time, and on virtual time by the published contract with its real waits. Whatever both can play must get the same verdict
// from both, but for what noise left undecided in real time.
func TestVirtualTimeGivesTheVerdictsOfRealTime(t *testing.T) {
	t.Parallel()
	path, quick := quickContract(t, "")
	some, out := strings.Join(unloaded(quick), ","), filepath.Join(t.TempDir(), "report")
	code, _, stderr := hookassay(t, "demo", "--contract", path, "--compress", "1", "--select", some, "--out", out)
	res, err := reports.ReadResults(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatalf("exit code %d: %v\n%s", code, err, stderr)
	}
	r := virtual.Run(t, virtual.Config{NewSender: inprocess.Virtual(""), Restarts: true, Select: unloaded(quick)})

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
		case timed.Outcome == judge.Inconclusive, timed.Outcome == judge.Observed: // noise: a machine that stalls cuts answers
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

// unloaded names the scenarios of a contract but for the load.
func unloaded(c *contract.Contract) []string {
	var names []string
	for _, sc := range scenarios.All(c, 0) {
		if sc.Family() != "acceptance" && sc.NotRun == "" {
			names = append(names, sc.Name)
		}
	}
	return names
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
