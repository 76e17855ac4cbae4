package scenarios

import (
	"time"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func (k kit) budgetExhausted() drive.Scenario {
	return drive.Scenario{
		Name:   "budget/always-failing",
		Title:  "The receiver fails for ever: the attempts are used up",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(nil, "backoff.bounds", "budget.attempts", "outcome.failure", "dlq.entry"),
		// A plan that ends in success would hide an attempt too many.
		Play:  k.each(k.forEver()...),
		Watch: k.window(),
	}
}

// forEver are failures without an end. Some senders do not count an attempt that was told to wait, so one of them waits little.
func (k kit) forEver() []fault.Plan {
	plans := []fault.Plan{plan("500"), plan("502"), plan("503"), plan("503, 500, 502, 504")}
	for _, s := range k.transient(429) {
		plans = append(plans, plan("%d", s))
	}
	if s, why := k.honoured(); why == "" {
		plans = append(plans, plan("%d(retry-after=1)", s))
	}
	return plans
}

func (k kit) budgetBroken() drive.Scenario {
	return drive.Scenario{
		Name:   "budget/always-broken",
		Title:  "The receiver resets, closes, or cuts its answer for ever: the event ends among the dead letters",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: append(perRequest(), "durable.no-loss", "id.stable", "body.stable", "outcome.failure", "dlq.entry"),
		Play:   k.each(plan("reset"), plan("close"), plan("cut(status=503)"), plan("malformed(status-line)"), plan("503, reset, timeout, close")),
		Watch:  k.window(),
	}
}

func (k kit) budgetCut() drive.Scenario {
	return drive.Scenario{
		Name:   "budget/always-hanging",
		Title:  "The receiver hangs for ever: slow attempts and waits together reach the deadline",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(nil, "timeout.request", "budget.attempts", "budget.deadline", "outcome.failure", "dlq.entry"),
		Play:   k.each(plan("timeout")),
		Watch:  k.window(),
	}
}

func (k kit) budgetRetryAfterPastDeadline() drive.Scenario {
	sc := drive.Scenario{
		Name:   "budget/retry-after-past-deadline",
		Title:  "The receiver asks for a wait that ends after the deadline",
		Paths:  []drive.Path{drive.First},
		Checks: settled("budget.deadline", "outcome.failure"),
	}
	status, why := k.honoured()
	if why == "" && k.c.Schedule.Deadline == 0 {
		why = "the contract sets no deadline"
	}
	if why != "" {
		sc.NotRun = why
		return sc
	}
	r := seconds(k.c.Schedule.Deadline) + 2
	// For ever: a sender that clamps the first to its cap may come once more before the deadline, and must then give up.
	sc.Play = k.each(plan("%d(retry-after=%d)", status, r))
	sc.Watch = time.Duration(r)*time.Second + k.settle()
	return sc
}
