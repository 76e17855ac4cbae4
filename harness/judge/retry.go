package judge

import (
	"slices"
	"time"
)

// "These statuses and errors are retried while attempts and deadline allow." No second attempt is judged here; so is an end
// after a later attempt whose kind of failure was never seen to be retried. Other early ends are budget.attempts', if that fails.
func retryTransient(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		for k, r := range e.tries {
			switch {
			case !v.read(r).onlyTransient():
				if r.outcome() == nil {
					t.doubt(r.records(), "the evidence does not say how %s ended", which(r))
				}
			case k+1 < len(e.tries):
				t.hold(r.a.N, e.tries[k+1].a.N)
			default:
				v.missingRetry(t, e)
			}
		}
	}
	return t.sum("every transient failure was followed by another attempt (failures: %d)", "no attempt failed in a way that the contract calls transient")
}

// missingRetry judges an event whose last attempt failed transiently.
func (v *view) missingRetry(t *tally, e *event) {
	k := len(e.tries)
	r := e.tries[k-1]
	s := v.t.c.Schedule
	if s == nil {
		t.failAbsent(span{r.a.FirstByte, v.watched()}, r.latestEnd(), r.records(), "%s got %s, and no attempt followed until %s",
			which(r), failure(r.outcome()), dur(v.watched()))
		return
	}
	if !s.Stepped() {
		t.note(r.records(), "%s got %s, and no attempt followed until %s; the contract does not say by when one must",
			which(r), failure(r.outcome()), dur(v.watched()))
		return
	}
	b, _ := e.next(k)
	due := r.latestEnd() + b.Max
	if why := v.mayStop(e, due); why != "" {
		t.skip(r.records(), "%s was the last: %s", which(r), why)
		return
	}
	if n := e.goneUnseen(k); n != nil {
		t.doubt(append(r.records(), n.n), "%s was the last that was seen; "+hid, which(r), n.who(), dur(n.late))
		return
	}
	if !e.ownsEnd(k) && v.t.failsSomewhere("budget.attempts") {
		t.skip(r.records(), "%s was the last though this kind of failure was retried before; budget.attempts judges that", which(r))
		return
	}
	if x := v.strayAt(e.endpoint); x != nil {
		t.doubt([]int{r.a.N, x.a.N}, "no attempt followed %s, but a request at its endpoint could not be told to belong to an event", which(r))
		return
	}
	t.failAbsent(span{r.a.FirstByte, v.watched()}, due, r.records(),
		"%s got %s at %s, and no attempt followed until %s; promised within %s",
		which(r), failure(r.outcome()), dur(r.latestEnd()), dur(v.watched()), dur(b.Max))
}

// hid is why attempts that were not seen may have been made all the same; its verb is for how late the machine was.
const hid = "but %s was late by %s when another one was due, and may have hidden it"

// mayStop says why no attempt need follow the event's last one; "" if one must, by due at the latest.
func (v *view) mayStop(e *event, due time.Duration) string {
	if len(e.unsure) > 0 {
		return unsureOf
	}
	stop := e.stop(len(e.tries))
	if stop == stopRight {
		return "attempts or deadline were used up"
	}
	switch o := v.interrupted(e.endpoint, span{e.emit.Called, due + v.t.allowance}); {
	case o != nil && v.lists("durable.no-loss"):
		return "sender or listener went down (" + string(o.kind) + "); durable.no-loss judges that"
	case o != nil:
		return "sender or listener went down (" + string(o.kind) + ")"
	case e.replayedBy(due + v.t.allowance):
		return "a replay was called before the next attempt was due"
	case e.mayBeHeld(due), e.mayBeHeldHidden(due):
		return "its endpoint was to get nothing for a time, or for good"
	case stop == stopEither:
		return e.either(len(e.tries))
	}
	return ""
}

// ownsEnd tells whether an end after attempt k is a matter of what is retried, and not of how often: there was no retry at
// all, or nowhere in the run one after this kind of failure.
func (e *event) ownsEnd(k int) bool {
	return k == 1 || !e.v.t.retried()[failure(e.tries[k-1].outcome())]
}

// retried names the kinds of failure that some event of the run was retried after. What follows a restart, or may be a resend of
// the HTTP library, shows no retry.
func (t *trial) retried() map[string]bool {
	kinds := map[string]bool{}
	for _, v := range t.views {
		for _, e := range v.events {
			for k := 0; k+1 < len(e.tries); k++ {
				r, next := e.tries[k], e.tries[k+1]
				if v.restarted(span{r.a.FirstByte, next.a.FirstByte}) == nil && !slices.Contains(e.unsure, next) {
					kinds[failure(r.outcome())] = true
				}
			}
		}
	}
	return kinds
}

// failsSomewhere tells whether a check fails in some scenario of the run, so that it can own what another scenario shows of the
// same defect.
func (t *trial) failsSomewhere(id string) bool {
	for _, ch := range Checks() {
		if ch.ID == id && ch.absent(t) == "" {
			return slices.ContainsFunc(t.views, func(v *view) bool {
				return v.sc.NotRun == "" && v.lists(id) && ch.judge(v).Outcome == Fail
			})
		}
	}
	return false
}

// "Every other answer goes straight to the dead letter": no attempt of the schedule after a permanent failure.
func retryPermanent(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		for k, r := range e.tries {
			switch got := v.read(r); {
			case r.outcome() == nil:
				t.doubt(r.records(), "the evidence does not say how %s ended", which(r))
			case !got.onlyPermanent():
			case k+1 < len(e.tries) && slices.Contains(e.unsure, e.tries[k+1]):
				t.doubt(recordsOf(r, e.tries[k+1]), "an attempt seems to follow %s, but "+unsureOf, which(r))
			case k+1 < len(e.tries):
				again := e.tries[k+1]
				t.fail(v.taking(r), recordsOf(r, again), "%s got %s, and attempt %d followed %s later; promised none",
					which(r), failure(r.outcome()), again.number, dur(again.a.FirstByte-r.latestEnd()))
			default:
				v.noneFollows(t, e, r)
			}
		}
	}
	return t.sum("no permanent failure was retried (failures: %d)", "no attempt failed in a way that the contract calls permanent")
}

// noneFollows judges whether the watch was long enough to have seen a retry after a permanent failure.
func (v *view) noneFollows(t *tally, e *event, r *request) {
	due, ok := v.wouldFollow(e, r.number)
	if !ok {
		due = r.latestEnd() + v.t.allowance
	}
	if due > v.watched() {
		t.doubt(r.records(), "no attempt followed %s until the watch ended at %s, but a retry could have come as late as %s",
			which(r), dur(v.watched()), dur(due))
		return
	}
	if n := e.excuseAfter(r.number, due, v.watched()); ok && n != nil {
		t.doubt(append(r.records(), n.n), "no attempt followed %s that was seen; "+hid, which(r), n.who(), dur(n.late))
		return
	}
	t.hold(r.records()...)
}
