package mockreceiver

import (
	"net/http"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// restOfHead is how long to wait for more of a request of which one byte is there: senders write a head in one go.
const restOfHead = 50 * time.Millisecond

// rest ends the connection after its rest, as part of the exchange: its outcome is written when the end is known.
func (x *exchange) rest(l fault.Leave) {
	if !x.quiet(l.After) {
		x.conn.cut(x.step.Kind())
	}
	x.part(l.With, &x.out.Closed)
}

// awaitNext ends the connection at the next request, whose cut-off head is recorded as it closes. The exchange is over and
// its outcome written: the next request may be a long time coming. An idle connection ends as it would without the fault.
func (x *exchange) awaitNext() {
	with := fault.Closed
	if !x.quiet(x.r.cfg.IdleTimeout) {
		x.conn.cut(x.step.Kind())
		with = x.next
	}
	var closed time.Duration
	x.part(with, &closed)
}

// quiet lets d pass on an idle connection. It returns false as soon as the peer sends something; true also when the peer or
// the receiver goes.
func (x *exchange) quiet(d time.Duration) bool {
	_, rw, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		return true
	}
	// net/http may have read one byte ahead. The others are on their way or there, and are read as well: the head is evidence,
	// and what is left unread would turn a close into a reset.
	begun := rw.Reader.Buffered() > 0
	switch {
	case begun:
		d = restOfHead
	case d <= 0:
		return true
	}
	x.r.deadline(x.conn, d)
	n, _ := x.conn.Read(make([]byte, maxHead)) // an end or a deadline brings none
	return n == 0 && !begun
}

// part ends an idle connection, and says when, unless the peer did so before.
func (x *exchange) part(with fault.End, closed *time.Duration) {
	*closed = x.r.now()
	if gone := x.conn.peerGone(); gone != 0 {
		*closed = gone
	}
	if !x.shut(with) {
		x.unreset()
	}
}
