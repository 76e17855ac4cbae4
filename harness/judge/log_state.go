package judge

import (
	"slices"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// "The log says what state the event is in and why it last failed": as it was really seen when the log was read, its lag
// respected. A state that another check judges, in this scenario or by a failure elsewhere in the run, is left to that.
func logState(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		for _, l := range e.logs {
			switch {
			case l.Err != "":
				t.skip([]int{l.N}, "the log of %s could not be read: %s", e.name(), clip(l.Err))
			case e.replayedBy(l.Read):
				t.skip([]int{l.N}, "the log of %s was read after a replay", e.name())
			default:
				v.saysState(t, e, l)
			}
		}
	}
	return t.sum("state and last failure are as seen (readings: %d)", "no log was read")
}

// knownBy lists the attempts before t, all of which must have been recorded by then; ok is false if one is still open, or some
// may have reached nobody.
func (e *event) knownBy(t time.Duration) (tries []*request, ok bool) {
	v := e.v
	for _, r := range e.tries {
		if r.a.FirstByte > t {
			break
		}
		if r.outcome() == nil || v.recordedBy(r) > t {
			return nil, false
		}
		tries = append(tries, r)
	}
	ok = len(e.unsure) == 0 && !e.mayHaveHidden(t) && v.interrupted(e.endpoint, span{e.emit.Called, t}) == nil && !e.held(t)
	return tries, ok
}

func (v *view) saysState(t *tally, e *event, l *evidence.LogEntry) {
	tries, ok := e.knownBy(l.Read)
	if !ok || len(tries) == 0 {
		t.skip([]int{l.N}, "the log of %s was read while it is not certain what it had to say", e.name())
		return
	}
	last := tries[len(tries)-1]
	records := append([]int{l.N}, last.records()...)
	wants, owner := e.stateAt(tries, l.Read)
	named := slices.Contains([]string{evidence.StatePending, evidence.StateDelivered, evidence.StateDead}, l.State)
	switch {
	case wants == "" || !named:
		t.skip(records, "it is not certain which state the log of %s had to say", e.name())
		return
	case l.State != wants && owner(l.State) != "":
		t.doubt(records, "the log of %s says %s at %s and not %s; %s judges that", e.name(), l.State, dur(l.Read), wants, owner(l.State))
		return
	case l.State != wants:
		t.fail(span{last.a.FirstByte, l.Read}, records, "the log of %s says %s at %s; %s got %s at %s, so that it is %s",
			e.name(), l.State, dur(l.Read), which(last), failure(last.outcome()), dur(last.latestEnd()), wants)
		return
	}
	if broke := v.wrongFailure(tries, l); broke != "" {
		t.failBy(span{last.a.FirstByte, l.Read}, l.Read-v.recordedBy(last), records, "the log of %s %s", e.name(), broke)
		return
	}
	t.hold(records...)
}

// stateAt is the state in which the event must be at t, after these attempts, with who judges another one; "" if that is not
// certain.
func (e *event) stateAt(tries []*request, t time.Duration) (state string, owner func(string) string) {
	v := e.v
	last := tries[len(tries)-1]
	owns := func(id string, says ...string) func(string) string {
		return func(state string) string {
			if slices.Contains(says, state) && (v.lists(id) || v.t.failsSomewhere(id)) {
				return id
			}
			return ""
		}
	}
	got := v.read(last)
	due, _ := e.dies()
	ended := len(tries) == len(e.tries)
	switch {
	case got.onlySuccess():
		return evidence.StateDelivered, owns("outcome.2xx", evidence.StatePending, evidence.StateDead)
	case got.success:
		return "", owns("")
	case !ended && got.onlyTransient():
		return evidence.StatePending, owns("outcome.failure", evidence.StateDelivered)
	case ended && due != 0 && due < t && got.onlyTransient() && v.t.c.Schedule.Deadline > 0:
		return evidence.StateDead, func(state string) string {
			return owns("outcome.failure", evidence.StateDelivered)(state) + owns("budget.deadline", evidence.StatePending)(state)
		}
	case ended && due != 0 && due < t:
		return evidence.StateDead, owns("outcome.failure", evidence.StateDelivered)
	}
	return "", owns("")
}

// wrongFailure says how the log's last failure is not that of the last attempt that failed; "" if it is. The words are the
// sender's own: they must name the status, or, where there was none, no status of another attempt.
func (v *view) wrongFailure(tries []*request, l *evidence.LogEntry) string {
	var failed *request
	for _, r := range slices.Backward(tries) {
		if got := v.read(r); !got.success {
			failed = r
			break
		} else if !got.onlySuccess() {
			return ""
		}
	}
	switch {
	case failed == nil && l.LastFailure != "":
		return "names a failure, " + strconv.Quote(clip(l.LastFailure)) + ", though no attempt failed"
	case failed == nil, l.LastFailure == "" && l.State == evidence.StateDelivered:
		return ""
	case l.LastFailure == "":
		return "names no failure; " + which(failed) + " got " + failure(failed.outcome())
	}
	if v.names(failed, l.LastFailure) {
		return ""
	}
	return "names " + strconv.Quote(clip(l.LastFailure)) + " as last failure; " + which(failed) + " got " + failure(failed.outcome())
}
