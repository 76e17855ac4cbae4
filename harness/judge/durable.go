package judge

import (
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// "An accepted event survives a crash and is never silently lost": it arrives and can be taken for delivered, or it has a
// terminal record. An event that arrived and was given up too early, with no interruption after it, is for retry.transient
// and budget.attempts; one whose end was not recorded is for budget.deadline and the dead-letter checks.
func durableNoLoss(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		v.kept(t, e)
	}
	return t.sum("every accepted event arrived or was recorded as given up (events: %d)", "no event was accepted")
}

func (v *view) kept(t *tally, e *event) {
	if !e.emit.OK() {
		t.skip([]int{e.emit.N}, "the emit was refused: %s", clip(e.emit.Err))
		return
	}
	var unknown *request
	for _, r := range e.requests {
		switch o := r.a.Outcome; {
		case r.class == classCopy:
		case o == nil:
			unknown = r
		case o.Status != 0 && v.readStatus(o.Status).success:
			t.hold(e.emit.N, r.a.N)
			return
		}
	}
	if n := e.terminal(); n != 0 {
		if due, _ := e.settles(); len(e.tries) == 0 && v.interrupted(e.endpoint, span{e.emit.Called, due}) == nil {
			t.skip([]int{e.emit.N, n}, "%s was recorded as given up and never arrived, though neither sender nor listener was down", e.name())
			return
		}
		t.hold(e.emit.N, n)
		return
	}
	switch why := v.notLost(e); {
	case unknown != nil:
		t.doubt(unknown.records(), "the evidence does not say how %s ended", which(unknown))
	case why != "":
		t.skip([]int{e.emit.N}, "%s", why)
	default:
		v.missing(t, e)
	}
}

// notLost says why an event that was never answered with a success is no loss that this check owns; "" if it may be one.
func (v *view) notLost(e *event) string {
	due, known := e.settles()
	if !known {
		due = v.watched()
	}
	if e.mayBeHeld(due) {
		return "the endpoint was to get nothing for a time, or for good"
	}
	switch {
	case e.maybe && len(e.requests) == 0:
		return "the endpoint has an environment, and the emit names none"
	case len(e.requests) == 0 && v.lists("life.stop") && v.t.applies("life.stop") && e.silentSince():
		return "nothing came after the endpoint was enabled again; life.stop judges that"
	case v.leftOut(e):
		return "the event arrived at another endpoint and not at this one, which its filter lets it pass to; scope.match judges that"
	}
	if len(e.tries) == 0 {
		down := v.listenerDown(e.endpoint, span{e.emit.Called, due})
		if down != nil && !v.t.can(abilityLog) && !v.t.can(abilityDead) {
			return "the listener was down, and the sender's own records cannot be read"
		}
		if !v.t.can(abilityLog) && !v.t.can(abilityDead) && e.mayBeOver(0, e.emit.Returned) {
			return "noise may have kept it from being sent before its deadline, and the sender's own records cannot be read"
		}
		return ""
	}
	k := len(e.tries)
	last := e.tries[k-1]
	next := due
	if v.t.c.Schedule != nil {
		b, _ := e.next(k)
		next = last.latestEnd() + b.Max + v.t.allowance
	}
	switch {
	case v.restarted(span{last.a.FirstByte, next}) == nil:
		return which(last) + " was answered with " + failure(last.outcome()) +
			" and no interruption followed; what had to follow is judged by retry and budget checks"
	case v.died(span{last.a.FirstByte, last.latestEnd() + v.t.allowance}) == nil && v.read(last).onlyPermanent():
		return which(last) + " failed permanently"
	case v.t.c.Schedule != nil && e.stop(k) != stopWrong:
		return "attempts or deadline of " + e.name() + " were used up"
	}
	return ""
}

// missing judges an event of which there is no trace of an end.
func (v *view) missing(t *tally, e *event) {
	records := append([]int{e.emit.N}, recordsOf(e.tries...)...)
	if x := v.strayAt(e.endpoint); x != nil {
		t.doubt(append(records, x.a.N), "%s did not arrive, but a request at its endpoint could not be told to belong to an event", e.name())
		return
	}
	due, known := e.settles()
	if !known {
		due = v.watched() - v.t.allowance
	}
	if l := e.lastLog(); l != nil {
		records = append(records, l.N)
		if s := v.t.c.Schedule; s != nil && l.Read < due+s.TerminalDue() {
			t.doubt(records, "%s did not arrive, but its state was last read at %s, and it may be recorded until %s",
				e.name(), dur(l.Read), dur(due+s.TerminalDue()))
			return
		}
	} else if s := v.t.c.Schedule; s != nil && (v.t.can(abilityLog) || v.t.can(abilityDead)) {
		due += s.TerminalDue()
	}
	got := "never arrived"
	if n := len(e.tries); n > 0 {
		got = "got no success and nothing after attempt " + num(n) + " at " + dur(e.tries[n-1].a.FirstByte)
	}
	t.failAbsent(span{e.emit.Called, v.watched()}, due, records,
		"%s was accepted at %s, %s until %s, and has no terminal record; promised one or the other by %s",
		e.name(), dur(e.emit.Returned), got, dur(v.watched()), dur(due))
}

