package scenarios

import (
	"net/http"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
)

func (k kit) effectBusinessFailure() drive.Scenario {
	sc := drive.Scenario{
		Name:   "effect/business-failure",
		Title:  "The receiver's business write fails inside its transaction, and succeeds at the redelivery",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success(), "effect.rollback"),
		Play:   k.each(k.plan("business-failure, 200"), k.plan("business-failure*2, 200")),
		Watch:  k.window(),
	}
	if k.c.Class(http.StatusInternalServerError) != contract.Transient {
		sc.NotRun = "the contract does not call a 500 transient, by which a receiver says that its business write failed"
	}
	return sc
}

func (k kit) effectLostAck() drive.Scenario {
	return drive.Scenario{
		Name:   "effect/lost-ack",
		Title:  "The receiver commits and its answer is lost: the redelivery is absorbed",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: without(retried(success(), "effect.once"), "log.state"), // whether the first answer arrived is not certain
		Play:   k.each(k.plan("lost-ack, 200"), k.plan("lost-ack*2, 200")),
		Watch:  k.window(),
	}
}

func (k kit) effectCopies() drive.Scenario {
	return drive.Scenario{
		Name:   "effect/concurrent-copies",
		Title:  "Sixteen copies of one request arrive at once, while the first is still at work",
		Paths:  []drive.Path{drive.First, drive.Burst},
		Checks: request(append(success(), "effect.once")...),
		// 100 ms of work: long enough that all copies are in, well below a sender's timeout.
		Play:  k.each(k.plan("200(copies=16, work=100ms)"), k.plan("200(copies=16)")),
		Watch: k.window(),
	}
}
