package mockreceiver

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// farewell is how long a peer may go on sending after an answer that left its body unread. Closed at once, the unread bytes
// would turn the end into a reset, which can take the answer with it. net/http gives as long.
const farewell = 500 * time.Millisecond

// early picks the step from the head alone, where a plan of the endpoint wants that.
func (x *exchange) early() {
	a := x.arrival
	if x.endpoint == nil || !x.endpoint.eager.Load() {
		return
	}
	if _, ours := x.r.own.of(ownAddr{a.Conn.Listener, a.Conn.Remote}); ours {
		return
	}
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	if x.endpoint.greeter.byHead(head) {
		return
	}
	id, from := x.r.eventID(head, nil)
	p, key, from, ok := x.endpoint.nextByHead(id, from, x.r.now(), x.matcher(head, id, nil))
	if !ok {
		return
	}
	a.Key, a.KeyFrom, x.picked = key, from, true
	x.take(p)
	x.intake, _ = x.step.Intake()
	if !expects(x.req) {
		x.intake.Mute, x.intake.Wait = false, 0
	}
}

// expects tells whether a peer waits for 100 Continue, by net/http's reading of it.
func expects(req *http.Request) bool {
	return strings.EqualFold(req.Header.Get("Expect"), "100-continue") && req.ProtoAtLeast(1, 1) && req.ContentLength != 0
}

// prepare acts out what a step does before the body is read. It returns false where the body is not read at all.
func (x *exchange) prepare() bool {
	if x.intake.Unread && x.req.ContentLength != 0 {
		x.readPart(x.intake.Most)
		_ = http.NewResponseController(x.w).EnableFullDuplex() // HTTP/1 always can; else net/http would read the body first
		x.r.deadline(x.conn, 0)                                // nobody waits for the body
		return false
	}
	if x.intake.Mute && x.stream == nil {
		x.conn.mute()
	}
	if x.intake.Wait > 0 {
		x.wait(x.intake.Wait, nil)
	}
	return true
}

// readPart takes in the first bytes of a body and leaves the others where they are.
func (x *exchange) readPart(most int64) {
	a := x.arrival
	a.BodySHA256, a.BodyErr = emptySum, "the body was left unread on purpose"
	if most == 0 {
		return
	}
	x.bodyWithin(x.r.cfg.BodyTimeout)
	x.goOn()
	b := x.r.readBody(x.from(io.LimitReader(x.req.Body, most)), x.bodyLater)
	x.taken = b.taken
	a.Body, a.BodySize, a.BodySHA256 = b.bytes, b.size, b.sum
	if b.err != nil {
		a.BodyErr += ", and not all of its beginning came: " + b.err.Error()
	}
}

// paced is the request with its body as slow as the step wants it.
func (x *exchange) paced() *http.Request {
	if x.intake.Pace.Bytes == 0 {
		return x.req
	}
	return x.from(&slowReader{x: x, from: x.req.Body, pace: x.intake.Pace})
}

// from is the request with its body by way of another reader.
func (x *exchange) from(body io.Reader) *http.Request {
	req := *x.req
	req.Body = io.NopCloser(body)
	return &req
}

// acted is the kind of fault that is really acted out by the step.
func (x *exchange) acted() string {
	in, eager := x.step.Intake()
	switch {
	case !eager || x.intake == in:
		return x.step.Kind()
	case !x.picked && x.arrival.Origin == "" && x.refuse == 0: // what is refused has no step to act out
		x.r.trouble(x.arrival.Scenario, "step "+x.step.String()+" came too late: the head does not tell which event it is for")
	}
	return x.step.Late()
}

// leave closes a connection whose peer may still be sending, so that it can read its answer.
func (x *exchange) leave() {
	if x.out.Closed == 0 {
		x.out.Closed = x.r.now()
	}
	if !x.hijack() {
		return
	}
	defer x.conn.Close() //nolint:errcheck // it is being thrown away
	half, ok := x.conn.Conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	x.conn.mu.Lock()
	x.conn.ours = true
	x.conn.mu.Unlock()
	x.r.deadline(x.conn, farewell)
	buf := make([]byte, 32<<10)
	for {
		if _, err := x.conn.Read(buf); err != nil {
			return
		}
	}
}
