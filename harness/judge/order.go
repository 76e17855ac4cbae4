package judge

import "time"

const orderPerKeyWord = "per-key"

func needOrder(t *trial) string { return unless(t.c.Order == orderPerKeyWord, "order per key") }

// before returns the events of the same endpoint and business object that were accepted before e was emitted. On virtual time the
// next call may begin at the very instant at which the one before has returned.
func (e *event) before() []*event {
	var out []*event
	for _, o := range e.v.events {
		if o != e && o.endpoint == e.endpoint && o.emit.Object == e.emit.Object && e.emit.Object != "" && o.emit.OK() && o.emit.Called < e.emit.Called && o.emit.Returned <= e.emit.Called {
			out = append(out, o)
		}
	}
	return out
}

// endedAt is the earliest instant at which the sender can have known that it has done with an event, and whether the event failed before
// that; why says what keeps that from being known.
func (e *event) endedAt() (at time.Duration, failed bool, why string) {
	for k, r := range e.tries {
		at = r.earliestEnd()
		if e.v.mayHaveGivenUp(r) {
			at -= e.v.t.allowance
		}
		if r.outcome() == nil {
			return 0, failed, "the evidence does not say how " + which(r) + " ended"
		}
		if !e.v.read(r).onlyTransient() {
			return at, failed, ""
		}
		failed = true
		if k == len(e.tries)-1 && e.v.t.c.Schedule != nil && e.stop(k+1) == stopWrong {
			return 0, failed, "no attempt followed " + which(r)
		}
	}
	if len(e.tries) == 0 {
		return 0, false, e.name() + " never arrived"
	}
	return at, failed, ""
}

// behind tells whether an event had to wait for an earlier one of its key, so that its first wait is not that of the schedule.
func (e *event) behind() bool {
	if needOrder(e.v.t) != "" {
		return false
	}
	for _, o := range e.before() {
		if at, _, why := o.endedAt(); why != "" || at >= e.emit.Called {
			return true
		}
	}
	return false
}

// "An event is sent only once all earlier ones about the same object are delivered or given up": the first request of the later one comes
// after the end of the earlier one, its retries included.
func orderPerKey(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		if !e.emit.OK() || e.emit.Object == "" {
			continue
		}
		if len(e.tries) == 0 {
			t.skip([]int{e.emit.N}, "%s never arrived", e.name())
			continue
		}
		for _, o := range e.before() {
			v.follows(t, o, e)
		}
	}
	return t.sum("no event overtook an earlier one of its key that had failed (pairs: %d)", "no two events of one key were emitted to one endpoint")
}

func (v *view) follows(t *tally, o, e *event) {
	first := e.tries[0]
	records := append([]int{o.emit.N, e.emit.N, first.a.N}, recordsOf(o.tries...)...)
	at, failed, why := o.endedAt()
	switch {
	case v.restarted(span{o.emit.Called, first.a.FirstByte}) != nil:
		t.skip(records, "the sender was down between %s and %s", o.name(), e.name())
	case why != "":
		t.skip(records, "%s, so that it is not known when %s had to follow", why, e.name())
	case first.a.FirstByte < at:
		t.fail(span{o.emit.Called, first.a.FirstByte}, records, "%s started %s before %s, emitted earlier about the same object, had ended at %s",
			which(first), dur(at-first.a.FirstByte), o.name(), dur(at))
	case !failed || e.emit.Returned >= at:
		t.skip(records, "%s did not fail before its end, or had ended when %s was emitted", o.name(), e.name())
	default:
		t.hold(records...)
	}
}
