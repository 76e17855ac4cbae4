package judge

import (
	"fmt"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// fit says whether an event lies in a range of acceptance times.
type fit string

const (
	inside  fit = "inside"
	outside fit = "outside"
	across  fit = "across" // the clocks do not tell
)

// fit compares the span of the emit with a range, on the sender's clock and one unit apart. Where the sender's and our clock
// cannot be compared, or the range has no bounds in the evidence, they do not tell.
func (e *event) fit(a *evidence.Act) fit {
	if a.From == nil || a.To == nil || e.v.t.drifted != 0 {
		return across
	}
	from, to := e.v.onRun(*a.From), e.v.onRun(*a.To)
	early, late := e.emit.Called-timeUnit, e.emit.Returned+timeUnit
	switch {
	case early >= from.to && late < to.from:
		return inside
	case late < from.from || early >= to.to:
		return outside
	}
	return across
}

// calledFor lists the replay calls that concern the event for certain: those for it alone, those for a range that it lies in, and
// those after which it came again.
func (e *event) calledFor() []*evidence.Act {
	var out []*evidence.Act
	for k, a := range e.replays {
		if a.Act == evidence.ActReplay || len(e.again[k]) > 0 || e.fit(a) == inside {
			out = append(out, a)
		}
	}
	return out
}

// "Replay by time range": exactly the dead letters of the range are replayed, each as often as one replay makes attempts.
func replayRange(v *view) Verdict {
	t := &tally{v: v}
	for _, a := range v.replayed {
		if a.Act != evidence.ActReplayRange {
			continue
		}
		for _, e := range v.events {
			if a.Endpoint == "" || a.Endpoint == e.endpoint {
				v.replaysRight(t, e, a)
			}
		}
	}
	if len(t.fails)+len(t.doubts) == 0 && len(t.holds) > 0 && !v.rangeHit() {
		t.doubt(nil, "no dead letter of the range came again, and that alone shows nothing")
	}
	return t.sum("exactly the dead letters of the range were replayed (dead letters: %d)", "no replay by range that the sender accepted met a dead letter")
}

// rangeHit tells whether some dead letter lay in a range and was replayed.
func (v *view) rangeHit() bool {
	for _, e := range v.events {
		for k, a := range e.replays {
			if a.Act == evidence.ActReplayRange && len(e.again[k]) > 0 && e.fit(a) == inside {
				return true
			}
		}
	}
	return false
}

// replaysRight judges one event at the endpoint of a replay by range.
func (v *view) replaysRight(t *tally, e *event, a *evidence.Act) {
	got := e.roundOf(a)
	n := len(got)
	records := append([]int{a.N, e.emit.N}, recordsOf(got...)...)
	switch lies := e.fit(a); {
	case e.emit.Called > a.Called || !e.emit.OK():
	case e.ownSuccess(a.Called) && n > 0:
		t.breaks(records, "%s was delivered before the replay of a range of dead letters, and yet it came again", e.name())
	case lies == outside && n > 0:
		t.breaks(records, "%s was replayed, but it was accepted at %s; the range is %s", e.name(), dur(e.emit.Returned), rangeText(v, a))
	case !e.deadBy(a.Called):
		t.skip(records, "%s was no dead letter for certain when the range was replayed", e.name())
	case lies == across:
		t.skip(records, "the clocks do not tell whether %s lies in the range", e.name())
	case n == 0 && v.interrupted(e.endpoint, span{a.Called, v.replayDue(a)}) != nil:
		t.skip(records, "sender or listener was down after the replay")
	case lies == outside && v.watched() < v.replayDue(a):
		t.doubt(records, "the watch ended at %s, too early to see whether %s, which lies outside the range, is replayed", dur(v.watched()), e.name())
	case lies == outside:
		t.hold(records...)
	case n == 0 && e.paused(a):
		t.skip(records, "the endpoint of %s was to get nothing", e.name())
	case n == 0 && v.hides(span{a.Called, v.delayed(a.Called, v.replayDue(a))}) != nil:
		noise := v.hides(span{a.Called, v.delayed(a.Called, v.replayDue(a))})
		t.doubt(append(records, noise.n), "%s was not replayed that was seen; "+hid, e.name(), noise.who(), dur(noise.late))
	case n == 0:
		t.failAbsent(span{a.Called, v.watched()}, v.replayDue(a)-v.t.allowance, records,
			"%s was accepted at %s, inside the range %s, and was not replayed until %s", e.name(), dur(e.emit.Returned), rangeText(v, a), dur(v.watched()))
	case v.t.c.Replay.Attempts > 0 && n > v.t.c.Replay.Attempts:
		t.breaks(records, "the replay of %s made %d attempts; promised %d", e.name(), n, v.t.c.Replay.Attempts)
	default:
		t.hold(records...)
	}
}

// replayDue is when a replay must have been seen, the allowance included: nothing is promised of its wait, so that it has what
// the first attempt of an event has, and the time of one request for those before it.
func (v *view) replayDue(a *evidence.Act) time.Duration {
	due := a.Returned + v.t.allowance
	if s := v.t.c.Schedule; s != nil {
		due += s.Wait(1).Max + s.Timeout
	}
	return due
}

func rangeText(v *view, a *evidence.Act) string {
	return fmt.Sprintf("from %s to %s", dur(v.onRun(*a.From).middle()), dur(v.onRun(*a.To).middle()))
}

func (e *event) roundOf(a *evidence.Act) []*request {
	for k, r := range e.replays {
		if r == a {
			return e.again[k]
		}
	}
	return nil
}

func (e *event) paused(a *evidence.Act) bool {
	return e.v.paused(e.endpoint, span{a.Called, e.v.replayDue(a)})
}

// deliveredBy tells whether a complete success had reached the sender by t, replays included.
func (e *event) deliveredBy(t time.Duration) bool {
	for _, r := range e.requests {
		if r.class != classCopy && e.v.answeredWell(r) && r.latestEnd() <= t {
			return true
		}
	}
	return false
}

// ownSuccess tells whether an attempt of the schedule had brought a success by t, which the sender cannot have missed.
func (e *event) ownSuccess(t time.Duration) bool {
	return slices.ContainsFunc(e.tries, func(r *request) bool { return r.latestEnd() <= t && e.v.read(r).onlySuccess() })
}

// deadBy tells whether the event was a dead letter at t for certain: the sender's records say so, or what was seen does.
func (e *event) deadBy(t time.Duration) bool {
	if e.deliveredBy(t) {
		return false
	}
	for _, d := range e.dead {
		if d.Read <= t {
			return true
		}
	}
	for _, l := range e.logs {
		if l.Err == "" && l.State == evidence.StateDead && l.Read <= t {
			return true
		}
	}
	due, _ := e.dies()
	return due != 0 && due <= t
}
