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
	sc.Play = afterRush(k.each(plan("endless, 200"), plan("endless(status=503), 200"), plan("endless(status=404), 200"), plan("200")))
	return sc
}
