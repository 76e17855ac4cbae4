package judge

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// pause is a stretch in which an endpoint was to get nothing: from a disable or delete of ours, an answer that ends all
// deliveries, or so many failures that the sender disables it itself, to the next enable.
type pause struct {
	asked   time.Duration // the act was called, or the answer began
	from    time.Duration // it had returned, or was written
	to      time.Duration // an enable was called
	resumed time.Duration // it had returned; like to, the end of time where nothing ended the pause
	why     string
	sure    bool // the sender must know of it
	n       int
	enable  *evidence.Act // nil: nothing ended it
	auto    bool          // by the sender itself, which life.threshold judges
	early   *early        // of such a one: it began too early
}

const never = time.Duration(math.MaxInt64)

// findPauses lists the stretches at an endpoint in which it was to get nothing, by start.
func (v *view) findPauses(endpoint string) []pause {
	var out []pause
	concerns := func(a *evidence.Act) bool { return a.OK() && (a.Endpoint == "" || a.Endpoint == endpoint) }
	for _, a := range v.acts {
		if (a.Act == evidence.ActDisable || a.Act == evidence.ActDelete) && concerns(a) {
			out = append(out, pause{asked: a.Called, from: a.Returned, to: never, resumed: never, why: string(a.Act), sure: true, n: a.N})
		}
	}
	for _, r := range v.requests {
		if r.a.Endpoint == endpoint && r.class != classCopy && v.disables(r) {
			out = append(out, pause{
				asked: r.earliestEnd(), from: r.latestEnd(), to: never, resumed: never, why: statusText(r.a.Outcome.Status),
				sure: r.a.Outcome.End == evidence.EndComplete && v.read(r).onlyPermanent(), n: r.a.N,
			})
		}
	}
	for i := range out {
		if p := &out[i]; p.why != string(evidence.ActDelete) {
			p.endBy(v.enableAfter(endpoint, p.from))
		}
	}
	slices.SortStableFunc(out, func(a, b pause) int { return cmp.Compare(a.from, b.from) })
	return out
}

// endBy ends the pause by an enable; nil ends nothing.
func (p *pause) endBy(a *evidence.Act) {
	if a != nil {
		p.to, p.resumed, p.enable = a.Called, a.Returned, a
	}
}

// paused tells whether the endpoint was to get nothing at some time within s: what an event's schedule asks for then is
// held back, and nothing says for how long.
func (v *view) paused(endpoint string, s span) bool {
	return slices.ContainsFunc(v.pauses[endpoint], func(p pause) bool { return p.asked <= s.to && s.from <= p.resumed })
}

// held tells whether the endpoint was to get nothing at some time between the event's emit and t.
func (e *event) held(t time.Duration) bool { return e.v.paused(e.endpoint, span{e.emit.Called, t}) }

// mayBeHeld tells whether what was due of the event by a time, allowance and noise apart, may have met a time in which its endpoint was to
// get nothing.
func (e *event) mayBeHeld(due time.Duration) bool {
	return e.held(e.v.delayed(e.emit.Called, due+e.v.t.allowance))
}

// mayBeHeldHidden tells whether noise may have hidden the attempt that was due by a time after the last one seen, so that the one after it
// may have met a time in which the endpoint was to get nothing.
func (e *event) mayBeHeldHidden(due time.Duration) bool {
	end, known := e.settles()
	last := e.tries[len(e.tries)-1]
	return known && e.held(end) && e.mayHaveHidden(e.v.delayed(last.latestEnd(), due+e.v.t.allowance))
}

// "After disable or delete, or an answer that says so, the endpoint gets nothing more; enable resumes." Attempts whose connection
// was open before, or that came within the allowance, show the old state; a replay by hand is
// an order of its own.
func lifeStop(v *view) Verdict {
	t := &tally{v: v}
	for _, ep := range v.endpoints {
		for _, p := range v.pauses[ep.Name] {
			if p.auto {
				if p.sure && p.enable != nil {
					v.resumes(t, ep.Name, p)
				}
				continue
			}
			if !p.sure {
				t.skip([]int{p.n}, "the sender may not have read the answer that ends all deliveries")
				continue
			}
			v.staysSilent(t, ep.Name, p)
			if p.enable != nil {
				v.resumes(t, ep.Name, p)
			}
		}
	}
	return t.sum("nothing came after an endpoint was stopped, and deliveries resumed where it was enabled (stops: %d)",
		"no endpoint was disabled or deleted, and no answer said that it is gone")
}

