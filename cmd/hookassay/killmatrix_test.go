package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/reports"
)

// strongest is the highest compression that bounded-6 takes: its deadline is then just above 8 s. The examples use less; the
// teeth must not depend on it.
const strongest = "560"

// TestEachDefectIsCaughtByItsCheck is the proof of the judge's teeth: the correct sender fails nothing, each defect fails the
// check that is named for it and none outside its allowed company, and a sender that sends nothing passes nothing. The runs
// go on side by side, each with sender processes of its own; the load of the acceptance scenario is left to the demo.
func TestEachDefectIsCaughtByItsCheck(t *testing.T) {
	t.Run("correct", func(t *testing.T) {
		t.Parallel()
		code, res := assayed(t, "")
		if code != 0 || res.Verdict != judge.Conformant {
			t.Errorf("exit code %d, %s: %s", code, res.Verdict, res.Why)
		}
		for _, v := range res.Verdicts {
			if v.Outcome == judge.Fail || v.Outcome == judge.Error {
				t.Errorf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
			}
		}
	})
	for _, d := range refsender.Defects() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			code, res := assayed(t, d.Name)
			if code != 1 || res.Verdict != judge.NonConformant {
				t.Errorf("exit code %d, %s: %s", code, res.Verdict, res.Why)
			}
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
		})
	}
}

func assayed(t *testing.T, defect string) (int, reports.Results) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "report")
	code, _, stderr := hookassay(t, "demo", "--compress", strongest, "--out", out, "--var", "defect="+defect,
		"--select", "delivery/*,retry/*,time/*,body/*,backoff/*,budget/*,replay/*,effect/*,durability/*")
	res, err := reports.ReadResults(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatalf("exit code %d: %v\n%s", code, err, stderr)
	}
	return code, res
}
