package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// clearWait is the least wait before an attempt whose advertised time is judged, the log's lag apart: what is advertised must
// have been readable well before the attempt.
const clearWait = time.Second

// "The log says when the next try is": the attempt comes at the advertised time, and at the end nothing is advertised.
func logNextAttempt(v *view) Verdict {
	t := &tally{v: v}
	if v.t.drifted != 0 {
		t.doubtClocks("advertised times")
		return t.sum("", "")
	}
	var ends [][]int
	for _, e := range v.events {
		for _, l := range e.logs {
			if l.Err != "" || e.replayedBy(l.Read) {
				continue
			}
			if k := e.betweenAttempts(l.Read); k >= 0 {
				v.advertises(t, e, k, l)
			} else if e.endedBy(l.Read) && l.State != evidence.StatePending {
				if l.Next != nil {
					t.breaks([]int{l.N}, "%s had ended, and its log still advertises an attempt at %s", e.name(), dur(v.onRun(*l.Next).middle()))
					continue
				}
				ends = append(ends, []int{l.N})
			}
		}
	}
	if len(t.holds) > 0 {
		for _, records := range ends {
			t.hold(records...)
		}
	}
	return t.sum("advertised attempts came when the log said, and none is advertised at the end (readings: %d)",
		"no log was read before an attempt that had at least "+dur(clearWait+2*v.lag())+" to wait")
}

// betweenAttempts returns the number of attempts before t, if another one follows and t lies in a wait before it that is long
// enough to judge what is advertised; else -1.
func (e *event) betweenAttempts(t time.Duration) int {
	k := 0
	for k < len(e.tries) && e.tries[k].a.FirstByte <= t {
		k++
	}
	if k == len(e.tries) {
		return -1
	}
	v := e.v
	known, least := e.emit.Returned, e.ordinary(1).Min
	if k > 0 {
		b, _ := e.next(k)
		known, least = e.tries[k-1].latestEnd(), b.Min
	}
	settled := t > known+v.lag()+v.t.allowance
	if !settled || least < clearWait+2*v.lag() || k > 0 && e.tries[k-1].outcome() == nil {
		return -1
	}
	next := e.tries[k].a.FirstByte
	if e.replayedBy(next) || v.interrupted(e.endpoint, span{known, next}) != nil || e.held(next) || len(e.unsure) > 0 || e.mayHaveHidden(t) {
		return -1
	}
	return k
}

// advertises compares what a log said after attempt k with the start of the next one.
func (v *view) advertises(t *tally, e *event, k int, l *evidence.LogEntry) {
	to := e.tries[k]
	records := []int{l.N, to.a.N}
	if l.State != evidence.StatePending {
		t.skip(records, "the log said %q between two attempts of %s; other checks judge that", clip(l.State), e.name())
		return
	}
	if l.Next == nil {
		v.advertisesNone(t, e, k, l)
		return
	}
	at := v.onRun(*l.Next)
	room := v.logUnit() + v.lag() + v.t.allowance
	came := to.a.FirstByte
	if came < at.from-room || came > at.to+room {
		since, _ := v.knewBy(e, k)
		t.fail(span{since, came}, records, "the log of %s advertised attempt %d for %s at %s; it came at %s, allowance %s",
			e.name(), k+1, dur(at.middle()), dur(l.Read), dur(came), dur(room))
		return
	}
	t.hold(records...)
}

// knewBy is when the log had to know of attempt k, or of the emit, and since when noise may have kept it from that.
func (v *view) knewBy(e *event, k int) (since, due time.Duration) {
	if k == 0 {
		return e.emit.Called, e.emit.Returned + v.lag() + v.t.allowance
	}
	return e.tries[k-1].a.FirstByte, v.recordedBy(e.tries[k-1])
}

// advertisesNone judges a log that said after attempt k that the event is pending, and not until when. While an attempt is under way, or
// its end is not recorded yet, that is right; by our clock noise may have moved the reading out of that time at either end.
func (v *view) advertisesNone(t *tally, e *event, k int, l *evidence.LogEntry) {
	to := e.tries[k]
	records := []int{l.N, to.a.N}
	since, due := v.knewBy(e, k)
	before := to.start() - v.t.allowance - l.Read
	if before <= 0 {
		t.skip(records, "the log of %s advertised no attempt at %s, when attempt %d may have begun", e.name(), dur(l.Read), k+1)
		return
	}
	t.failBy(span{since, to.a.FirstByte}, min(l.Read-due, before), records, "%s was pending at %s, and its log advertised no attempt; attempt %d came at %s",
		e.name(), dur(l.Read), k+1, dur(to.a.FirstByte))
}

// endedBy tells whether the event had ended by t for certain: by a success, or as a dead letter.
func (e *event) endedBy(t time.Duration) bool {
	if k := e.firstSuccess(); k > 0 && k == len(e.tries) {
		return e.tries[k-1].latestEnd()+e.v.lag()+e.v.t.allowance < t
	}
	due, _ := e.dies()
	return due != 0 && due < t
}
