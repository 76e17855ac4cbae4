package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// "So many attempts are made, the first included, unless the deadline comes first." Only deliveries with transient failures
// and at least one retry count; no retry at all is retry.transient's.
func budgetAttempts(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		v.countAttempts(t, e)
	}
	if !v.t.c.Schedule.Stepped() && len(t.fails)+len(t.seen) == 0 {
		t.doubts, t.holds = nil, nil
		t.note(nil, "no event got more than %d attempts until %s; it is not said when they are made, so that fewer tell nothing",
			v.t.c.Schedule.Count(), dur(v.watched()))
	}
	return t.sum("failing events got the declared number of attempts, or rightly fewer (events: %d)",
		"no event failed transiently with at least one retry")
}

func (v *view) countAttempts(t *tally, e *event) {
	n, most := len(e.tries), v.t.c.Schedule.Count()
	if n == 0 || n < 2 && most > 1 {
		return
	}
	for k, r := range e.tries[:min(n, most)] {
		got := v.read(r)
		switch {
		case r.outcome() == nil:
			t.doubt(r.records(), "the evidence does not say how %s ended", which(r))
			return
		case !got.transient || k == n-1 && !got.onlyTransient():
			t.skip(r.records(), "%s did not fail transiently", which(r))
			return
		}
	}
	last := e.tries[n-1]
	if o := v.listenerDown(e.endpoint, span{e.emit.Called, last.a.FirstByte}); o != nil {
		t.skip([]int{o.n}, "the listener was down, so that the number of attempts of %s is not known", e.name())
		return
	}
	if e.held(last.a.FirstByte) {
		t.skip(last.records(), "the endpoint of %s was to get nothing for a time", e.name())
		return
	}
	// An attempt in flight at a kill may count or not, and so may one that looks like a resend.
	spare := v.deaths(e, span{e.emit.Called, last.a.FirstByte}) + len(e.unsure)
	if n > most+spare {
		t.breaks(recordsOf(e.tries[most:]...), "%s got %d attempts; promised %d", e.name(), n, most)
		return
	}
	if !v.t.c.Schedule.Stepped() {
		t.note(recordsOf(e.tries...), "%s got %d attempts until %s; promised %d at most, and it is not said when they are made",
			e.name(), n, dur(v.watched()), most)
		return
	}
	if n >= v.t.c.Schedule.Fewest() {
		v.noMore(t, e, min(n, most))
		return
	}
	v.tooFew(t, e, most)
}

// noMore judges an event that had all its attempts: was it watched long enough to have seen one more?
func (v *view) noMore(t *tally, e *event, most int) {
	last := e.tries[len(e.tries)-1]
	until := last.latestEnd() + v.t.c.Schedule.Wait(most+1).Max
	if _, late, ok := e.deadline(); ok {
		until = min(until, max(late, last.latestEnd()))
	}
	until += v.t.allowance
	if v.watched() < until {
		t.doubt(last.records(), "%s got %d attempts, but the watch ended at %s and one more could have come as late as %s",
			e.name(), len(e.tries), dur(v.watched()), dur(until))
		return
	}
	due := span{last.earliestEnd() + v.t.c.Schedule.Wait(most+1).Min - v.t.allowance, until}
	if v.blind(t, e, last, due, firstNoise(v.hides(due), v.delays(until, span{last.latestEnd(), v.watched()}))) {
		return
	}
	t.hold(recordsOf(e.tries...)...)
}

// tooFew judges an event that ended early after at least one retry.
func (v *view) tooFew(t *tally, e *event, most int) {
	n := len(e.tries)
	last := e.tries[n-1]
	b, _ := e.next(n)
	due := last.latestEnd() + b.Max
	s := span{last.a.FirstByte, v.watched()}
	stray, noise := v.strayAt(e.endpoint), e.goneUnseen(n)
	switch e.stop(n) {
	case stopEither:
		t.skip(last.records(), "%s was the last: %s", which(last), e.either(n))
		return
	case stopRight:
		if _, late, ok := e.deadline(); ok && v.watched() > late+v.t.allowance {
			t.hold(recordsOf(e.tries...)...)
			return
		}
		t.skip(last.records(), "the watch of %s ended before its deadline", e.name())
		return
	case stopWrong:
	}
	switch why := v.mayStop(e, due); {
	case why != "":
		t.skip(last.records(), "%s was the last: %s", which(last), why)
	case e.ownsEnd(n) && v.lists("retry.transient"):
		t.skip(last.records(), "%s was the last and the first of its kind of failure; retry.transient judges that", which(last))
	case noise != nil:
		t.doubt(append(last.records(), noise.n), "%s got %d attempts that were seen; "+hid, e.name(), n, noise.who(), dur(noise.late))
	case stray != nil:
		t.doubt([]int{last.a.N, stray.a.N}, "%s got %d attempts, but a request at its endpoint could not be told to belong to an event", e.name(), n)
	default:
		t.failAbsent(s, due, recordsOf(e.tries...), "%s got %d attempts and none after %s; promised %d, the next one by %s",
			e.name(), n, dur(last.a.FirstByte), most, dur(due))
	}
}

