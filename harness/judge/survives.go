package judge

import (
	"cmp"
	"net/url"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// brokenOff is a connection that our side ended before the request of an event could be read from it.
type brokenOff struct {
	e       *event
	at      time.Duration
	records []int
	how     string
}

// "No answer at all says nothing about the event": where a connection ended before its request could be read, another attempt
// follows. What ended after the request was read is retry.transient's.
func netSurvives(v *view) Verdict {
	t := &tally{v: v}
	last := map[*event]brokenOff{}
	times := map[*event]int{}
	for _, b := range v.brokenOff() {
		last[b.e] = b
		times[b.e]++
	}
	for _, e := range v.events {
		if b, ok := last[e]; ok {
			v.survives(t, b, times[e])
		}
	}
	return t.sum("events survived connections that ended before their requests were read (events: %d)",
		"no connection ended before a request could be read from it")
}

// brokenOff finds them, oldest first: on a connection of its own that brought nothing, by the address where only one event is due;
// on a kept connection by the id in the head, which came alone.
func (v *view) brokenOff() []brokenOff {
	var out []brokenOff
	alone := map[string]*event{} // by address
	for _, e := range v.events {
		if u, err := url.Parse(v.urlOf(e)); err == nil {
			if _, there := alone[u.Host]; there {
				alone[u.Host] = nil
				continue
			}
			alone[u.Host] = e
		}
	}
	for i := range v.t.run.Connections {
		c := &v.t.run.Connections[i]
		if e := alone[c.Local]; e != nil && c.ID != 0 && c.Opened >= e.emit.Called && v.ended(c.End) {
			out = append(out, brokenOff{e, c.Closed, []int{c.N}, "a connection to its endpoint"})
		}
	}
	for i := range v.t.run.Attempts {
		a := &v.t.run.Attempts[i]
		if a.Handled() || a.Origin == evidence.OriginHarness || a.Outcome == nil || a.Outcome.Status != 0 || !v.ended(a.Outcome.End) {
			continue
		}
		if e := v.byHead(a); e != nil {
			out = append(out, brokenOff{e, max(a.FirstByte, a.Outcome.Closed), []int{a.N, a.Outcome.N}, "the kept connection that it came over"})
		}
	}
	slices.SortStableFunc(out, func(a, b brokenOff) int { return cmp.Compare(a.at, b.at) })
	return out
}

// ended tells whether it was our side that ended a connection.
func (v *view) ended(end string) bool { return end == evidence.EndClosed || end == evidence.EndReset }

// urlOf is what the endpoint of an event was registered with.
func (v *view) urlOf(e *event) string {
	if ep := v.endpoint(e.endpoint); ep != nil {
		return ep.URL
	}
	return ""
}

// byHead returns the event of a request of which there is only a head.
func (v *view) byHead(a *evidence.Attempt) *event {
	id := v.t.readRequest(a).ids.header
	if id == "" || v.endpoint(a.Endpoint) == nil {
		return nil
	}
	for _, e := range v.events {
		if e.endpoint == a.Endpoint && slices.Contains(e.known, id) {
			return e
		}
	}
	return nil
}

func (v *view) survives(t *tally, b brokenOff, times int) {
	e := b.e
	for _, r := range e.requests {
		if r.class != classCopy && r.a.FirstByte >= b.at {
			t.hold(append(b.records, r.a.N)...)
			return
		}
	}
	due := e.emit.Returned + Settled(v.t.c)
	switch s := v.t.c.Schedule; {
	case s != nil && times+len(e.tries) >= s.Count():
		t.skip(b.records, "%s may have had all its attempts", e.name())
		return
	case v.interrupted(e.endpoint, span{e.emit.Called, due + v.t.allowance}) != nil:
		t.skip(b.records, "sender or listener was down while %s was due", e.name())
		return
	case e.held(due):
		t.skip(b.records, "the endpoint of %s was to get nothing for a time, or for good", e.name())
		return
	}
	t.failAbsent(span{b.at, v.watched()}, due, append(b.records, e.emit.N), "we ended %s at %s before the request of %s was read, and no attempt followed until %s",
		b.how, dur(b.at), e.name(), dur(v.watched()))
}

func needSurvives(t *trial) string {
	return firstReason(unless(t.c.TransientError(contract.ErrorConnection), "retry after a connection error"), needRetries(t))
}
