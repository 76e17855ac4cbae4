package judge

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// dies returns when the event must be a dead letter, terminal time and allowance included, and 0 with the reason why it cannot
// be told, or need not be one.
func (e *event) dies() (due time.Duration, why string) {
	v, s := e.v, e.v.t.c.Schedule
	n := len(e.tries)
	if n == 0 || !e.emit.OK() {
		return 0, "no attempt of " + e.name() + " arrived"
	}
	last := e.tries[n-1]
	got := v.read(last)
	end := last.latestEnd()
	switch {
	case got.onlyPermanent() && s == nil:
		due = end + v.t.allowance
	case got.onlyPermanent():
		due = end + s.TerminalDue() + v.lag() + v.t.allowance
	case !got.onlyTransient() || s == nil:
		return 0, e.name() + " did not fail for certain"
	case n >= s.Count():
		due = end + s.TerminalDue() + v.lag() + v.t.allowance
	case n >= s.Fewest():
		// It may have been the last one, or not: that shows once the next one could not come any more.
		b, _ := e.next(n)
		due = end + b.Max
		if _, late, ok := e.deadline(); ok {
			due = min(due, max(late, end))
		}
		due += s.TerminalDue() + v.lag() + v.t.allowance
	case e.stop(n) == stopWrong:
		return 0, e.name() + " had attempts and time left"
	default:
		_, late, _ := e.deadline()
		due = max(late, end) + s.TerminalDue() + v.lag() + v.t.allowance
	}
	switch {
	case v.lists("outcome.failure") && e.saidDelivered():
		return 0, "the log of " + e.name() + " says delivered, which outcome.failure judges"
	case len(e.unsure) > 0:
		return 0, "of " + e.name() + " " + unsureOf
	case !got.onlyPermanent() && e.mayHaveHidden(due):
		return 0, "noise may have hidden an attempt of " + e.name()
	case !got.onlyPermanent() && v.interrupted(e.endpoint, span{e.emit.Called, due}) != nil:
		return 0, "sender or listener was down while " + e.name() + " ran"
	case v.interrupted("", span{last.a.FirstByte, due}) != nil:
		return 0, "the sender was down when " + e.name() + " ended"
	case e.held(due):
		return 0, "the endpoint of " + e.name() + " was to get nothing for a time, or for good"
	}
	return due, ""
}

// saidDelivered tells whether the sender's log showed the event as delivered although none of its requests, replays included, can
// have got a success.
func (e *event) saidDelivered() bool {
	if slices.ContainsFunc(e.requests, func(r *request) bool { return r.class != classCopy && e.v.read(r).success }) {
		return false
	}
	return slices.ContainsFunc(e.logs, func(l *evidence.LogEntry) bool { return l.State == evidence.StateDelivered })
}

// deadReading is one reading of an endpoint's dead letters.
type deadReading struct {
	at, done time.Duration // when it was asked and answered
	n        int
	entries  []*evidence.DeadLetter // of one event
}

// deadReadings lists the readings of the dead letters of the event's endpoint, each with the event's entries in it. Without a
// record of the readings themselves each entry stands for one.
func (e *event) deadReadings() []deadReading {
	var out []deadReading
	for _, a := range e.v.acts {
		if a.Act == evidence.ActReadDead && a.OK() && (a.Endpoint == "" || a.Endpoint == e.endpoint) {
			out = append(out, deadReading{at: a.Called, done: a.Returned, n: a.N})
		}
	}
	if len(out) == 0 {
		for _, d := range e.dead {
			out = append(out, deadReading{at: d.Read, done: d.Read, n: d.N, entries: []*evidence.DeadLetter{d}})
		}
		return out
	}
	for _, d := range e.dead {
		for i := len(out) - 1; i >= 0; i-- {
			if out[i].at <= d.Read {
				out[i].entries = append(out[i].entries, d)
				break
			}
		}
	}
	return out
}

