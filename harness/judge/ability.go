package judge

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// "What the driver declares, it can do": a call that the sender answers well and that leads to nothing is no ability. Most
// abilities have a check of their own that fails then: a key that is never used fails secret.rotation, events of a range that do
// not come replay.range, entries that are not there dlq.entry. A replay has only this one, since those of its family judge what
// arrived. An ability that shows and is not declared is noted.
func abilityShown(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		for i, a := range e.replays {
			switch {
			case a.Act == evidence.ActReplay:
				v.replayShown(t, e, i)
			case len(e.again[i]) > 0: // what is missing of a range is replay.range's
				t.hold(a.N, e.again[i][0].a.N)
			}
		}
	}
	v.headersShown(t)
	v.fansOutUndeclared(t)
	if len(t.seen) == 0 && len(t.holds) == 0 && len(v.replayed) == 0 {
		t.skip([]int{}, "the sender accepted no call whose effect shows on the wire")
	}
	return t.sum("what the sender accepted to do showed on the wire (times: %d)", noReplay)
}

// replayShown judges the i-th replay of an event.
func (v *view) replayShown(t *tally, e *event, i int) {
	a, due := e.replays[i], e.replays[i].Returned+v.requestTime()+v.lag()
	wait := span{a.Called, v.watched()}
	noise := v.hides(span{a.Called, v.delayed(a.Called, due+v.t.allowance)})
	switch {
	case len(e.again[i]) > 0:
		t.hold(a.N, e.again[i][0].a.N)
	case len(e.unsure) > 0 || v.strayAt(e.endpoint) != nil:
		t.doubt([]int{a.N}, "no request is known to come from the replay of %s, but one at its endpoint cannot be told", e.name())
	case v.interrupted(e.endpoint, wait) != nil, v.stoppedWithin(e.endpoint, wait):
		t.doubt([]int{a.N}, "the replay of %s led to no request, but sender or endpoint was stopped meanwhile", e.name())
	case noise != nil:
		t.doubt([]int{a.N, noise.n}, "the replay of %s led to no request that was seen; "+hid, e.name(), noise.who(), dur(noise.late))
	default:
		t.failAbsent(wait, due, []int{a.N}, "the sender accepted the replay of %s, and no request followed by %s; its driver declares that it can replay",
			e.name(), dur(wait.to))
	}
}

// headersShown judges the headers that endpoints were configured with, apart from those that the sender sets itself.
func (v *view) headersShown(t *tally) {
	for _, r := range v.requests {
		ep := v.endpoint(r.a.Endpoint)
		if ep == nil || r.a.Origin == evidence.OriginHarness || r.ev == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(ep.Headers)) {
			switch want := ep.Headers[name]; {
			case slices.ContainsFunc(v.t.reserved(), func(own string) bool { return strings.EqualFold(own, name) }):
			case r.fields(name) == 1 && r.head.Get(name) == want:
				t.hold(r.a.N)
			default:
				t.breaks([]int{r.a.N}, "endpoint %s was configured with header %s: %s, and %s carries %q; its driver declares that it sets headers",
					ep.Name, name, clip(want), which(r), clip(r.head.Get(name)))
			}
		}
	}
}

// requestTime is how long a request may take: what is due after one comes that much later.
func (v *view) requestTime() time.Duration {
	if s := v.t.c.Schedule; s != nil {
		return s.Timeout
	}
	return 0
}

// stoppedWithin tells whether an endpoint was disabled or deleted within s.
func (v *view) stoppedWithin(endpoint string, s span) bool {
	for _, a := range v.acts {
		switch a.Act {
		case evidence.ActDisable, evidence.ActDelete:
			if (a.Endpoint == "" || a.Endpoint == endpoint) && a.Called < s.to && a.Called >= s.from {
				return true
			}
		default:
		}
	}
	return false
}

// fansOutUndeclared notes events that reached an endpoint for which they were not emitted.
func (v *view) fansOutUndeclared(t *tally) {
	if v.t.can(abilityFanOut) {
		return
	}
	for _, r := range v.requests {
		m := evidence.MarkerIn(r.payload)
		if r.ev != nil || m == "" || r.class == classCopy {
			continue
		}
		for i := range v.t.run.Acts {
			a := &v.t.run.Acts[i]
			if a.Act == evidence.ActEmit && a.OK() && a.Marker == m && a.Endpoint != "" && a.Endpoint != r.a.Endpoint {
				t.note([]int{a.N, r.a.N}, "an event that was emitted for endpoint %s reached endpoint %s; the driver does not declare the ability %s",
					a.Endpoint, r.a.Endpoint, abilityFanOut)
			}
		}
	}
}
