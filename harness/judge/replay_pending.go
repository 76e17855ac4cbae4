package judge

import "github.com/hookassay/hookassay/harness/evidence"

func needPending(t *trial) string {
	return unless(t.c.Replay != nil && t.c.Replay.Pending == "refuse" && t.c.Schedule != nil, "refusal of the replay of a pending event")
}

// "A pending event is not replayed": while an event surely waits for its next attempt, a replay of it is refused.
func replayPending(v *view) Verdict {
	t := &tally{v: v}
	for _, a := range v.acts {
		if a.Act != evidence.ActReplay {
			continue
		}
		for _, e := range v.events {
			if e.marker != a.Marker || a.Marker == "" || e.endpoint != a.Endpoint {
				continue
			}
			last := e.waitsDuring(a)
			switch {
			case last == nil:
				t.skip([]int{a.N}, "it is not certain that %s was pending when its replay was asked for", e.name())
			case v.interrupted(e.endpoint, span{last.a.FirstByte, a.Returned}) != nil:
				t.skip([]int{a.N}, "sender or listener was down when the replay of %s was asked for", e.name())
			case a.OK():
				t.fail(span{last.a.FirstByte, a.Returned}, append(last.records(), a.N), "a replay of %s was accepted at %s, while it waited for attempt %d",
					e.name(), dur(a.Returned), last.number+1)
			default:
				t.hold(append(last.records(), a.N)...)
			}
		}
	}
	return t.sum("replays of pending events were refused (replays: %d)", "no replay was asked for while an event was pending")
}

// waitsDuring returns the attempt after which the event surely waited for the next one during all of a call, or nil.
func (e *event) waitsDuring(a *evidence.Act) *request {
	var last *request
	for _, r := range e.tries {
		if r.a.FirstByte < a.Called {
			last = r
		}
	}
	if last == nil || last.latestEnd() >= a.Called || !e.v.read(last).onlyTransient() || e.held(a.Returned) {
		return nil
	}
	if e.stop(last.number) != stopWrong && !e.saidPending(span{last.latestEnd(), a.Called}) {
		return nil
	}
	if b, _ := e.next(last.number); last.earliestEnd()+b.Min <= a.Returned {
		return nil
	}
	return last
}

// saidPending tells whether the sender's log, read within s, said that the event is pending and when its next attempt is. What it says of
// an attempt that came before s is old.
func (e *event) saidPending(s span) bool {
	for _, l := range e.logs {
		if l.Err == "" && l.State == evidence.StatePending && l.Next != nil && s.from < l.Read && l.Read <= s.to && e.v.onRun(*l.Next).from > s.from {
			return true
		}
	}
	return false
}