// deaths counts the kills and exits of the sender within s.
func (v *view) deaths(e *event, s span) int {
	n := 0
	for i := range v.t.outages {
		o := &v.t.outages[i]
		if o.kind != evidence.ActDown && o.concerns(v, e.endpoint) && o.act.overlaps(s) {
			n++
		}
	}
	return n
}

// "Everything counts towards the total deadline, after which the event is a dead letter": no attempt starts after it, and
// the end is recorded in time.
func budgetDeadline(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		v.keepsDeadline(t, e)
	}
	return t.sum("no attempt came after the deadline (undelivered events: %d)", "no event with an attempt was undelivered at its deadline while it was watched")
}

func (v *view) keepsDeadline(t *tally, e *event) {
	_, late, _ := e.deadline()
	limit := late + v.t.allowance
	if len(e.tries) == 0 {
		return
	}
	if e.mayBeHeld(late) {
		t.skip([]int{e.emit.N}, "the endpoint of %s was to get nothing for a time, or for good", e.name())
		return
	}
	for k, r := range e.tries {
		moved := v.advanced(span{e.emit.Returned, r.a.FirstByte})
		if k < v.t.c.Schedule.Count() && r.start()+moved > limit {
			t.failBy(span{e.emit.Returned, r.a.FirstByte}, r.start()+moved-limit, []int{e.emit.N, r.a.N}, "%s started %s after acceptance; the deadline is %s, allowance %s",
				which(r), dur(r.start()+moved-e.emit.Returned), dur(v.t.c.Schedule.Deadline), dur(v.t.allowance))
			return
		}
	}
	last := e.tries[len(e.tries)-1]
	switch got := v.read(last); {
	case last.outcome() == nil:
		t.doubt(last.records(), "the evidence does not say how %s ended", which(last))
	case !got.onlyTransient():
		t.skip(last.records(), "%s did not fail transiently, so the deadline did not end it", e.name())
	case e.replayedBy(limit):
		t.skip(last.records(), "%s was replayed before its deadline", e.name())
	case v.watched() <= limit:
		t.skip(last.records(), "the watch of %s ended at %s, before its deadline at %s and the allowance", e.name(), dur(v.watched()), dur(late))
	default:
		v.terminalInTime(t, e, max(late, last.latestEnd())+v.t.c.Schedule.TerminalDue()+v.t.allowance)
	}
}

// terminalInTime judges what the sender's log says once the end must have been recorded.
func (v *view) terminalInTime(t *tally, e *event, due time.Duration) {
	last := e.tries[len(e.tries)-1]
	if d := e.terminal(); d != 0 {
		t.hold(append(last.records(), d)...)
		return
	}
	if !v.t.can(abilityLog) && !v.t.can(abilityDead) {
		t.hold(last.records()...)
		return
	}
	for _, l := range e.logs {
		if l.Err != "" || l.Read < due || e.replayedBy(l.Read) || l.State != evidence.StatePending {
			continue
		}
		if v.interrupted("", span{e.emit.Returned, l.Read}) != nil {
			t.skip([]int{l.N}, "the sender was down while %s ran", e.name())
			return
		}
		t.fail(span{due - v.t.allowance, l.Read}, append(last.records(), l.N),
			"%s was still %q in the sender's log at %s; a terminal state was due by %s, allowance %s included",
			e.name(), clip(l.State), dur(l.Read), dur(due), dur(v.t.allowance))
		return
	}
	t.doubt(last.records(), "no attempt of %s followed its deadline, but its final state was not read after %s", e.name(), dur(due))
}

// terminal returns the record that says that the event was given up, before any replay; 0 if there is none.
func (e *event) terminal() int {
	for _, d := range e.dead {
		return d.N
	}
	for _, l := range e.logs {
		if l.Err == "" && l.State == evidence.StateDead {
			return l.N
		}
	}
	return 0
}
