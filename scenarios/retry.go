package scenarios

import (
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func (k kit) retryStatus() drive.Scenario {
	var plans []fault.Plan
	// Answers of different bodies, so that a digest of another one shows in the log.
	for _, s := range k.transient(500, 501, 502, 503, 504, 505, 599, 429, 408, 409, 423, 425) {
		plans = append(plans, plan(`%d(body="answer %d"), 200(body="thanks")`, s, s))
	}
	for _, s := range k.transient(502) {
		plans = append(plans, plan("%d*2, 200", s), plan("%d*3, 200", s))
	}
	return drive.Scenario{
		Name:   "retry/transient-status",
		Title:  "One to three answers that the contract calls transient, then success",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success(), "backoff.bounds"),
		Play:   k.each(plans...),
		Watch:  k.window(),
	}
}

func (k kit) retryTimeout() drive.Scenario {
	return drive.Scenario{
		Name:   "retry/timeout",
		Title:  "The receiver hangs past the sender's timeout without a byte of answer, then recovers",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success(), "timeout.request"),
		Play:   k.each(plan("timeout, 200"), plan("timeout*2, 200")),
		Watch:  k.window(),
	}
}

func (k kit) retryReset() drive.Scenario {
	return drive.Scenario{
		Name:   "retry/reset-before-response",
		Title:  "The connection is reset after the request was read, then the receiver recovers",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: without(retried(success()), "log.state"), // a retry may look like the HTTP library's own resend
		Play:   k.each(plan("reset, 200"), plan("reset*2, 200")),
		Watch:  k.window(),
	}
}

func (k kit) retryPermanent() drive.Scenario {
	var plans []fault.Plan
	for _, s := range k.permanent(400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 423, 425, 451, 501, 505) {
		plans = append(plans, plan(`%d(body="answer %d")`, s, s))
	}
	sc := drive.Scenario{
		Name:   "retry/permanent-status",
		Title:  "Answers that the contract calls permanent",
		Paths:  []drive.Path{drive.First},
		Checks: settled("retry.permanent", "outcome.failure", "dlq.entry", "dlq.hint"),
		Play:   k.each(plans...),
		Watch:  k.window(),
	}
	if len(plans) == 0 {
		sc.NotRun = "the contract calls none of the usual 4xx permanent"
	}
	return sc
}
