package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// "Business change and event are committed together or not at all": the event of a change that was rolled back never arrives
// anywhere.
func durableNoPhantom(v *view) Verdict {
	t := &tally{v: v}
	for _, a := range v.acts {
		if a.Act != evidence.ActEmitRolledBack {
			continue
		}
		due := v.lateEnd(a.Returned)
		switch r := v.t.marked(a.Marker); {
		case !a.OK():
			t.skip([]int{a.N}, "the change was not rolled back as asked: %s", clip(a.Err))
		case r != nil:
			t.breaks([]int{a.N, r.a.N}, "the change with marker %s was rolled back at %s, and yet its event arrived at %s of endpoint %s",
				a.Marker, dur(a.Returned), dur(r.a.FirstByte), r.a.Endpoint)
		case v.watched() < due:
			t.doubt([]int{a.N}, "the watch ended at %s; an event of the change that was rolled back could have come as late as %s", dur(v.watched()), dur(due))
		case !v.alive():
			t.skip([]int{a.N}, "no event that was not rolled back arrived, so that the absence of one shows nothing")
		default:
			v.noPhantom(t, a)
		}
	}
	return t.sum("no event of a change that was rolled back arrived (changes: %d)", "no change was rolled back")
}

// noPhantom notes that nothing came of a change that was rolled back, if what would have come must have been seen.
func (v *view) noPhantom(t *tally, a *evidence.Act) {
	if n := v.phantomUnseen(a); n != nil {
		t.doubt([]int{a.N, n.n}, "no event of the change that was rolled back was seen; "+hid, n.who(), dur(n.late))
		return
	}
	t.hold(a.N)
}

// phantomUnseen returns the noise that may have hidden every attempt of an event of a rolled-back change; nil if one must have been seen.
func (v *view) phantomUnseen(a *evidence.Act) *noisy {
	s := v.t.c.Schedule
	if len(v.t.hiding) == 0 { // none without a schedule
		return nil
	}
	e := &event{v: v, emit: a}
	return e.hiddenFrom(1, span{a.Called, a.Returned + s.Wait(1).Max + v.t.allowance}, v.watched())
}

// lateEnd is when the schedule of an event accepted at t has ended, whatever happens.
func (v *view) lateEnd(t time.Duration) time.Duration {
	if s := v.t.c.Schedule; s != nil {
		window := s.Deadline
		if window == 0 && s.Stepped() {
			window = s.Total().Max + time.Duration(s.Count())*s.RequestTime()
		}
		t += window
	}
	return t + v.t.allowance
}

// marked returns a request of the sender's anywhere that holds a marker, or nil.
func (t *trial) marked(marker string) *request {
	if marker == "" {
		return nil
	}
	for _, v := range t.views {
		for _, r := range v.requests {
			if r.class != classCopy && r.a.Origin != evidence.OriginHarness && evidence.MarkerIn(r.payload) == marker {
				return r
			}
		}
	}
	return nil
}

// alive tells whether an event of the scenario arrived.
func (v *view) alive() bool {
	for _, e := range v.events {
		if len(e.tries) > 0 {
			return true
		}
	}
	return false
}
