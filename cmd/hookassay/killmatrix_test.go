package main

import (
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/reports"
)

// matrix holds one run of the reference sender without a defect (the empty name) and one with each. The runs go on side by
// side, each with sender processes of its own, so that all of them take as long as one.
type matrix struct {
	runs map[string]assayed
}

type assayed struct {
	code   int
	stderr string
	res    reports.Results
	err    error
}

func newMatrix(t *testing.T) matrix {
	t.Helper()
	m := matrix{runs: map[string]assayed{}}
	names := []string{""}
	for _, d := range refsender.Defects() {
		names = append(names, d.Name)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, name := range names {
		out := filepath.Join(t.TempDir(), "report")
		wg.Go(func() {
			a := runDemo(t, name, out)
			mu.Lock()
			defer mu.Unlock()
			m.runs[name] = a
		})
	}
	wg.Wait()
	return m
}

// runDemo leaves out the acceptance scenario: eight of its loads at once would be a test of this machine.
func runDemo(t *testing.T, defect, out string) assayed {
	t.Helper()
	var a assayed
	a.code, _, a.stderr = hookassay(t, "demo", "--contract", "testdata/quick.yaml", "--compress", "1",
		"--out", out, "--var", "defect="+defect,
		"--select", "delivery/*,retry/*,time/*,body/*,backoff/*,budget/*,replay/*,effect/*,durability/*")
	a.res, a.err = reports.ReadResults(filepath.Join(out, "results.json"))
	return a
}

// TestEachDefectIsCaughtByItsCheck is the proof of the judge's teeth: the correct sender fails nothing, each defect fails the
// check that is named for it and none outside its allowed company, and a sender that sends nothing passes nothing.
func TestEachDefectIsCaughtByItsCheck(t *testing.T) {
	m := newMatrix(t)
	t.Run("correct", func(t *testing.T) {
		a := m.get(t, "")
		if a.code != 0 || a.res.Verdict != judge.Conformant {
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
			a := m.get(t, d.Name)
			if a.code != 1 || a.res.Verdict != judge.NonConformant {
				t.Errorf("exit code %d, %s: %s", a.code, a.res.Verdict, a.res.Why)
			}
			company(t, d, a.res)
			logUndecided(t, a.res)
		})
	}
}

func (m matrix) get(t *testing.T, defect string) assayed {
	t.Helper()
	a := m.runs[defect]
	if a.err != nil {
		t.Fatalf("exit code %d: %v\n%s", a.code, a.err, a.stderr)
	}
	return a
}

// company checks that the defect's own check fails, and nothing that it does not explain.
func company(t *testing.T, d refsender.Defect, res reports.Results) {
	t.Helper()
	silent, caught := d.Name == "silent", false
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
