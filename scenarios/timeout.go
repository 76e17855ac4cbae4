package scenarios

import "github.com/hookassay/hookassay/harness/drive"

// timeoutEndless gives answers without an end, as fast as they are taken, and then something to go on with.
func (k kit) timeoutEndless() drive.Scenario {
	sc := drive.Scenario{
		Name:   "timeout/endless-answer",
		Title:  "Answers whose bodies have no end, to a success and to a failure; then events that are answered as usual",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: request("timeout.response", "timeout.request", "id.stable", "body.stable", "retry.transient", "outcome.2xx"),
		Watch:  k.window(),
	}
	if k.c.Answers.MaxRead == 0 {
		sc.NotRun = "the contract does not say how much of an answer is taken"
		return sc
	}
	sc.Play = afterRush(k.each(k.plan("endless, 200"), k.plan("endless(status=503), 200"), k.plan("endless(status=404), 200"), k.plan("200")))
	return sc
}

// timeoutDrip gives answers that come slowly: a time limit that begins anew with each byte, or that covers only the wait for the head,
// never fires.
func (k kit) timeoutDrip() drive.Scenario {
	sc := drive.Scenario{
		Name:   "timeout/slow-answer",
		Title:  "Answers that come byte by byte without an end, that stall after their head, or of which there are only interim ones",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: request("timeout.request", "id.stable", "body.stable", "retry.transient"),
		Watch:  k.window(),
	}
	if k.c.Schedule == nil || k.c.Schedule.Timeout == 0 {
		sc.NotRun = "the contract sets no time limit for a request"
		return sc
	}
	// Half of the limit: often enough for a limit between two bytes, and no more bytes than a whole answer has.
	every := k.c.Schedule.Timeout / 2
	sc.Play = k.each(
		k.plan("drip(1, every=%s), 200", every), k.plan("drip(1, every=%s, status=503), 200", every),
		k.plan("drip(1, every=%s, status=404), 200", every),
		k.plan("stall(after=3), 200"), k.plan("stall(status=503), 200"),
		k.plan("interim(102), 200"), k.plan("interim(103), 200"),
	)
	return sc
}
