package scenarios

import (
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// together is how many events fail at once to see the spread of their waits: with 30, a correct uniform sender falls below a
// quarter of the width with negligible chance.
const together = 30

func (k kit) backoffJitter() drive.Scenario {
	sc := drive.Scenario{
		Name:   "backoff/simultaneous-failures",
		Title:  "Thirty events fail together, attempt by attempt: their retries must spread",
		Checks: retried(success(), "backoff.bounds", "backoff.jitter"),
		Paths:  []drive.Path{drive.First, drive.Retry, drive.Burst},
		Watch:  k.window(),
	}
	s := k.c.Schedule
	if s == nil || s.Jitter == nil || s.Count() < 2 {
		sc.NotRun = "the contract declares no jitter"
		return sc
	}
	plans := make([]fault.Plan, together)
	for i := range plans {
		// Through to the last wait, the widest: which one can be judged depends on the noise.
		plans[i] = k.plan("503*%d, 200", s.Count()-1)
	}
	// A deadline that is near the schedule's end leaves no last wait to events whose first ones were late.
	sc.Play = afterRush(k.each(plans...))
	return sc
}
