package scenarios

import (
	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func (k kit) deliveryFirstTry() drive.Scenario {
	plans := []fault.Plan{
		plan(`200(body="ok")`), plan("200"), plan("201"), plan("202"), plan("203"), plan("204"), plan("205"), plan("206"), plan("207"),
		plan("226"), plan("299"), plan(`200(body="{\"ok\": false, \"error\": \"failed\", \"status\": 500}")`),
		plan(`202(body="<h1>500 error</h1>")`), plan("early-hints(count=2)"), plan(`200(header="Location: /elsewhere")`),
	}
	for _, s := range k.meant(k.c.Answers.Success, contract.Success) {
		if s > 299 { // what some senders take for a success as well
			plans = append(plans, plan("%d", s))
		}
	}
	return drive.Scenario{
		Name:   "delivery/first-try",
		Title:  "Every kind of success is answered at the first attempt",
		Paths:  []drive.Path{drive.First},
		Checks: settled(success()...),
		Play:   k.each(plans...),
		Watch:  k.window(),
	}
}
