package judge_test

import (
	"slices"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
)

// TestTimelinesAndVerdictsAgree wants every mark of a timeline to be a verdict's, and the marks that failed checks stand for.
func TestTimelinesAndVerdictsAgree(t *testing.T) {
	marks := map[string]bool{}
	for _, path := range archives(t) {
		a := openArchive(t, path)
		owner := map[string][]string{
			judge.OffEarly: {"backoff.bounds", "backoff.retry-after"}, judge.OffLate: {"backoff.bounds", "backoff.retry-after"},
			judge.OffDeadline: {"budget.deadline"},
		}
		verdicts := judge.Judge(a.c, a.run)
		for _, l := range judge.Timelines(a.c, a.run) {
			for _, x := range l.Attempts {
				if x.Off == "" {
					continue
				}
				marks[a.name] = true
				if !slices.ContainsFunc(verdicts, func(v judge.Verdict) bool {
					return v.Scenario == l.Scenario && slices.Contains(owner[x.Off], v.Check) && v.Outcome != judge.Pass
				}) {
					t.Errorf("%s: attempt %d of %s is %s, and none of %q says so:\n%s", path, x.Number, l.Event, x.Off, owner[x.Off], printed(verdicts))
				}
			}
		}
	}
	for _, name := range []string{"backoff.bounds_fail", "backoff.retry-after_fail", "budget.deadline_fail"} {
		if !marks[name] {
			t.Errorf("%s: no attempt is marked", name)
		}
	}
}