// keeps tells whether the contract promises a field of the dead letters; one that lists none promises all.
func (v *view) keeps(field string) bool {
	d := v.t.c.DeadLetter
	return len(d.Fields) == 0 || slices.Contains(d.Fields, field)
}

// "The dead letter keeps payload, last status, attempts, reason and replays": each event that was used up or refused has
// exactly one entry of its endpoint, and what it says is what was seen.
func dlqEntry(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		due, why := e.dies()
		if due == 0 {
			t.skip([]int{e.emit.N}, "%s", why)
			continue
		}
		r := e.lastReading(due)
		if r == nil {
			t.doubt([]int{e.emit.N}, "the dead letters of the endpoint of %s were not read after %s, when its entry was due", e.name(), dur(due))
			continue
		}
		v.hasEntry(t, e, due, r)
	}
	return t.sum("given-up events have one true entry each (events: %d)", "no event was given up for certain")
}

// lastReading is the last one in which the event's entry must stand: after it was due, and where replays are not recorded
// before the first of them.
func (e *event) lastReading(due time.Duration) *deadReading {
	var last *deadReading
	for _, r := range e.deadReadings() {
		if r.at < due || !e.v.keeps("replay") && e.replayedBy(r.done) {
			continue
		}
		last = &r
	}
	return last
}

func (v *view) hasEntry(t *tally, e *event, due time.Duration, r *deadReading) {
	last := e.tries[len(e.tries)-1]
	records := append([]int{r.n}, last.records()...)
	switch len(r.entries) {
	case 0:
		t.fail(span{last.a.FirstByte, r.done}, records, "%s was given up and had its entry due at %s, and the dead letters of its endpoint hold none at %s",
			e.name(), dur(due), dur(r.done))
		return
	case 1:
	default:
		t.breaks(records, "%s has %d entries among the dead letters of its endpoint; promised one", e.name(), len(r.entries))
		return
	}
	d := r.entries[0]
	records = append(records, d.N)
	for _, broke := range []string{v.wrongCount(e, d), v.wrongReason(last, d), v.wrongPayload(e, d), v.wrongReplays(e, d)} {
		if broke != "" {
			t.breaks(records, "the dead letter of %s %s", e.name(), broke)
			return
		}
	}
	if broke := v.wrongEnd(e, d, due); broke != "" {
		t.fail(span{last.a.FirstByte, due}, records, "the dead letter of %s %s", e.name(), broke)
		return
	}
	if v.keeps("attempts") && d.Attempts > e.counted() && e.uncounted(d) > 0 {
		if n := v.hides(span{e.emit.Called, last.a.FirstByte}); n != nil {
			records = append(records, n.n)
		}
		t.doubt(records, "the dead letter of %s counts %d attempts; %d were seen, and noise or a connection without a request may stand for others",
			e.name(), d.Attempts, len(e.tries))
		return
	}
	t.hold(records...)
}

func (v *view) wrongReason(last *request, d *evidence.DeadLetter) string {
	o := last.outcome()
	sure := o.End == evidence.EndComplete && o.Status != 0 && v.readLate(last) == (reads{})
	replayed := len(d.Replays) > 0 // what an entry says of its last status may then be the replay's
	switch text := d.Reason + " " + d.LastError; {
	case v.keeps("last_status") && sure && !replayed && d.LastStatus != o.Status:
		return "has last status " + num(d.LastStatus) + "; the last attempt got " + statusText(o.Status)
	case v.keeps("last_status") && o.Status == 0 && !replayed && d.LastStatus != 0:
		return "has last status " + num(d.LastStatus) + "; the last attempt ended with " + failure(o)
	case !v.keeps("reason") || replayed && d.Reason != "":
		return ""
	case strings.TrimSpace(d.Reason) == "":
		return "states no reason; the last attempt got " + failure(o)
	case sure && d.LastStatus == o.Status:
		return ""
	case o.Status == 0 && !namesError(text), sure && !v.names(last, text):
		return "has the reason " + strconv.Quote(clip(d.Reason)) + ", which does not name what the last attempt got: " + failure(o)
	}
	return ""
}