// lastLog is the last log entry that could be read before any replay.
func (e *event) lastLog() *evidence.LogEntry {
	var last *evidence.LogEntry
	for _, l := range e.logs {
		if l.Err == "" && l.State != "" && !e.replayedBy(l.Read) {
			last = l
		}
	}
	return last
}

// "No request follows a success that the sender has seen", and never are two attempts of one event in flight at once. Where
// nothing says that the sender recorded the success, and outcome.2xx is judged as well, the repetition is its matter.
func durableNoDup(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		if v.twoAtOnce(t, e) {
			continue
		}
		if v.followsDoubtful(t, e) {
			continue
		}
		if k := e.firstSuccess(); k > 0 {
			v.nothingAfter(t, e, k)
			continue
		}
		for _, r := range e.tries {
			if r.outcome() == nil {
				t.doubt(r.records(), "the evidence does not say how %s ended", which(r))
			}
		}
	}
	return t.sum("no delivered event was sent again until its schedule's end (events: %d)", "no event got a complete success answer in time")
}

// flightEnd is when an attempt was over for the sender at the latest: its end, its declared timeout, or the sender's own.
func (v *view) flightEnd(r *request) time.Duration {
	end := r.latestEnd()
	if s := v.t.c.Schedule; s != nil && s.Timeout > 0 {
		end = min(end, r.last().a.FirstByte+s.Timeout)
	}
	if o := v.died(span{r.a.FirstByte, end}); o != nil {
		end = min(end, o.act.from)
	}
	return end
}

func (v *view) twoAtOnce(t *tally, e *event) bool {
	var open *request
	for _, r := range e.tries {
		if open != nil {
			over := min(v.flightEnd(open), v.flightEnd(r)) - r.a.FirstByte
			if over > v.t.allowance {
				t.fail(span{open.a.FirstByte, r.a.FirstByte}, recordsOf(open, r),
					"%s started while attempt %d was in flight, for %s together; promised never, allowance %s",
					which(r), open.number, dur(over), dur(v.t.allowance))
				return true
			}
		}
		if open == nil || v.flightEnd(r) > v.flightEnd(open) {
			open = r
		}
	}
	return false
}

func (v *view) nothingAfter(t *tally, e *event, k int) {
	r := e.tries[k-1]
	end := r.latestEnd()
	for _, again := range e.tries[k:] {
		if again.start() <= end {
			continue
		}
		if slices.Contains(e.unsure, again) {
			t.doubt(recordsOf(r, again), "%s seems to follow a success, but "+unsureOf, which(again))
			return
		}
		seen := v.recordedBefore(e, again.a.FirstByte) || v.restarted(span{end, again.a.FirstByte}) != nil
		if !seen && v.lists("outcome.2xx") {
			t.doubt(recordsOf(r, again), "%s followed a complete %s; outcome.2xx judges that", which(again), statusText(r.outcome().Status))
			return
		}
		t.fail(v.taking(r), recordsOf(r, again), "%s came %s after attempt %d got a complete %s; promised none",
			which(again), dur(again.a.FirstByte-end), k, statusText(r.outcome().Status))
		return
	}
	if due, ok := e.settles(); ok && v.watched() < due {
		t.doubt(r.records(), "the watch of %s ended at %s, before the end of its schedule at %s", e.name(), dur(v.watched()), dur(due))
		return
	}
	due, _ := v.wouldFollow(e, k)
	if v.blind(t, e, r, span{end, max(end, due)}, e.repeatUnseen(k, v.watched())) {
		return
	}
	t.hold(r.records()...)
}

// openWatch is how long an event is watched where nothing says when its attempts are made.
const openWatch = time.Minute

// Settled is how long after the return of an emit a scenario must be watched for absences to count under a contract, noise
// apart: the deadline, or the whole schedule where there is none, the terminal record's time, and the least allowance. It
// is 0 without a schedule. Where it is not published when attempts are made, it is a minute, within which most senders make their first
// retries; absences do not count then.
func Settled(c *contract.Contract) time.Duration {
	s := c.Schedule
	if s == nil {
		return 0
	}
	window := s.Deadline
	switch {
	case window > 0:
	case s.Stepped():
		// One wait more than there are: to see an attempt too many.
		window = s.Total().Max + time.Duration(s.Count())*s.RequestTime() + s.Wait(s.Count()+1).Max
	default:
		window = openWatch
	}
	return window + s.TerminalDue() + leastAllowance
}
