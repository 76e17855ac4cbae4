package judge

import (
	"cmp"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// trouble is a stretch in which an endpoint kept an event from being delivered: from a request that failed, or was answered late, to
// the next one of its event, or to its own end where none followed.
type trouble struct {
	span
	endpoint string
	n        int
}

// patience is how much longer than alone something may take beside another endpoint's trouble: a quarter of the time for which the
// sender waits on that one. A sender that waits for it before it goes on takes the whole of it.
func (v *view) patience() time.Duration {
	if s := v.t.c.Schedule; s != nil {
		return s.Timeout / 4
	}
	return 0
}

// troubles lists the stretches at all endpoints of the scenario, by start.
func (v *view) troubles() []trouble {
	var out []trouble
	for _, e := range v.events {
		for k, r := range e.tries {
			o := r.outcome()
			if o == nil {
				continue
			}
			end := r.latestEnd()
			slow := end-r.a.FirstByte > v.patience()
			if o.End == evidence.EndComplete && v.readStatus(o.Status).success && !slow {
				continue
			}
			if k+1 < len(e.tries) {
				end = max(end, e.tries[k+1].a.FirstByte)
			}
			out = append(out, trouble{span{r.a.FirstByte, end}, e.endpoint, r.a.N})
		}
	}
	slices.SortStableFunc(out, func(a, b trouble) int { return cmp.Compare(a.from, b.from) })
	return out
}

// beside is what happened at other endpoints than one.
func beside(all []trouble, endpoint string) []trouble {
	return slices.DeleteFunc(slices.Clone(all), func(x trouble) bool { return x.endpoint == endpoint })
}

// touching returns the first trouble that touches s, or nil.
func touching(all []trouble, s span) *trouble {
	for i := range all {
		if all[i].overlaps(s) {
			return &all[i]
		}
	}
	return nil
}

// begun tells whether any trouble had begun by t. What came before it is how the sender is alone.
func begun(all []trouble, t time.Duration) bool { return len(all) > 0 && all[0].from <= t }

// "Trouble at one endpoint delays or stops neither another nor the emitter": an event of an endpoint without trouble of its own takes
// no longer to arrive, and an emit no longer to return, than before the trouble, a quarter of the request timeout apart.
func fairIsolation(v *view) Verdict {
	t := &tally{v: v}
	all := v.troubles()
	v.otherEndpoints(t, all)
	held := len(t.holds) > 0
	v.emitter(t, all)
	if !held {
		// Emits that return in time say nothing of deliveries.
		t.holds = nil
	}
	return t.sum("events and emits took no longer than alone while another endpoint was in trouble (events and emits: %d)",
		"no event was emitted to an endpoint without trouble while another one had some")
}

func (v *view) otherEndpoints(t *tally, all []trouble) {
	alone, known := time.Duration(0), false
	if s := v.t.c.Schedule; s != nil {
		alone = s.Wait(1).Max
	}
	var beset []*event
	for _, e := range v.events {
		others := beside(all, e.endpoint)
		switch {
		case !e.emit.OK() || e.maybe || len(others) == 0 || e.held(e.emit.Returned) || e.hasTrouble(all):
		case len(e.tries) > 0 && !begun(others, e.tries[0].a.FirstByte):
			alone, known = max(alone, e.tries[0].a.FirstByte-e.emit.Returned), true
		case begun(others, e.emit.Called):
			beset = append(beset, e)
		}
	}
	for _, e := range beset {
		x := touching(beside(all, e.endpoint), span{e.emit.Called, e.emit.Returned})
		switch {
		case x == nil:
			t.skip([]int{e.emit.N}, "no other endpoint was in trouble when %s was emitted", e.name())
		case !known:
			t.skip([]int{e.emit.N}, "no event arrived before the trouble began, so nothing shows how long one takes alone")
		default:
			v.goesOn(t, e, x, alone)
		}
	}
}

// hasTrouble tells whether the event's own endpoint was in trouble between its emit and its arrival. What was over before it, our
// own late answer to an earlier event for one, has no part in it.
func (e *event) hasTrouble(all []trouble) bool {
	s := span{e.emit.Called, e.v.watched()}
	if len(e.tries) > 0 {
		s.to = e.tries[0].a.FirstByte - 1 // its own request is no trouble that it had to wait for
	}
	return slices.ContainsFunc(all, func(x trouble) bool { return x.endpoint == e.endpoint && x.overlaps(s) })
}

// goesOn judges an event that was emitted while another endpoint was in trouble.
func (v *view) goesOn(t *tally, e *event, x *trouble, alone time.Duration) {
	limit := alone + v.patience() + v.t.allowance
	due := e.emit.Returned + limit
	if v.interrupted(e.endpoint, span{e.emit.Called, due}) != nil {
		t.skip([]int{e.emit.N}, "sender or listener was down when %s was due", e.name())
		return
	}
	if len(e.tries) == 0 {
		v.stoppedBeside(t, e, x, due)
		return
	}
	first := e.tries[0].a
	switch took := e.tries[0].begun(e.emit.Returned) - e.emit.Returned; {
	case took > limit && e.unseen(1) > 0 && took <= limit+v.hiddenTime(e):
		t.doubt([]int{e.emit.N, first.N, x.n}, "%s came %s after its emit while endpoint %s was in trouble, but noise may have hidden an attempt before it",
			which(e.tries[0]), dur(took), x.endpoint)
	case took > limit:
		t.failBy(span{e.emit.Called, first.FirstByte}, took-limit, []int{e.emit.N, first.N, x.n},
			"%s came %s after its emit while endpoint %s was in trouble; alone it takes %s, allowed is a quarter of the request timeout (%s) more, allowance %s",
			which(e.tries[0]), dur(took), x.endpoint, dur(alone), dur(v.patience()), dur(v.t.allowance))
	default:
		t.hold(e.emit.N, first.N, x.n)
	}
}

// hiddenTime is by how much an event may come later because noise hid its first attempt: by the noise, and by the timeout and the wait
// of one attempt that had begun at its end.
func (v *view) hiddenTime(e *event) time.Duration {
	s := v.t.c.Schedule
	n := v.hides(span{e.emit.Called, e.tries[0].a.FirstByte})
	if n == nil {
		return 0
	}
	return n.to - max(n.from, e.emit.Called) + s.Timeout + s.Wait(2).Max
}

// stoppedBeside judges an event that never came. One without any end is a loss, which another check owns.
func (v *view) stoppedBeside(t *tally, e *event, x *trouble, due time.Duration) {
	records := []int{e.emit.N, x.n}
	if s := v.strayAt(e.endpoint); s != nil {
		t.doubt(append(records, s.a.N), "%s did not arrive, but a request at its endpoint could not be told to belong to an event", e.name())
		return
	}
	n := e.terminal()
	if n == 0 && v.lists("durable.no-loss") && v.t.applies("durable.no-loss") {
		t.doubt(records, "%s, emitted while endpoint %s was in trouble, never arrived and has no terminal record; durable.no-loss judges that", e.name(), x.endpoint)
		return
	}
	if n != 0 {
		records = append(records, n)
	}
	t.failUnsent(e, due, records,
		"%s, emitted while endpoint %s was in trouble, was never sent, though its own endpoint had none", e.name(), x.endpoint)
}

// emitter judges how long emits take.
func (v *view) emitter(t *tally, all []trouble) {
	alone, known := time.Duration(0), false
	var beset []*evidence.Act
	for _, a := range v.acts {
		switch {
		case a.Act != evidence.ActEmit || !a.OK() || len(all) == 0:
		case !begun(all, a.Returned):
			alone, known = max(alone, a.Returned-a.Called), true
		case touching(all, span{a.Called, a.Returned}) != nil:
			beset = append(beset, a)
		}
	}
	limit := alone + v.patience() + v.t.allowance
	for _, a := range beset {
		x := touching(all, span{a.Called, a.Returned})
		took := a.Returned - a.Called
		switch {
		case !known || v.restarted(span{a.Called, a.Returned}) != nil:
		case took > limit:
			t.failBy(span{a.Called, a.Returned}, took-limit, []int{a.N, x.n},
				"an emit took %s while endpoint %s was in trouble; before it took at most %s, allowed is a quarter of the request timeout (%s) more, allowance %s",
				dur(took), x.endpoint, dur(alone), dur(v.patience()), dur(v.t.allowance))
		default:
			t.hold(a.N, x.n)
		}
	}
}

// "So many requests to one endpoint are in flight at most." A request is in flight from its arrival until the earliest instant at which
// the sender can have done with it; where that is not certain, since it hung up or may have, more may have been in flight than is sure.
func fairConcurrency(v *view) Verdict {
	t := &tally{v: v}
	limit := v.t.c.Fairness.PerEndpoint
	for _, ep := range v.endpoints {
		most, when := v.mostAtOnce(ep.Name, v.surelyUntil)
		perhaps, _ := v.mostAtOnce(ep.Name, v.perhapsUntil)
		switch {
		case len(most) > limit:
			t.fail(span{most[0].a.FirstByte, when}, recordsOf(most...), "%d requests were in flight to endpoint %s at %s; promised at most %d",
				len(most), ep.Name, dur(when), limit)
		case len(most) == 0:
			t.skip(nil, "no request to endpoint %s is known to have been in flight", ep.Name)
		case v.mostOwed(ep.Name) <= limit:
			t.skip(nil, "endpoint %s never had more than %d events to be sent at once, so that nothing had to wait", ep.Name, limit)
		case len(perhaps) > limit:
			t.skip(recordsOf(perhaps...), "%d requests to endpoint %s may have been in flight at once, and %d surely were: it is not known when the sender gave them up",
				len(perhaps), ep.Name, len(most))
		default:
			t.hold(recordsOf(most...)...)
		}
	}
	return t.sum("no more than "+num(limit)+" requests were in flight to one endpoint, although more were due (endpoints: %d)", "no endpoint was registered")
}

// surelyUntil is the earliest instant at which the sender can have done with a request. It may have run into its timeout a little
// before we saw that.
func (v *view) surelyUntil(r *request) time.Duration {
	end := r.earliestEnd()
	if v.mayHaveGivenUp(r) {
		if s := v.t.c.Schedule; s != nil && s.Timeout > 0 {
			end = min(end, r.last().a.FirstByte+s.Timeout)
		}
		end -= v.t.allowance
	}
	if d := v.died(span{r.a.FirstByte, end}); d != nil {
		end = min(end, d.act.from)
	}
	return end
}

// perhapsUntil is the latest instant up to which a request may have been in flight. An answer ended it when it began: what we do after
// that is no matter.
func (v *view) perhapsUntil(r *request) time.Duration {
	if v.mayHaveGivenUp(r) {
		return r.latestEnd()
	}
	return r.earliestEnd()
}

// mayHaveGivenUp tells whether the sender may have ended a request before we did.
func (v *view) mayHaveGivenUp(r *request) bool {
	o := r.outcome()
	return o == nil || o.End == evidence.EndPeerGone || v.readLate(r) != (reads{})
}

// mostAtOnce returns the requests at an endpoint of which the most were in flight together, and when that was.
// until says when a request is no longer in flight.
func (v *view) mostAtOnce(endpoint string, until func(*request) time.Duration) (most []*request, when time.Duration) {
	var open []*request
	resent := map[*request]bool{}
	for _, r := range v.requests {
		if r.a.Endpoint != endpoint || r.a.Origin == evidence.OriginHarness || resent[r] {
			continue
		}
		if r.resent != nil {
			resent[r.resent] = true
		}
		open = slices.DeleteFunc(open, func(o *request) bool { return until(o) <= r.a.FirstByte })
		open = append(open, r)
		if len(open) > len(most) {
			most, when = slices.Clone(open), r.a.FirstByte
		}
	}
	return most, when
}

// mostOwed is how many events of an endpoint had been accepted at once whose first attempt was still to come or to end.
func (v *view) mostOwed(endpoint string) int {
	most := 0
	for _, since := range v.events {
		n := 0
		for _, e := range v.events {
			if e.endpoint == endpoint && e.emit.OK() && !e.maybe && e.emit.Returned <= since.emit.Returned &&
				(len(e.tries) == 0 || e.tries[0].earliestEnd() > since.emit.Returned) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}
