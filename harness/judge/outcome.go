package judge

import (
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// "Any success status means delivered, whatever the answer's body": no attempt follows a complete success, and the sender's
// own state says delivered. A request after a restart, or after the sender's log said delivered, is durable.no-dup's.
func outcomeSuccess(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		k, doubtful := e.firstSuccess(), v.followsDoubtful(t, e)
		switch {
		case v.goesOnAfter(t, e), doubtful:
		case k == 0:
			v.cutSuccess(t, e)
		default:
			v.successEnds(t, e, k)
		}
	}
	return t.sum("a complete success ended the delivery (events: %d)", "no attempt got a complete success answer in time")
}

// firstSuccess returns the number of the first attempt of the schedule that a correct sender can only have taken as a
// success; 0 if there is none.
func (e *event) firstSuccess() int {
	for _, r := range e.tries {
		if e.v.read(r).onlySuccess() {
			return r.number
		}
	}
	return 0
}

// followsDoubtful notes an attempt after a success that may have come too late for the sender, and tells whether there is one. It may
// be right or wrong, and so a later success does not show that one ends the delivery.
func (v *view) followsDoubtful(t *tally, e *event) bool {
	for k, r := range e.tries {
		if k+1 == len(e.tries) || !v.answeredWell(r) || v.readLate(r) == (reads{}) {
			continue
		}
		t.doubt(recordsOf(r, e.tries[k+1]), "%s followed %s, whose %s may have come too late for the sender's timeout of %s",
			which(e.tries[k+1]), which(r), statusText(r.outcome().Status), dur(v.t.c.Schedule.Timeout))
		return true
	}
	return false
}

// goesOnAfter judges each attempt that follows one with a success, and tells whether there is any: of several, each shows what the
// sender makes of a success, whatever noise lay around another one.
func (v *view) goesOnAfter(t *tally, e *event) (followed bool) {
	for k, r := range e.tries {
		if k+1 == len(e.tries) || !v.read(r).onlySuccess() {
			continue
		}
		followed = true
		again, end := e.tries[k+1], r.latestEnd()
		switch {
		case again.a.FirstByte <= end, v.recordedBefore(e, again.a.FirstByte), v.restarted(span{end, again.a.FirstByte}) != nil:
			t.doubt(recordsOf(r, again), "%s came after a success that was recorded or across a restart; durable.no-dup judges that", which(again))
		case slices.Contains(e.unsure, again):
			t.doubt(recordsOf(r, again), "%s seems to follow a success, but "+unsureOf, which(again))
		default:
			t.fail(v.taking(r), recordsOf(r, again), "%s got %s complete at %s, and yet attempt %d followed %s later; any success ends the delivery",
				which(r), statusText(r.outcome().Status), dur(end), again.number, dur(again.a.FirstByte-end))
		}
	}
	return followed
}

func (v *view) successEnds(t *tally, e *event, k int) {
	r := e.tries[k-1]
	end := r.latestEnd()
	if l := v.wrongState(e, end); l != nil {
		t.failBy(span{r.a.FirstByte, l.Read}, l.Read-v.recordedBy(r), append(r.records(), l.N), "%s got %s complete at %s, but the sender's log said %q at %s; promised %s within %s",
			which(r), statusText(r.outcome().Status), dur(end), clip(l.State), dur(l.Read), evidence.StateDelivered, dur(v.lag()))
		return
	}
	if due, ok := v.wouldFollow(e, k); ok && due > v.watched() {
		t.doubt(r.records(), "the watch ended at %s; had the sender not taken %s as a success, its next attempt could have come as late as %s",
			dur(v.watched()), statusText(r.outcome().Status), dur(due))
		return
	}
	if due, ok := v.wouldFollow(e, k); ok && !v.recordedBefore(e, never) &&
		v.blind(t, e, r, span{end, due}, e.excuseAfter(k, due, v.watched())) {
		return
	}
	t.hold(r.records()...)
}

// wouldFollow is the latest instant at which attempt k+1 would come if attempt k had been taken for a failure.
func (v *view) wouldFollow(e *event, k int) (time.Duration, bool) {
	s := v.t.c.Schedule
	if s == nil || !s.Stepped() || k >= s.Count() {
		return 0, false
	}
	due := e.tries[k-1].latestEnd() + e.ordinary(k+1).Max + v.t.allowance
	if _, late, ok := e.deadline(); ok {
		due = min(due, late+v.t.allowance)
	}
	return due, true
}

