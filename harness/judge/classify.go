package judge

import (
	"bytes"
	"math"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// classify sorts an event's requests into copies of ours, resends of the sender's HTTP library, attempts of the schedule
// and attempts of each replay, and numbers the attempts.
func (e *event) classify() {
	calls := e.replayCalls()
	var before *request
	for _, r := range e.requests {
		calls = e.openRounds(calls, r.a.FirstByte)
		if r.a.Origin == evidence.OriginHarness {
			r.class = classCopy
			continue
		}
		if before != nil && e.v.t.resends(before, r, e.waitBefore(before, r)) {
			r.class, r.round = classTransport, before.round
			before.resent = r
			before = r
			continue
		}
		if before != nil && e.v.t.resends(before, r, math.MaxInt64) {
			e.unsure = append(e.unsure, r)
		} else if before != nil && e.v.jumbled(before, r) {
			e.unsure = append(e.unsure, r)
		}
		before = r
		e.place(r)
	}
	e.openRounds(calls, math.MaxInt64)
}

// deadOnArrival is how soon after a request was read its hang-up is seen, if the sender had hung up before.
const deadOnArrival = 20 * time.Millisecond

// dead tells whether the sender had given a request up before it was read.
func (r *request) dead() bool {
	return r.hungUp() && r.a.Outcome != nil && r.a.Outcome.Closed-r.a.FirstByte < deadOnArrival
}

// jumbled tells whether p and r, which arrived one after the other, may have been sent the other way round: both waited while sender or
// receiver stood still, and the sender had given one of them up by then. They are read in any order. So is what waited alone, on a
// connection of its own that was there before p: no measure of the whole receiver need show that.
func (v *view) jumbled(p, r *request) bool {
	switch {
	case !p.dead() && !r.dead():
		return false
	case r.dead() && r.start() < p.a.FirstByte:
		return true
	}
	return slices.ContainsFunc(v.t.hiding, func(n noisy) bool {
		return v.hiddenBy(&n) && n.touches(span{p.a.FirstByte, p.a.FirstByte}) && n.touches(span{r.a.FirstByte, r.a.FirstByte})
	})
}

// replayCalls lists the accepted replay calls that may concern the event, in order.
func (e *event) replayCalls() []*evidence.Act {
	var calls []*evidence.Act
	for _, a := range e.v.replayed {
		if a.Called < e.emit.Called {
			continue
		}
		mine := a.Marker == e.marker && a.Marker != "" || a.Marker == "" && a.Event == ""
		for _, id := range e.known {
			mine = mine || a.Marker == "" && a.Event == id
		}
		if mine && (a.Endpoint == "" || a.Endpoint == e.endpoint) {
			calls = append(calls, a)
		}
	}
	return calls
}

// openRounds opens a round for each call up to t and returns the rest. A call for a range of dead letters opens none while the
// event's own schedule may still run: what comes then is an attempt of that.
func (e *event) openRounds(calls []*evidence.Act, t time.Duration) []*evidence.Act {
	for len(calls) > 0 && calls[0].Called <= t {
		if a := calls[0]; a.Act == evidence.ActReplay || e.over(a.Called) {
			e.replays, e.again = append(e.replays, a), append(e.again, nil)
		}
		calls = calls[1:]
	}
	return calls
}

// over tells whether the event's schedule had ended by t: by a success, for good, or because nothing more was to come.
func (e *event) over(t time.Duration) bool {
	n := len(e.tries)
	s := e.v.t.c.Schedule
	if n == 0 {
		due, known := e.settles()
		return known && due < t
	}
	last := e.tries[n-1]
	if got := e.v.read(last); got.onlySuccess() || got.onlyPermanent() {
		return last.latestEnd() <= t
	}
	if s == nil || n >= s.Count() {
		return s != nil
	}
	if _, late, ok := e.deadline(); ok && late < t {
		return true
	}
	b, _ := e.next(n)
	return last.latestEnd()+b.Max+e.v.t.allowance < t
}

func (e *event) place(r *request) {
	for k := len(e.replays); k > 0; k-- {
		if r.a.FirstByte >= e.replays[k-1].Called {
			e.again[k-1] = append(e.again[k-1], r)
			r.class, r.round, r.number = classReplay, k, len(e.again[k-1])
			return
		}
	}
	e.tries = append(e.tries, r)
	r.class, r.round, r.number = classAttempt, 0, len(e.tries)
}

// waitBefore returns how long after our close of p its retry r comes at least, if r is the event's next attempt; without a limit
// where no schedule bounds it. Where waits run from the start of an attempt, which the sender began somewhat before we saw it,
// what p took goes off.
func (e *event) waitBefore(p, r *request) time.Duration {
	s := e.v.t.c.Schedule
	if s == nil || e.replayedBy(r.a.FirstByte) {
		return math.MaxInt64
	}
	wait := s.Wait(len(e.tries) + 1).Min
	if s.MeasuredFrom != contract.FromEnd {
		wait -= p.latestEnd() - p.a.FirstByte + e.v.t.allowance
	}
	return wait
}

// resends tells whether r is the HTTP library's own resend of p and no attempt of the sender's: the same bytes on another
// connection, right after our close of one that was pooled, and no byte of a reply; or, on any connection, after
// HTTP/2 had said that nothing was processed.
// What comes no sooner than the next attempt may come is that attempt: within one second a retry has the same signed time,
// so its bytes cannot tell it from a resend, and a library resends at once.
func (t *trial) resends(p, r *request, wait time.Duration) bool {
	o := p.a.Outcome
	if o == nil || o.ReplyStart != 0 {
		return false
	}
	closed := (o.End == evidence.EndReset || o.End == evidence.EndClosed) && p.a.Pooled() && p.a.Conn.ID != r.a.Conn.ID
	if !o.NotProcessed && !closed {
		return false
	}
	since := r.a.FirstByte - o.Closed
	near := -t.allowance <= since && since <= t.allowance && since < wait
	return near && bytes.Equal(p.a.Head, r.a.Head) && p.sameBytes(r) && bytes.Equal(p.a.Trailer, r.a.Trailer)
}

// emitted bounds when the sender accepted the event.
func (e *event) emitted() span { return span{e.emit.Called, e.emit.Returned} }

// deadline returns the earliest and the latest reading of the instant after which no attempt may start.
func (e *event) deadline() (earliest, latest time.Duration, ok bool) {
	s := e.v.t.c.Schedule
	if s == nil || s.Deadline <= 0 {
		return 0, 0, false
	}
	return e.emit.Called + s.Deadline, e.emit.Returned + s.Deadline, true
}

// replayedBy tells whether a replay was called before t, after which an attempt of the schedule cannot be told from it.
func (e *event) replayedBy(t time.Duration) bool {
	return len(e.replays) > 0 && e.replays[0].Called <= t
}
