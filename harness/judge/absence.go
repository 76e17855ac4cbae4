package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// A pass that rests on nothing more having come needs a receiver that would have seen it. Noise may have hidden what came, the listener
// may have refused it, and a request that can be told to belong to no event may have been it.

// blind notes why an absence of further attempts of e after one that ended at an end, the next of which was due within due, shows
// nothing. It returns false if it shows what it seems to. noise is what may have hidden them, or nil.
func (v *view) blind(t *tally, e *event, r *request, due span, noise *noisy) bool {
	end := r.latestEnd()
	if noise != nil {
		t.doubt(append(r.records(), noise.n), "nothing came after %s; "+hid, which(r), noise.who(), dur(noise.late))
		return true
	}
	if o := v.listenerDown(e.endpoint, due); o != nil {
		t.doubt(append(r.records(), o.n), "nothing came after %s, but the listener was down when another one was due", which(r))
		return true
	}
	for _, x := range v.stray {
		if x.a.Endpoint == e.endpoint && x.a.FirstByte > end {
			t.doubt([]int{r.a.N, x.a.N}, "nothing came after %s, but a later request at its endpoint could not be told to belong to an event", which(r))
			return true
		}
	}
	return false
}

// repeatUnseen returns the noise that may have hidden a repetition of attempt k, which succeeded: by the schedule, as after a
// failure, or at once after a restart; nil if one must have been seen.
func (e *event) repeatUnseen(k int, until time.Duration) *noisy {
	v, s := e.v, e.v.t.c.Schedule
	if s == nil || len(v.t.hiding) == 0 {
		return nil
	}
	end := e.tries[k-1].latestEnd()
	if due, ok := v.wouldFollow(e, k); ok {
		if n := e.excuseAfter(k, due, until); n != nil {
			return n
		}
	}
	for i := range v.t.outages {
		o := &v.t.outages[i]
		if o.kind != evidence.ActDown && o.concerns(v, e.endpoint) && o.to > end && o.to <= until {
			if n := v.hides(span{o.to, o.to + s.Wait(1).Max + v.t.allowance}); n != nil {
				return n
			}
		}
	}
	return nil
}
