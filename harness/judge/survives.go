package judge

import (
	"cmp"
	"net/url"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// brokenOff is a connection that ended before the request of an event could be read from it: by our side, or by the sender for our
// certificate.
type brokenOff struct {
	e       *event
	opened  time.Duration // or the head of the request, on a kept connection
	at      time.Duration // when we ended it
	records []int
	how     string
	byID    bool // e is known by the id alone
}

// unread counts how many connections of an event brought no request, those that the sender gave up included: so many attempts it may
// have made by them.
type unread struct {
	made    int
	givenUp *evidence.Connection // the last that the sender gave up
}

func (u unread) and(c *evidence.Connection) unread {
	u.made++
	if c != nil && c.End == evidence.EndPeerGone && (u.givenUp == nil || u.givenUp.Opened < c.Opened) {
		u.givenUp = c
	}
	return u
}

// "No answer at all says nothing about the event": where a connection ended before its request could be read, another attempt
// follows. What ended after the request was read is retry.transient's.
func netSurvives(v *view) Verdict {
	t := &tally{v: v}
	last := map[*event]brokenOff{}
	all, came := v.brokenOff()
	for _, b := range all {
		last[b.e] = b
	}
	for _, e := range v.events {
		if b, ok := last[e]; ok {
			v.survives(t, b, came[e])
		}
	}
	return t.sum("events survived connections that ended before their requests were read (events: %d)",
		"no connection ended before a request could be read from it")
}

// brokenOff finds them, oldest first: on a connection of its own that brought nothing, by the address where only one event is due;
// on a kept connection by the id in the head, which came alone.
func (v *view) brokenOff() (out []brokenOff, came map[*event]unread) {
	came = map[*event]unread{}
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
		e := alone[c.Local]
		if e == nil || c.ID == 0 || c.Opened < e.emit.Called {
			continue
		}
		came[e] = came[e].and(c)
		if tlsFailed(c) && !v.t.c.TransientError(contract.ErrorTLS) {
			continue
		}
		switch {
		case v.ended(c.End):
			out = append(out, brokenOff{e, c.Opened, c.Closed, []int{c.N}, "we ended a connection to its endpoint", false})
		case refusedFlaw(c):
			how := "the sender refused the certificate of its endpoint, which " + flawText(c.TLS.Flaw) + ","
			out = append(out, brokenOff{e, c.Opened, c.Closed, []int{c.N}, how, false})
		}
	}
	for i := range v.t.run.Attempts {
		a := &v.t.run.Attempts[i]
		if a.Handled() || a.Origin == evidence.OriginHarness || a.Outcome == nil || a.Outcome.Status != 0 || !v.ended(a.Outcome.End) {
			continue
		}
		if e := v.byHead(a); e != nil {
			came[e] = came[e].and(nil)
			out = append(out, brokenOff{e, a.FirstByte, max(a.FirstByte, a.Outcome.Closed), []int{a.N, a.Outcome.N}, "we ended the kept connection that it came over", true})
		}
	}
	slices.SortStableFunc(out, func(a, b brokenOff) int { return cmp.Compare(a.opened, b.opened) })
	return out, came
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

// ownAt tells whether an endpoint got a request that belongs to no event of ours, such as a greeting on registration.
func (v *view) ownAt(endpoint string) bool {
	return slices.ContainsFunc(v.requests, func(r *request) bool {
		return r.a.Endpoint == endpoint && r.ev == nil && r.a.Origin != evidence.OriginHarness
	})
}

// mayBeOver tells whether attempts or deadline may be used up after an attempt of that number that ended at t; number 0 is the emit.
func (e *event) mayBeOver(number int, t time.Duration) bool {
	s := e.v.t.c.Schedule
	if s == nil {
		return false
	}
	over, _, limited := e.deadline()
	return number >= s.Fewest() || limited && e.v.mayOutlast(over, t, s.Wait(number+1).Max)
}

// survives judges the last of an event's connections that ended too early.
func (v *view) survives(t *tally, b brokenOff, came unread) {
	e := b.e
	for _, r := range e.requests {
		// Beside a ping, or on a busy machine, the next request comes before the end of the connection is seen.
		if r.class != classCopy && r.a.FirstByte >= b.opened {
			t.hold(append(b.records, r.a.N)...)
			return
		}
	}
	due := e.emit.Returned + Settled(v.t.c)
	switch {
	case b.byID && e.namesake() != nil:
		t.skip(b.records, idShared, e.name())
		return
	case !b.byID && v.ownAt(e.endpoint):
		t.skip(b.records, "the sender sent a request of its own to the endpoint of %s, which may have been the one that was not read", e.name())
		return
	case e.mayBeOver(came.made+len(e.tries), b.at):
		t.skip(b.records, "attempts or deadline of %s may have been used up", e.name())
		return
	case v.interrupted(e.endpoint, span{e.emit.Called, due + v.t.allowance}) != nil:
		t.skip(b.records, "sender or listener was down while %s was due", e.name())
		return
	case e.mayBeHeld(due):
		t.skip(b.records, "the endpoint of %s was to get nothing for a time, or for good", e.name())
		return
	case v.refusesSound(e):
		t.skip(b.records, "the sender refused the certificate for %s when it was in order; sec.tls judges that", e.name())
		return
	}
	if c := came.givenUp; c != nil && c.Opened > b.opened {
		if n := v.noiseIn(span{c.Opened, c.Closed}); n != nil {
			t.doubt(append(b.records, c.N, n.n), "the sender came again and gave up before it sent its request; but %s was late by %s then", n.who(), dur(n.late))
			return
		}
	}
	if s := v.t.c.Schedule; s != nil && !s.Stepped() {
		t.note(b.records, "%s before the request of %s was read, and no attempt followed until %s; the contract does not say by when one must",
			b.how, e.name(), dur(v.watched()))
		return
	}
	t.failAbsent(span{b.at, v.watched()}, due, append(b.records, e.emit.N), "%s at %s before the request of %s was read, and no attempt followed until %s",
		b.how, dur(b.at), e.name(), dur(v.watched()))
}

func needSurvives(t *trial) string {
	return firstReason(unless(t.c.TransientError(contract.ErrorConnection), "retry after a connection error"), needRetries(t))
}
