package mockreceiver

import (
	"fmt"
	"net/http"

	"github.com/hookassay/hookassay/harness/evidence"
)

// emptySum is the SHA-256 of no bytes.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// abandoned records the request heads of a closed connection that never reached a handler, because net/http refused them
// (conflicting lengths, a bad version), because they were never finished, or because the connection ended before their
// turn. They belong to a path's endpoint if that can be told, have no attempt number and no step of a plan.
func (r *Receiver) abandoned(c *wireConn) {
	defer r.conns.remove(c) // last, so that Close waits for what is submitted here
	if r.probes.ended(ownAddr{c.of.Name, c.remote}) {
		return
	}
	heads, log, incomplete := c.unclaimed()
	if len(heads) == 0 && c.claimed == 0 {
		r.unreadable(c)
		return
	}
	why := "the connection ended before the request was handled"
	status, fields := statusAndFields(log.head)
	refused := log.whole && status >= http.StatusBadRequest
	if refused && len(heads) > 1 {
		// net/http refused the first and closes, so that nobody can tell whether what came behind it was meant as requests.
		why = fmt.Sprintf("%s, and %d bytes behind it are taken for nothing", why, sizeOf(heads[1:]))
		heads, incomplete = heads[:1], false
	}
	for i, h := range heads {
		last := i == len(heads)-1
		a := &evidence.Arrival{
			Conn: c.describe(c.claimed+i+1, ""), FirstByte: h.first, Wall: h.wall.UTC().Round(0), Head: h.bytes,
			Body: evidence.Raw{}, BodySHA256: emptySum,
			KeyFrom: "none", BodyErr: why,
		}
		if last && incomplete {
			a.BodyErr = "the connection ended before the head was complete"
		}
		if head, err := evidence.ParseHead(h.bytes); err == nil {
			r.addressed(a, head)
		}
		o := &evidence.Outcome{Fault: FaultRefused, End: evidence.EndClosed, Closed: r.now()}
		gone, aborted, cutBy := c.fate()
		if cutBy != "" {
			o.Fault = cutBy
		}
		switch {
		case gone != 0:
			o.End, o.Closed = evidence.EndPeerGone, gone
		case r.ctx.Err() != nil:
			o.End = evidence.EndShutdown
		case aborted:
			o.End = evidence.EndReset
		}
		if refused {
			o.Status, o.Header = status, fields
			o.ReplyStart, o.ReplyEnd = log.start, log.end
		}
		r.meter.metrics.unhandled.Inc()
		r.commits.unhandled(a, o)
	}
}

func sizeOf(heads []rawHead) (n int) {
	for _, h := range heads {
		n += len(h.bytes)
	}
	return n
}

// addressed fills in what the head alone says.
func (r *Receiver) addressed(a *evidence.Arrival, h evidence.Head) {
	a.Conn.Proto = h.Proto
	if e := r.endpoints.at(a.Conn.Listener, pathOf(h.Target)); e != nil {
		a.Endpoint, a.Scenario = e.Name, e.Scenario
	}
	if id, from := r.eventID(h, nil); id != "" {
		a.Key, a.KeyFrom = id, from
	}
}