func (v *view) staysSilent(t *tally, endpoint string, p pause) {
	limit := p.from + v.slack()
	for _, r := range v.requests {
		if r.a.Endpoint != endpoint || r.class == classCopy || r.class == classReplay || r.a.Origin == evidence.OriginHarness {
			continue
		}
		if r.a.FirstByte > limit && r.start() > p.from && r.a.FirstByte < p.to {
			t.failBy(span{p.from, r.a.FirstByte}, r.a.FirstByte-limit, []int{p.n, r.a.N}, "%s started %s after the endpoint was to get nothing more (%s); allowed is %s",
				which(r), dur(r.a.FirstByte-p.from), p.why, dur(v.slack()))
			return
		}
	}
	next, noise := v.heldBack(endpoint, p)
	e, due := next.e, next.due.to
	switch {
	case e == nil:
		t.skip([]int{p.n}, "nothing was due at the endpoint after it was to get nothing more")
	case v.restarted(span{max(p.from, e.emit.Called), due}) != nil:
		t.skip([]int{p.n, e.emit.N}, "the sender was down when an attempt of %s was due", e.name())
	case v.silentUntil(p) < due:
		t.skip([]int{p.n, e.emit.N}, "the time without deliveries, or the watch, ended before %s, when an attempt of %s was due", dur(due), e.name())
	case noise != nil:
		t.doubt([]int{p.n, e.emit.N, noise.n}, "nothing of %s came after the endpoint was to get nothing more; "+hid, e.name(), noise.who(), dur(noise.late))
	default:
		t.hold(p.n, e.emit.N)
	}
}

// resumes judges what came after an enable.
func (v *view) resumes(t *tally, endpoint string, p pause) {
	var late *event
	for _, e := range v.events {
		if e.endpoint != endpoint || !e.emit.OK() || e.emit.Called < p.resumed+v.slack() || e.held(e.emit.Returned) {
			continue
		}
		if len(e.requests) > 0 {
			t.hold(p.enable.N, e.emit.N, e.requests[0].a.N)
			return
		}
		if late == nil {
			late = e
		}
	}
	if late == nil {
		t.skip([]int{p.enable.N}, "no event was emitted after the endpoint was enabled again")
		return
	}
	due := late.emit.Returned
	if s := v.t.c.Schedule; s != nil {
		due += s.Wait(1).Max
	}
	if v.interrupted(endpoint, span{late.emit.Called, due + v.t.allowance}) != nil {
		t.skip([]int{p.enable.N}, "sender or listener was down after the endpoint was enabled")
		return
	}
	if n := late.hiddenFrom(1, span{late.emit.Called, v.delayed(late.emit.Called, due+v.t.allowance)}, never); n != nil {
		t.doubt([]int{p.enable.N, late.emit.N, n.n}, "nothing of %s came after the endpoint was enabled again; "+hid, late.name(), n.who(), dur(n.late))
		return
	}
	t.failUnsent(late, due, []int{p.enable.N, late.emit.N},
		"the endpoint was enabled again at %s, and %s, emitted at %s, had not arrived at %s", dur(p.resumed), late.name(), dur(late.emit.Called), dur(v.watched()))
}

// silentSince tells whether nothing came to the event's endpoint after it was enabled again: then life.stop judges that.
func (e *event) silentSince() bool {
	v := e.v
	for _, p := range v.pauses[e.endpoint] {
		if p.enable == nil || e.emit.Called < p.resumed {
			continue
		}
		return !slices.ContainsFunc(v.requests, func(r *request) bool { return r.a.Endpoint == e.endpoint && r.a.FirstByte > p.to })
	}
	return false
}
