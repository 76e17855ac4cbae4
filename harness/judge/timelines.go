package judge

import (
	"slices"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// Timelines returns what became of each event at each endpoint, in the order of the scenarios and their emits, with the
// bounds that the contract sets. Requests that cannot be told to belong to an event are left out.
func Timelines(c *contract.Contract, run *evidence.Run) []Timeline {
	return newTrial(c, run).timelines()
}

func (t *trial) timelines() []Timeline {
	var out []Timeline
	for _, v := range t.views {
		for _, e := range v.events {
			if e.maybe && len(e.requests) == 0 {
				continue
			}
			out = append(out, e.timeline())
		}
	}
	return out
}

// Final states of a timeline.
const (
	finalDelivered = "delivered"
	finalDead      = "dead-lettered"
	finalPending   = "pending"
	finalLost      = "lost"
	finalRefused   = "refused"
)

func (e *event) timeline() Timeline {
	tl := Timeline{
		Scenario: e.v.sc.Name, Endpoint: e.endpoint, Marker: e.marker, Event: e.emit.Event, Type: e.emit.Type,
		Emitted: e.emit.Called, Accepted: e.emit.Returned, Attempts: []TimelineAttempt{}, Final: e.final(),
	}
	if _, late, ok := e.deadline(); ok {
		tl.Deadline = late
	}
	for _, r := range e.requests {
		if id := r.ids.first(); id != "" {
			tl.Event = id
			break
		}
	}
	for _, r := range e.requests {
		tl.Attempts = append(tl.Attempts, e.draw(r))
	}
	if n := len(e.dead); n > 0 {
		tl.DeadLetter = e.dead[n-1]
	}
	return tl
}

func (e *event) draw(r *request) TimelineAttempt {
	a := TimelineAttempt{
		Record: r.a.N, Number: r.number, Round: r.round, Class: r.class,
		Start: r.a.FirstByte, End: r.a.FirstByte, At: r.a.Wall, Ending: "unknown",
	}
	if o := r.a.Outcome; o != nil {
		a.End = max(o.ReplyEnd, o.Closed, r.a.FirstByte)
		if o.End == evidence.EndComplete && o.ReplyEnd > 0 {
			a.End = o.ReplyEnd
		}
		a.Fault, a.Status, a.Ending = o.Fault, o.Status, o.End
	}
	if f := e.v.effectOf[r.a.Seq]; f != nil {
		a.Effect = f.Result
	}
	if r.class == classAttempt && e.v.t.c.Schedule != nil {
		e.bound(&a, r)
		a.Off = e.off(r)
	}
	return a
}

// bound fills in when the contract allowed an attempt to start. What spans an outage has no bounds.
func (e *event) bound(a *TimelineAttempt, r *request) {
	k := r.number
	if e.v.observed() || !e.v.t.c.Schedule.Stepped() || k > e.v.t.c.Schedule.Count() || e.v.interrupted(e.endpoint, span{e.emit.Called, r.a.FirstByte}) != nil {
		return
	}
	if k == 1 {
		b := e.ordinary(1)
		a.Earliest, a.Latest = e.emit.Called+b.Min, e.emit.Returned+b.Max
		e.allow(a, k, b)
		return
	}
	p := e.tries[k-2]
	b, _ := e.next(k - 1)
	from, until := p.earliestEnd(), p.latestEnd()
	if e.v.t.c.Schedule.MeasuredFrom == contract.FromStart {
		from, until = p.a.FirstByte, p.a.FirstByte
	}
	a.Earliest, a.Latest = from+b.Min, until+b.Max
	if _, late, ok := e.deadline(); ok {
		a.Latest = min(a.Latest, late)
	}
	e.allow(a, k, b)
}

// allow fills in how far the bounds of attempt k may be exceeded.
func (e *event) allow(a *TimelineAttempt, k int, b contract.Band) {
	a.Give = e.gapTo(k).give
	if e.v.boundedAbove(max(b.Min, e.v.nominal(k))) {
		a.Allowance = e.v.t.allowance
	}
}

// off tells how an attempt of the schedule breaks a bound, as far as a check that the scenario lists judges it.
func (e *event) off(r *request) string {
	v, k := e.v, r.number
	if k > v.t.c.Schedule.Count() {
		return ""
	}
	if _, late, ok := e.deadline(); ok && v.lists("budget.deadline") &&
		r.start()+v.advanced(span{e.emit.Returned, r.a.FirstByte}) > late+v.t.allowance {
		return OffDeadline
	}
	g := e.gapTo(k)
	b, judged := e.ordinary(k), v.lists("backoff.bounds") && v.notOrdinary(e, k, g) == ""
	if k > 1 {
		if next, a := e.next(k - 1); (a.honoured || a.bad) && !a.vague {
			b, judged = next, v.lists("backoff.retry-after") && e.judgeable(k, g) == ""
		}
	}
	switch {
	case !judged || v.outOfBand(e, k, g, b) == "":
		return ""
	case g.longest < b.Min-g.give:
		return OffEarly
	}
	return OffLate
}

// final says what became of the event. It is lost only if the watch outlasted all that the contract allows.
func (e *event) final() string {
	due, known := e.settles()
	if s := e.v.t.c.Schedule; s != nil {
		due += s.TerminalDue()
	}
	last := e.lastLog()
	switch {
	case !e.emit.OK():
		return finalRefused
	case e.delivered() > 0 || e.replayed() == replayDelivered:
		return finalDelivered
	case e.terminal() != 0:
		return finalDead
	case last != nil && last.State == evidence.StatePending, !known, e.v.watched() < due+e.v.t.allowance:
		return finalPending
	case slices.ContainsFunc(e.requests, func(r *request) bool { return r.a.Outcome == nil }), e.mayBeHeld(due):
		return finalPending
	default:
		return finalLost
	}
}