func (v *view) wrongPayload(e *event, d *evidence.DeadLetter) string {
	first := e.tries[0]
	if !v.keeps("payload") || !first.whole() || bytes.Equal(d.Payload, first.payload) || bytes.Equal(d.Payload, first.a.Body) {
		return ""
	}
	if len(d.Payload) == 0 {
		return "holds no payload"
	}
	own := v.t.ownValues() // a sender need not keep what it makes anew, nor the layout that it had with it
	if own != nil || v.t.c.Body == nil || v.t.c.Body.Stable == contract.StableMeaning {
		want, err1 := v.t.frozen(first)
		got, err2 := parseJSON(d.Payload)
		if own != nil {
			own.Strip(got)
		}
		if err1 == nil && err2 == nil && differ(want, got, "", false) == "" {
			return ""
		}
	}
	return "holds a payload of " + num(len(d.Payload)) + " bytes that are not the " + num(len(first.a.Body)) + " that were sent"
}

// wrongReplays says which replay that had ended well before the reading has no record, or a wrong one.
func (v *view) wrongReplays(e *event, d *evidence.DeadLetter) string {
	if !v.keeps("replay") {
		return ""
	}
	var ended []*request
	for _, round := range e.again {
		if n := len(round); n > 0 && round[n-1].outcome() != nil && v.delayed(round[n-1].a.FirstByte, v.recordedBy(round[n-1])) < d.Read {
			ended = append(ended, round[n-1])
		}
	}
	if len(d.Replays) < len(ended) {
		return "records " + num(len(d.Replays)) + " replays; " + num(len(ended)) + " were made"
	}
	for i, r := range ended {
		got, o := d.Replays[i], r.outcome()
		sure := o.End == evidence.EndComplete && o.Status != 0 && v.readLate(r) == (reads{})
		switch {
		case got.Outcome == "" && got.Status == 0 && got.Error == "":
			return "records replay " + num(i+1) + " without an outcome"
		case sure && got.Status != 0 && got.Status != o.Status:
			return "records " + statusText(got.Status) + " for replay " + num(i+1) + "; it got " + statusText(o.Status)
		case got.Outcome == evidence.StateDelivered && !v.read(r).success:
			return "records replay " + num(i+1) + " as delivered; it got " + failure(o)
		}
	}
	return ""
}

// wrongEnd compares the time at which the entry says that the event was given up.
func (v *view) wrongEnd(e *event, d *evidence.DeadLetter, due time.Duration) string {
	if d.At == nil || v.t.drifted != 0 || len(d.Replays) > 0 {
		return ""
	}
	at, last := v.onRun(*d.At), e.tries[len(e.tries)-1]
	room := v.logUnit() + v.t.allowance
	if at.to < last.start()-room || at.from > due+room {
		return "says that it was given up at " + dur(at.middle()) + " on the run's timeline; that was between " + dur(last.start()) + " and " + dur(due)
	}
	return ""
}

// "A permanent failure points to the endpoint's configuration": the entry of an event that was refused has a hint.
func dlqHint(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		n := len(e.tries)
		if n == 0 || !v.read(e.tries[n-1]).onlyPermanent() {
			continue
		}
		last := e.tries[n-1]
		switch {
		case n > 1 && v.read(e.tries[n-2]).onlyPermanent():
			t.skip(last.records(), "%s was retried after a permanent failure; retry.permanent judges that", e.name())
		case len(e.dead) == 0:
			t.doubt(last.records(), "%s failed permanently, and no dead letter of it was read", e.name())
		case strings.TrimSpace(e.dead[len(e.dead)-1].Hint) == "":
			t.breaks(append(last.records(), e.dead[len(e.dead)-1].N), "%s failed permanently with %s, and its dead letter has no hint",
				e.name(), failure(last.outcome()))
		default:
			t.hold(append(last.records(), e.dead[len(e.dead)-1].N)...)
		}
	}
	return t.sum("dead letters of permanent failures have a hint (events: %d)", "no attempt failed permanently")
}
