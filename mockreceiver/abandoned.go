package mockreceiver

import "github.com/hookassay/hookassay/harness/evidence"

// emptySum is the SHA-256 of no bytes.
const emptySum = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// abandoned records the request heads of a closed connection that never reached a handler, because net/http refused them
// (conflicting lengths, a bad version), because they were never finished, or because the connection ended before their
// turn. They belong to a path's endpoint if that can be told, have no attempt number and no step of a plan.
func (r *Receiver) abandoned(c *wireConn) {
	defer r.conns.remove(c) // last, so that Close waits for what is submitted here
	heads, log, incomplete := c.unclaimed()
	for i, h := range heads {
		last := i == len(heads)-1
		a := &evidence.Arrival{
			Conn: c.describe(c.claimed+i+1, ""), FirstByte: h.first, Wall: h.wall.UTC().Round(0), Head: h.bytes,
			Body: evidence.Raw{}, BodySHA256: emptySum,
			KeyFrom: "none", BodyErr: "the connection ended before the request was handled",
		}
		if last && incomplete {
			a.BodyErr = "the connection ended before the head was complete"
		}
		if head, err := evidence.ParseHead(h.bytes); err == nil {
			r.addressed(a, head)
		}
		o := &evidence.Outcome{Fault: "refused", End: evidence.EndClosed, Closed: r.now()}
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
		// net/http answers only the first that it refuses, and closes.
		if i == 0 && log.whole {
			o.Status, o.Header = statusAndFields(log.head)
			o.ReplyStart, o.ReplyEnd = log.start, log.end
		}
		r.commits.unhandled(a, o)
	}
}

// addressed fills in what the head alone says.
func (r *Receiver) addressed(a *evidence.Arrival, h evidence.Head) {
	a.Conn.Proto = h.Proto
	if e := r.endpoints.at(pathOf(h.Target)); e != nil {
		a.Endpoint, a.Scenario = e.Name, e.Scenario
	}
	if id, from := r.eventID(h, nil); id != "" {
		a.Key, a.KeyFrom = id, from
	}
}
