package main

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/reports"
	"github.com/hookassay/hookassay/scenarios"
)

// full plays every scenario against every defect, as the examples do. Without it each defect meets some of the scenarios that
// feed its check, on a schedule of five seconds: enough to prove the judge's teeth at each test run.
var full = flag.Bool("full", false, "kill matrix: all scenarios for each defect, at the examples' compression")

const (
	// loadedSideBySide is how many runs go on at once with -full, each with the acceptance load.
	loadedSideBySide = 3
	// perDefect is how many scenarios a defect meets without -full.
	perDefect = 3
)

type assayed struct {
	code   int
	stderr string
	res    reports.Results
	err    error
}

// TestEachDefectIsCaughtByItsCheck is the proof of the judge's teeth: the correct sender fails nothing, each defect fails the
// check that is named for it and none outside its allowed company, and a sender that sends nothing passes nothing.
func TestEachDefectIsCaughtByItsCheck(t *testing.T) {
	t.Parallel()
	// The correct sender comes last, when the rush of the start is over: of it everything is asked.
	runs := assayAll(t, append(refsender.Defects(), refsender.Defect{}))
	t.Run("correct", func(t *testing.T) {
		a := get(t, runs, "")
		undecided := !calm && a.res.Verdict == judge.Incomplete
		if !undecided && (a.code != 0 || a.res.Verdict != judge.Conformant) {
			t.Errorf("exit code %d, %s: %s", a.code, a.res.Verdict, a.res.Why)
		}
		for _, v := range a.res.Verdicts {
			if v.Outcome == judge.Fail || v.Outcome == judge.Error {
				t.Errorf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
			}
		}
		logUndecided(t, a.res)
	})
	for _, d := range refsender.Defects() {
		t.Run(d.Name, func(t *testing.T) {
			a := get(t, runs, d.Name)
			if a.code != 1 || a.res.Verdict != judge.NonConformant {
				t.Errorf("exit code %d, %s: %s", a.code, a.res.Verdict, a.res.Why)
			}
			company(t, d, a.res)
			logUndecided(t, a.res)
		})
	}
}

// assayAll runs the reference sender with each defect, some at a time.
func assayAll(t *testing.T, defects []refsender.Defect) map[string]assayed {
	t.Helper()
	runs := map[string]assayed{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, sideBySide)
	if *full {
		slots = make(chan struct{}, loadedSideBySide)
	}
	for _, d := range defects {
		args := arguments(t, d)
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			var a assayed
			a.code, _, a.stderr = hookassay(t, args...)
			a.res, a.err = reports.ReadResults(filepath.Join(args[len(args)-1], "results.json"))
			mu.Lock()
			defer mu.Unlock()
			runs[d.Name] = a
		})
	}
	wg.Wait()
	return runs
}

// arguments is the command line for a defect; the report's folder comes last.
func arguments(t *testing.T, d refsender.Defect) []string {
	t.Helper()
	args := []string{"demo", "--var", "defect=" + d.Name}
	name, c := contractFor(t, d)
	if name != "" {
		args = append(args, "--contract", name, "--compress", "1")
	}
	if !*full {
		args = append(args, "--select", strings.Join(feeding(c, d), ","))
	}
	return append(args, "--out", filepath.Join(t.TempDir(), "report"))
}

// contractFor writes down the contract that a defect needs; the name is empty for the examples' own.
func contractFor(t *testing.T, d refsender.Defect) (string, *contract.Contract) {
	t.Helper()
	if *full && d.Contract == "" {
		return "", nil
	}
	return quickContract(t, d.Contract)
}

// silentDefect is the sender that sends nothing.
const silentDefect = "silent"

// feeding returns scenarios that feed the defect's check: for most the lightest few, since a broken rule shows in any of them.
// Some rules are broken only where the situation brings it out, and the correct and the silent sender meet everything but the
// load.
func feeding(c *contract.Contract, d refsender.Defect) []string {
	whole := d.Name == "" || d.Name == silentDefect
	var names, own []string
	for _, sc := range scenarios.All(c, 0) {
		switch {
		case sc.Family() == "acceptance", sc.NotRun != "", !whole && !slices.Contains(sc.Checks, d.MustFail):
		case sc.Instance != "":
			own = append(own, sc.Name)
		default:
			names = append(names, sc.Name)
		}
	}
	names = append(names, own...)
	switch {
	case whole:
		return names
	case len(situations(d.MustFail)) > 0:
		return situations(d.MustFail)
	}
	return names[:min(len(names), perDefect)]
}

// situations are the scenarios that bring a check out where not all that feed it do.
func situations(check string) []string {
	switch check {
	case "secret.isolation":
		return []string{"scope/tenants-and-filters"}
	case "wire.headers":
		return []string{"delivery/first-try", "wire/custom-headers"}
	case "wire.target":
		return []string{"wire/target-with-query"}
	case "log.state":
		return []string{"log/read-between-attempts"}
	case "log.complete":
		return []string{"log/read-between-attempts", "retry/timeout", "retry/reset-before-response"}
	case "body.stable":
		return []string{"body/changed-between-attempts", "retry/transient-status"}
	case "retry.transient":
		return []string{"retry/transient-status", "retry/timeout", "retry/reset-before-response"}
	case "durable.no-loss":
		return []string{"durability/kill-before-delivery", "durability/stop-before-delivery", "durability/backlog", "delivery/first-try"}
	case "sec.tls":
		return []string{"sec/tls-trusted", "sec/tls-bad-certificate", "net/handshake-fails"}
	case "durable.no-dup":
		return []string{"durability/restart-after-delivery", "delivery/first-try"}
	case "outcome.failure":
		return []string{"outcome/redirect", "retry/permanent-status", "budget/always-failing"}
	case "backoff.retry-after":
		return []string{"backoff/retry-after-seconds", "backoff/retry-after-date", "backoff/retry-after-beyond-cap"}
	case "backoff.bounds":
		return []string{"retry/transient-status", "budget/always-failing"}
	case "body.matches":
		return []string{"delivery/first-try", "body/every-size"}
	case "timeout.request":
		return []string{"retry/timeout", "timeout/slow-answer"}
	}
	return nil
}

func get(t *testing.T, runs map[string]assayed, defect string) assayed {
	t.Helper()
	a := runs[defect]
	if a.err != nil {
		t.Fatalf("exit code %d: %v\n%s", a.code, a.err, a.stderr)
	}
	return a
}

// company checks that the defect's own check fails, and nothing that it does not explain.
func company(t *testing.T, d refsender.Defect, res reports.Results) {
	t.Helper()
	silent, caught := d.Name == silentDefect, false
	for _, v := range res.Verdicts {
		switch {
		case v.Outcome == judge.Error:
			t.Errorf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
		case v.Outcome == judge.Pass && silent:
			t.Errorf("a silent sender passes %s in %s: %s", v.Check, v.Scenario, v.Because)
		case v.Outcome != judge.Fail:
		case v.Check == d.MustFail:
			caught = true
		case !silent && !slices.Contains(d.MayAlso, v.Check):
			t.Errorf("%s fails in %s, which is no company of %s: %s", v.Check, v.Scenario, d.Name, v.Because)
		}
	}
	if !caught {
		t.Errorf("%s does not fail", d.MustFail)
	}
}

// logUndecided shows, for a run that did not go as it should, what could not be judged.
func logUndecided(t *testing.T, res reports.Results) {
	t.Helper()
	for _, v := range res.Verdicts {
		if t.Failed() && v.Outcome == judge.Inconclusive {
			t.Logf("%s in %s: %s", v.Check, v.Scenario, v.Because)
		}
	}
}
