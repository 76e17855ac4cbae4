package mockreceiver

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/h2"
)

// exchange is one request and what is done with it. It is what faults act on.
type exchange struct {
	r        *Receiver
	w        http.ResponseWriter
	req      *http.Request
	conn     *wireConn
	stream   *h2.Stream // nil: HTTP/1
	endpoint *endpoint  // nil: the path has none
	arrival  *evidence.Arrival
	event    string         // its id, or what stands for it
	about    business.Event // for the business side
	step     fault.Step
	drawn    bool // the step was drawn from several; luck is what is left of the number
	luck     float64
	order    copyOrder    // of a copy of ours
	picked   bool         // the step was picked by the head alone
	intake   fault.Intake // what the step does before the body is read
	taken    int64        // bytes of the body budget
	bodyBy   time.Time    // when the body must be there; zero: it may take as long as it likes
	refuse   int          // status to answer instead of the step; 0: none
	last     bool         // the connection is of no use after it

	signature Signature // as found at arrival
	rejected  bool      // the endpoint answers 401 instead of the step

	greeting *fault.Reply // what a handshake gets instead of a step; nil: it is none
	greeted  string       // what the outcome says of it

	recorded bool  // the arrival is on disk
	failed   error // the journal could not be written
	out      evidence.Outcome
	next     fault.End // how the connection ends at its next request; empty: not so
	settled  bool      // the outcome is on its way to disk
	inside   bool      // it is counted in its endpoint
	over     bool      // the peer got its answer, or the connection ended
}

// run lets the step act and records what came of it.
func (x *exchange) run() {
	x.out.Fault = x.acted()
	switch {
	case x.refuse != 0:
		if x.intake == (fault.Intake{}) {
			x.out.Fault = FaultRefused
		}
		// Without this net/http would read the rest of the body first, which may never come.
		_ = http.NewResponseController(x.w).EnableFullDuplex() // HTTP/1 always can
		if x.record() {
			x.write(refusal(x.refuse))
		}
	case x.greeting != nil:
		x.answerHandshake(*x.greeting)
	case x.rejected:
		x.out.Fault = FaultRejected
		x.Reply(rejection())
	default:
		x.step.Act(x)
	}
	x.settle()
	if x.next != "" {
		x.awaitNext()
	}
}

// refusal is an answer that no plan asks for. What is over the budget may be tried again as soon as other bodies are done with.
func refusal(status int) fault.Reply {
	r := fault.Reply{Status: status}
	if status == http.StatusServiceUnavailable {
		r.Header = [][2]string{{"Retry-After", "1"}}
	}
	return r
}

// settle ends an exchange that its fault left open, and writes the outcome.
func (x *exchange) settle() {
	defer x.left()
	switch {
	case x.over:
	case x.r.ctx.Err() != nil:
		x.end(evidence.EndShutdown)
	case x.failed != nil:
		x.write(fault.Reply{Status: http.StatusInternalServerError, Header: [][2]string{{"Connection", "close"}}})
	case x.peerGone() != 0:
		x.end(evidence.EndPeerGone)
	default:
		x.r.trouble(x.arrival.Scenario, "fault "+x.step.String()+" left its request without an end")
		x.record()
		x.end(evidence.EndClosed)
	}
	if x.settled {
		return
	}
	x.settled = true
	x.r.meter.settled(x)
	if x.recorded {
		x.out.Of = x.arrival.Seq
		x.r.commits.later(x.arrival.Scenario, &x.out)
	}
}

// end closes the connection, or the stream.
func (x *exchange) end(how string) {
	x.over = true
	x.out.End, x.out.Closed = how, x.r.now()
	if gone := x.peerGone(); how == evidence.EndPeerGone && gone != 0 {
		x.out.Closed = gone
	}
	if x.stream != nil {
		return // it is reset as the handler returns
	}
	x.hijack()
	_ = x.conn.Close() // nobody is left to tell
}

// hijack takes the connection from net/http, whose answer would otherwise follow.
func (x *exchange) hijack() bool {
	_, _, err := http.NewResponseController(x.w).Hijack()
	return err == nil || errors.Is(err, http.ErrHijacked)
}

// scenario names the scenario for troubles; x may be nil.
func (x *exchange) scenario() string {
	if x == nil {
		return ""
	}
	return x.arrival.Scenario
}

// rescue answers after a panic, if nothing was answered yet.
func (x *exchange) rescue(w http.ResponseWriter) {
	if x == nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	if !x.over && x.record() {
		x.write(fault.Reply{Status: http.StatusInternalServerError, Header: [][2]string{{"Connection", "close"}}})
	}
	x.settle()
}

// record puts the arrival on disk before anything is done that the peer can see.
func (x *exchange) record() bool {
	if !x.recorded && x.failed == nil {
		x.saved(x.r.commits.do(&job{arrival: x.arrival, scenario: x.arrival.Scenario}))
	}
	return x.failed == nil
}

func (x *exchange) saved(err error) {
	x.recorded, x.failed = x.recorded || err == nil, err
	x.order.tell(x)
}

// Now implements fault.Exchange.
func (x *exchange) Now() time.Time { return time.Now() }

// Hold implements fault.Exchange. As in net/http, a peer that closes its half of the connection counts as gone.
func (x *exchange) Hold(d time.Duration) bool {
	if !x.record() {
		return false
	}
	if d <= 0 {
		return x.r.ctx.Err() == nil
	}
	return x.wait(d, x.req.Context().Done())
}

// wait lets d pass, which counts as delay of ours. It returns false if gone is closed or the receiver closes before; gone is
// nil where it does not matter whether the peer is still there.
func (x *exchange) wait(d time.Duration, gone <-chan struct{}) bool {
	defer x.delaying()()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-gone:
		return false
	case <-x.r.ctx.Done():
		return false
	}
}

// delaying counts the time until the function that it returns is called as delay of ours.
func (x *exchange) delaying() func() {
	from := x.r.now()
	return func() { x.out.Delay += x.r.now() - from }
}

// Hang implements fault.Exchange. Whatever the peer sends meanwhile is read and dropped.
func (x *exchange) Hang(d time.Duration) {
	if !x.record() {
		return
	}
	if x.stream != nil {
		x.hangStream(d)
		return
	}
	from := x.r.now()
	if !x.hijack() {
		return
	}
	x.r.deadline(x.conn, d)
	buf := make([]byte, 4096) // a peer that waits for an answer sends next to nothing
	for {
		if _, err := x.conn.Read(buf); err != nil {
			break
		}
	}
	x.out.Delay = x.r.now() - from
	switch {
	case x.r.ctx.Err() != nil:
		x.end(evidence.EndShutdown)
	case x.conn.peerGone() != 0:
		x.end(evidence.EndPeerGone)
	default:
		x.end(evidence.EndClosed)
	}
}

// Inject implements fault.Exchange.
func (x *exchange) Inject(k int, as fault.Step) bool {
	if !x.record() {
		return false
	}
	for range k {
		if !x.r.begin(&x.r.handlers) {
			return false
		}
		go func() {
			defer x.r.handlers.Done()
			if err := x.r.inject(x.r.ctx, x.arrival, copyOrder{as: as}); err != nil && !errors.Is(err, context.Canceled) && x.r.ctx.Err() == nil {
				x.r.trouble(x.arrival.Scenario, "copy of a request: "+err.Error())
			}
		}()
	}
	return true
}