// recordedBefore tells whether the sender's log was read as delivered before t.
func (v *view) recordedBefore(e *event, t time.Duration) bool {
	for _, l := range e.logs {
		if l.Err == "" && l.State == evidence.StateDelivered && l.Read <= t {
			return true
		}
	}
	return false
}

// wrongState returns a log entry that was read after the success must have been recorded and says otherwise.
func (v *view) wrongState(e *event, end time.Duration) *evidence.LogEntry {
	for _, l := range e.logs {
		late := l.Read > end+v.lag()+v.t.allowance
		// Words of the sender's own may mean anything.
		denies := l.State == evidence.StatePending || l.State == evidence.StateDead
		if l.Err == "" && denies && late && !e.replayedBy(l.Read) {
			return l
		}
	}
	return nil
}

// cutSuccess notes what the sender makes of a success whose body never came whole, where the contract leaves it open.
func (v *view) cutSuccess(t *tally, e *event) {
	if v.t.c.Answers.Needs != "" {
		return
	}
	for k, r := range e.tries {
		o := r.outcome()
		if o == nil || o.Status == 0 || o.End == evidence.EndComplete || o.End == evidence.EndShutdown || !v.readStatus(o.Status).success {
			continue
		}
		did := "made no further attempt"
		if k+1 < len(e.tries) {
			did = "made another attempt"
		}
		t.note(recordsOf(r), "%s was cut within the body of its %s answer, and the sender %s; the contract leaves open what a success needs",
			which(r), statusText(o.Status), did)
	}
}

// "Every other answer is no success": what never got a success is not recorded as delivered. That a failure is followed by
// another attempt, or stands in the sender's own records as one, shows how it was taken.
func outcomeFailure(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		v.failureStays(t, e)
	}
	return t.sum("no failure was taken for a success (events: %d)", "no attempt failed")
}

func (v *view) failureStays(t *tally, e *event) {
	for _, l := range e.logs {
		if l.Err != "" || l.State != evidence.StateDelivered || e.mayBeDelivered(l.Read) {
			continue
		}
		if x := v.strayAt(e.endpoint); x != nil {
			t.doubt([]int{l.N, x.a.N}, "the log of %s says delivered, and a request at its endpoint could not be told to belong to an event", e.name())
			return
		}
		made := e.made()
		if len(made) == 0 {
			t.skip([]int{l.N}, "the log of %s says delivered, and no attempt arrived", e.name())
			return
		}
		r := made[0]
		for _, o := range made {
			if o.a.FirstByte <= l.Read {
				r = o
			}
		}
		t.breaks(append([]int{l.N}, recordsOf(made...)...), "the log of %s says %s at %s, but no attempt before had got a success; the last, %s, got %s",
			e.name(), l.State, dur(l.Read), which(r), failure(r.outcome()))
		return
	}
	for k, r := range e.tries {
		switch {
		case r.outcome() == nil:
			t.doubt(r.records(), "the evidence does not say how %s ended", which(r))
		case v.read(r).success:
		case k+1 < len(e.tries):
			t.hold(r.a.N, e.tries[k+1].a.N)
		default:
			v.shownFailed(t, e, r)
		}
	}
}

// mayBeDelivered tells whether an attempt that had begun by t, replays included, may have been a success to the sender.
func (e *event) mayBeDelivered(t time.Duration) bool {
	v := e.v
	for _, r := range e.requests {
		if r.class != classCopy && r.a.FirstByte <= t && v.read(r).success {
			return true
		}
	}
	// An attempt that reached nobody was no success; one whose request was lost to us by a fault of ours is trouble anyway.
	return false
}

// shownFailed judges the last attempt of an event, which failed: the sender's own records must be there to show it.
func (v *view) shownFailed(t *tally, e *event, r *request) {
	end := r.latestEnd() + v.lag() + v.t.allowance
	for _, l := range e.logs {
		if l.Err == "" && l.Read > end && (l.State == evidence.StatePending || l.State == evidence.StateDead) {
			t.hold(append(r.records(), l.N)...)
			return
		}
	}
	for _, d := range e.dead {
		t.hold(append(r.records(), d.N)...)
		return
	}
	t.skip(r.records(), "no record of the sender's shows what it made of %s", which(r))
}
