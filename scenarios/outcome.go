package scenarios

import (
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func (k kit) outcomeRedirect() drive.Scenario {
	sc := drive.Scenario{
		Name:   "outcome/redirect",
		Title:  "Redirects, with and without a place to go to",
		Checks: settled("retry.permanent", "outcome.failure", "dlq.entry", "dlq.hint"),
		Paths:  []drive.Path{drive.First},
		Watch:  k.window(),
	}
	var plans []fault.Plan
	for _, s := range k.permanent(301, 302, 303, 304, 307, 308) {
		plans = append(plans, plan("%d", s))
		if s != 304 { // which is no redirect and never has a Location
			plans = append(plans, plan(`%d(header="Location: /elsewhere")`, s))
		}
	}
	if len(plans) == 0 || k.c.Answers.Redirects != "fail" {
		sc.NotRun = "the contract does not promise that a redirect is a failure"
		return sc
	}
	sc.Play = k.each(plans...)
	return sc
}
