package mockreceiver

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// receive is the data listener's only handler: every request, whatever its path, is recorded and answered as planned. A
// request to a path without an endpoint is recorded with an empty endpoint and answered 404.
func (r *Receiver) receive(w http.ResponseWriter, req *http.Request) {
	if !r.begin(&r.handlers) {
		hangUp(w)
		return
	}
	defer r.handlers.Done()
	if req.URL.Path == r.probes.path {
		r.probed(w, req)
		return
	}
	r.meter.open.Add(1)
	defer r.meter.open.Add(-1)
	var x *exchange
	defer func() {
		if p := recover(); p != nil {
			r.trouble(x.scenario(), fmt.Sprintf("receiver panicked: %v at %s", p, lastFrame(debug.Stack())))
			x.rescue(w)
		}
	}()
	x, err := r.arrive(w, req)
	if err != nil {
		r.trouble("", err.Error())
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	defer r.budget.give(x.taken)
	x.run()
}

// arrive reads a request to its end and finds out whose it is and how it is to be answered.
func (r *Receiver) arrive(w http.ResponseWriter, req *http.Request) (*exchange, error) {
	conn, err := connOf(req)
	if err != nil {
		return nil, err
	}
	raw, number, ok := conn.claim()
	if !ok {
		return nil, fmt.Errorf("request %d on connection %d: its raw head was not seen", number, conn.id)
	}
	x := &exchange{r: r, w: w, req: req, conn: conn, last: raw.odd}
	x.arrival = &evidence.Arrival{
		Conn: conn.describe(number, req.Proto), FirstByte: raw.first, Wall: raw.wall.UTC().Round(0), Head: raw.bytes,
	}
	x.takeIn(raw.conflict)
	return x, nil
}

// takeIn finds out whose request it is, reads it to its end, and picks the step. conflict tells that the head frames the body
// in two ways.
func (x *exchange) takeIn(conflict bool) {
	if e := x.r.endpoints.at(x.conn.of.Name, x.req.URL.Path); e != nil {
		x.enter(e)
		x.arrival.Endpoint, x.arrival.Scenario = e.Name, e.Scenario
	}
	if !conflict {
		x.early()
	}
	if x.prepare() {
		x.readBody(conflict)
	}
	x.choose()
}

// readBody reads the body unless the head cannot be trusted to say where it ends. Where it is not read to its end the
// deadline stays: net/http reads on for a while after the answer, and must not do so for ever.
func (x *exchange) readBody(conflict bool) {
	a := x.arrival
	here := x.stream == nil && x.intake.Pace.Bytes == 0 && x.conn.allHere() // nothing is waited for, and a deadline costs as much as a read
	if !here {
		x.bodyWithin(x.r.cfg.BodyTimeout)
	}
	if conflict {
		a.BodySHA256 = emptySum
		a.BodyErr = "Content-Length and Transfer-Encoding both frame the body"
		x.refuse = http.StatusBadRequest
		return
	}
	x.goOn()
	b := x.r.readBody(x.paced(), x.bodyLater)
	end := x.r.now()
	x.taken, x.refuse = b.taken, b.refuse
	a.Body, a.BodySize, a.BodySHA256, a.Trailer = b.bytes, b.size, b.sum, x.trailer()
	if b.err == nil {
		a.BodyEnd = end
		if x.stream != nil {
			a.BodyEnd = x.r.since(x.stream.BodyEnd())
		}
		if !here {
			x.bodyWithin(0)
		}
		return
	}
	a.BodyErr = b.err.Error()
	if b.refuse == http.StatusServiceUnavailable {
		x.r.trouble(a.Scenario, fmt.Sprintf("request to %s refused: %v", a.Endpoint, b.err))
	}
	switch {
	case b.refuse != 0:
	case errors.Is(b.err, os.ErrDeadlineExceeded):
		x.refuse = http.StatusRequestTimeout
	default:
		x.refuse = http.StatusBadRequest // the peer cut it short, or its chunks make no sense
		x.conn.distrust()
	}
}

// trailer is what came behind the body, which was read as far as it was.
func (x *exchange) trailer() evidence.Raw {
	switch {
	case x.stream != nil:
		return streamTrailer(x.stream)
	case x.req.ContentLength < 0: // in chunks: nothing else has one
		return x.conn.trailer(x.arrival.Conn.Request)
	default:
		return nil
	}
}

// bodyWithin sets how long the peer may take for the body; 0: as long as it likes.
func (x *exchange) bodyWithin(d time.Duration) {
	x.bodyBy = time.Time{}
	if d > 0 {
		x.bodyBy = time.Now().Add(d)
	}
	if x.stream != nil {
		x.stream.ReadBy(d)
		return
	}
	x.r.deadline(x.conn, d)
}

// bodyLater gives the peer so much more time for the body, if it was limited: that much it has waited for us.
func (x *exchange) bodyLater(ours time.Duration) {
	if !x.bodyBy.IsZero() {
		x.bodyWithin(max(time.Until(x.bodyBy)+ours, 1)) // 0 would be no limit
	}
}

// deadline sets how long the peer may take for its next bytes; 0: as long as it likes.
func (r *Receiver) deadline(c *wireConn, d time.Duration) {
	var at time.Time
	if d > 0 {
		at = time.Now().Add(d)
	}
	_ = c.SetReadDeadline(at) // a dead connection shows itself at the next read
	if r.ctx.Err() != nil {
		c.interrupt()
	}
}

// choose fills in whose request it is and picks the step. A request that is refused takes its step all the same, since it
// is an attempt; copies of our own take none.
func (x *exchange) choose() {
	a := x.arrival
	head, err := evidence.ParseHead(a.Head)
	if err != nil && a.BodyErr == "" {
		a.BodyErr = "head: " + err.Error()
	}
	payload, done := x.r.decoder.payload(head, a.Body)
	defer done()
	id := x.r.identify(x.endpoint, head, payload, a.BodySHA256)
	x.event = id.event
	if !x.picked {
		a.Key, a.KeyFrom = id.key, id.from
	}
	a.VerifiedBy = x.r.issued.verifiedBy(x.endpoint, head, a.Body)
	defer x.verify(head) // once it is known whether it is the sender's or a copy of ours
	if order, ok := x.r.own.of(ownAddr{a.Conn.Listener, a.Conn.Remote}); ok {
		a.Origin, a.Reason, x.order = evidence.OriginHarness, order.reason, order
		x.take(pick{step: order.as})
		return
	}
	if x.greet(head, payload) {
		return
	}
	switch {
	case x.picked:
	case x.endpoint == nil:
		x.take(pick{step: fault.Step{Fault: fault.Status{Code: http.StatusNotFound, Body: "not found\n"}}})
	default:
		x.take(x.endpoint.next(id.key, id.event, x.r.now(), x.matcher(head, id.key, payload)))
	}
	x.r.meter.arrived(x)
}

// trouble records that something went wrong on our side.
func (r *Receiver) trouble(scenario, what string) {
	r.commits.later(scenario, &evidence.Trouble{Scenario: scenario, At: r.now(), What: what})
}

// hangUp closes a connection without an answer, because the receiver is closing.
func hangUp(w http.ResponseWriter) {
	if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = c.Close() // it is being thrown away
	}
}

// lastFrame is the place in a stack trace where the panic came from: the first file line after the runtime's own.
func lastFrame(stack []byte) string {
	_, after, _ := strings.Cut(string(stack), "panic(")
	lines := strings.Split(after, "\n")
	if len(lines) < 4 {
		return "an unknown place"
	}
	return strings.TrimSpace(lines[3])
}
