package scenarios

import (
	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func (k kit) retryStatus() drive.Scenario {
	var plans []fault.Plan
	for _, s := range k.transient(k.meant(k.c.Answers.Retry, contract.Transient)...) {
		plans = append(plans, k.plan(`%s, 200(body="thanks")`, answer(s)))
	}
	if len(plans) > 0 {
		plans = append(plans, k.plan("503*2, 200"), k.plan("503*3, 200"))
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
		Checks: k.fails(contract.ErrorTimeout, retried(success(), "timeout.request")),
		Play:   k.each(k.plan("timeout, 200"), k.plan("timeout*2, 200")),
		Watch:  k.window(),
	}
}

func (k kit) retryReset() drive.Scenario {
	return drive.Scenario{
		Name:   "retry/reset-before-response",
		Title:  "The connection is reset after the request was read, then the receiver recovers",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: k.fails(contract.ErrorConnection, without(retried(success()), "log.state")), // a retry may look like the HTTP library's own resend
		Play:   k.each(k.plan("reset, 200"), k.plan("reset*2, 200")),
		Watch:  k.window(),
	}
}

// retryBroken gives answers that are failures and no plain ones: cut, malformed, ended before their head, or behind interim ones.
func (k kit) retryBroken() drive.Scenario {
	plans := []fault.Plan{
		k.plan("close, 200"), k.plan("503, close, 200"), k.plan("malformed(status-line), 200"), k.plan("malformed(header), 200"),
	}
	for _, s := range k.transient(503) {
		plans = append(plans,
			k.plan("early-hints(count=2, status=%d), 200", s), k.plan("cut(after=3, status=%d), 200", s), k.plan("cut(status=%d, with=reset), 200", s),
			k.plan("wrong-length(+10, status=%d), 200", s), k.plan("malformed(chunk, status=%d), 200", s),
		)
	}
	if k.c.Answers.Needs != "" { // elsewhere either is right
		plans = append(plans, k.plan("cut(after=3), 200"), k.plan("cut(with=reset), 200"), k.plan("wrong-length(+10), 200"))
	}
	for _, s := range k.permanent(404) {
		plans = append(plans, plan("early-hints(status=%d)", s), k.plan("503, %d", s))
	}
	return drive.Scenario{
		Name:   "retry/broken-answer",
		Title:  "Failures that are cut, malformed, behind interim answers, or closed connections; then the receiver recovers",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: without(retried(success(), "outcome.failure", "retry.permanent"), "log.state"), // what of a broken answer is told is the sender's choice
		Play:   k.each(plans...),
		Watch:  k.window(),
	}
}

func (k kit) retryPermanent() drive.Scenario {
	var plans []fault.Plan
	for _, s := range k.meant(k.c.Answers.Permanent, contract.Permanent) {
		plans = append(plans, plan("%s", answer(s)))
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
		sc.NotRun = "the contract calls none of the usual statuses permanent"
	}
	return sc
}
