package scenarios

import (
	"github.com/hookassay/hookassay/harness/drive"
)

func (k kit) deliveryFirstTry() drive.Scenario {
	return drive.Scenario{
		Name:   "delivery/first-try",
		Title:  "Every kind of success is answered at the first attempt",
		Paths:  []drive.Path{drive.First},
		Checks: settled(success()...),
		Play:   k.each(plan(`200(body="ok")`), plan("201"), plan("202"), plan("203"), plan("204"), plan("206"), plan("299")),
		Watch:  k.window(),
	}
}
