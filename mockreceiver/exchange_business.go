package mockreceiver

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Business implements fault.Exchange.
func (x *exchange) Business(w fault.Write) bool {
	if x.endpoint == nil {
		return x.record()
	}
	if x.endpoint.Business == business.None {
		return x.record() && (w.Work == 0 || x.wait(w.Work, nil))
	}
	head, _ := evidence.ParseHead(x.arrival.Head) // an error comes with what could be read
	payload, done := x.r.decoder.payload(head, x.arrival.Body)
	x.about = x.endpoint.event(x.event, payload)
	done()
	x.about.Reason = x.arrival.Reason
	if x.endpoint.Business == business.Inbox {
		x.about.At, x.about.Work = time.Now(), w.Work // the work is the worker's, and no answer waits for it
		defer func() { x.endpoint.inbox.Load().wake() }()
		return x.commit(w.Fail)
	}
	work := w.Work
	if x.about.Ignored {
		work = 0
	}
	for {
		g, leads := x.r.gates.enter(x.arrival.Endpoint, x.about.Key, work > 0)
		if g == nil {
			return x.commit(w.Fail)
		}
		if leads {
			return x.lead(g, work, w.Fail)
		}
		done, ok := x.await(g)
		if !ok {
			return false
		}
		if done {
			work = 0
		}
	}
}

// lead does the slow work and the write behind a shut gate.
func (x *exchange) lead(g *gate, work time.Duration, fail bool) (ok bool) {
	defer func() { x.r.gates.leave(g, ok) }()
	// The work goes on when the peer hangs up, as a subscriber's would.
	return x.record() && x.wait(work, nil) && x.commit(fail)
}

// await waits for the one who works on the same event, with the own arrival on disk. done tells whether that one committed.
func (x *exchange) await(g *gate) (done, ok bool) {
	if !x.record() {
		return false, false
	}
	defer x.delaying()()
	select {
	case <-g.open:
		return g.committed, true
	case <-x.r.ctx.Done():
		return false, false
	}
}

// commit runs the business write, together with the arrival if that is not on disk yet.
func (x *exchange) commit(fail bool) bool {
	j := &job{
		scenario: x.arrival.Scenario,
		write:    &businessJob{arrival: x.arrival, Write: business.Write{Event: x.about, Fail: fail}},
	}
	if !x.recorded {
		j.arrival = x.arrival
	}
	x.saved(x.r.commits.do(j))
	return x.failed == nil
}
