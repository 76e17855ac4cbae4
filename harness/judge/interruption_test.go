package judge_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// TestAnInterruptionMakesNoFailure: where nothing of ours listened for a time, and what came then was refused, a verdict may open, but what
// passed never fails. It may for a sender that another check does not clear in that scenario: what that one can no longer see is then
// nobody's but its own.
func TestAnInterruptionMakesNoFailure(t *testing.T) {
	t.Parallel()
	var all []*archive
	for _, path := range archives(t) {
		all = append(all, openArchive(t, path))
	}
	rapid.Check(t, func(rt *rapid.T) {
		a := rapid.SampledFrom(all).Draw(rt, "archive")
		before := judge.Judge(a.c, a.run)
		from := time.Duration(rapid.Int64Range(0, int64(a.run.Last())).Draw(rt, "from"))
		run := refused(a.run, from, time.Duration(rapid.Int64Range(int64(from), int64(nextAct(a.run, from))).Draw(rt, "to")))
		for i, v := range judge.Judge(a.c, run) {
			if before[i].Outcome == judge.Pass && cleared(before, v) && len(alarms([]judge.Verdict{v})) > 0 {
				rt.Fatalf("%s: an interruption alone makes %s %s: %s", a.path, v.Check, v.Outcome, v.Because)
			}
		}
	})
}

// cleared tells whether no other check of the verdict's scenario says that the sender is wrong; nor, where events are missing, that it
// may be.
func cleared(verdicts []judge.Verdict, of judge.Verdict) bool {
	return !slices.ContainsFunc(verdicts, func(v judge.Verdict) bool {
		doubted := v.Outcome == judge.Inconclusive && of.Check == "durable.no-loss"
		return v.Scenario == of.Scenario && (v.Outcome == judge.Fail || doubted)
	})
}

// nextAct is when the harness does something next, which it cannot while it does not run.
func nextAct(run *evidence.Run, from time.Duration) time.Duration {
	next := run.Last() + time.Millisecond
	for i := range run.Acts {
		if at := run.Acts[i].Called; at > from {
			next = min(next, at)
		}
	}
	return next
}

// refused is a run in which nothing listened for a time: of what came then there is no record. Attempts with another answer than 5xx are
// left, since a sender would have done otherwise after them, had they been refused.
func refused(run *evidence.Run, from, to time.Duration) *evidence.Run {
	out := *run
	out.Attempts = slices.DeleteFunc(slices.Clone(run.Attempts), func(a evidence.Attempt) bool {
		return a.Outcome != nil && a.Outcome.Status >= 500 && from <= a.FirstByte && a.FirstByte <= to
	})
	out.Acts = append(
		slices.Clone(run.Acts), evidence.Act{Act: evidence.ActDown, Called: from, Returned: from}, evidence.Act{Act: evidence.ActUp, Called: to, Returned: to},
	)
	return &out
}
