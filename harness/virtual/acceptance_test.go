package virtual_test

import (
	"slices"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/scenarios"
)

// TestAcceptanceChecksCatchDefects is the proof of the checks that no defect is named for, since they count what other defects lead
// to: by a load of as many events as the contract's sample has, each fails with one of these.
func TestAcceptanceChecksCatchDefects(t *testing.T) {
	t.Parallel()
	caught := map[string]string{
		"acceptance.rate":         "no-retry-5xx",
		"acceptance.absorbed":     "id-new-on-retry",
		"acceptance.dead-letters": "dlq-no-reason",
	}
	well := load(t, "")
	for check, defect := range caught {
		t.Run(check, func(t *testing.T) {
			t.Parallel()
			if of := outcome(well, check); of != judge.Pass {
				t.Errorf("%s of the correct sender: %s", check, of)
			}
			if of := outcome(load(t, defect), check); of != judge.Fail {
				t.Errorf("%s with %s: %s, want %s", check, defect, of, judge.Fail)
			}
		})
	}
}

func load(t *testing.T, defect string) *scenarios.Result {
	t.Helper()
	return virtual.Run(t, virtual.Config{NewSender: inprocess.Virtual(defect), Restarts: true, Select: []string{"acceptance/mixed-load"}})
}

func outcome(r *scenarios.Result, check string) judge.Outcome {
	i := slices.IndexFunc(r.Verdicts, func(v judge.Verdict) bool { return v.Check == check })
	if i < 0 {
		return ""
	}
	return r.Verdicts[i].Outcome
}
