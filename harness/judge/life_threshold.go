package judge

import (
	"cmp"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// findAutoPauses lists the stretches in which an endpoint was to get nothing because the sender itself had disabled it, or may
// have. One that begins too early is among them, so that no other check judges what is missing then.
func (v *view) findAutoPauses(endpoint string) []pause {
	if v.t.c.AutoDisable == nil {
		return nil
	}
	var out []pause
	since := time.Duration(-1)
	for {
		ticks := v.ticksOf(endpoint, since)
		at := v.reaches(ticks)
		p := pause{asked: at.maybe, from: at.sure, sure: true, n: at.n, auto: true, why: ruleText(v.t.c.AutoDisable)}
		if at.sure == never {
			p.from, p.sure = at.maybe, false
		}
		if q := v.tooEarly(endpoint, since, at.maybe); q != nil && v.lists("life.threshold") {
			p.asked, p.from, p.sure, p.early = q.last.from, q.last.to, false, q
		}
		if p.from == never {
			return out
		}
		p.from, p.to, p.resumed = max(p.from, since), never, never
		p.endBy(v.enableAfter(endpoint, max(p.from, since+1))) // not by the one that ended the stretch before
		out = append(out, p)
		since = max(p.to, p.resumed) // beyond the one before, whatever the evidence says
		if p.enable == nil || since == never {
			return out
		}
	}
}

// enableAfter returns the first enable of the endpoint since an instant, nil if there is none.
func (v *view) enableAfter(endpoint string, since time.Duration) (first *evidence.Act) {
	for _, a := range v.acts {
		if a.Act == evidence.ActEnable && a.OK() && (a.Endpoint == "" || a.Endpoint == endpoint) && a.Called >= since &&
			(first == nil || a.Called < first.Called) {
			first = a
		}
	}
	return first
}

// early is the sign that an endpoint was disabled before its time.
type early struct {
	last  tick   // the failure after which nothing more came
	count int    // failed attempts since a success, up to then
	e     *event // that was to come, and did not
	until time.Duration
	other *request // what came to another endpoint meanwhile
	noise *noisy   // that may have hidden an attempt, which failed then and counts; nil: none
}

// tooEarly looks for an event that was to come to an endpoint that had failed, and had not failed often or long enough, where
// nothing more came there, and something did to another endpoint of the scenario; nil if there is none.
func (v *view) tooEarly(endpoint string, since, allowed time.Duration) *early {
	until := v.watched()
	if a := v.enableAfter(endpoint, since+1); a != nil {
		until = min(until, a.Called)
	}
	ticks := cutTicks(v.attemptTicks(endpoint), since)
	slices.SortStableFunc(ticks, func(a, b tick) int { return cmp.Compare(a.to, b.to) })
	for _, e := range v.events {
		if e.endpoint != endpoint || len(e.requests) > 0 || e.maybe || e.emit.Called <= since || e.emit.Called >= min(until, allowed) {
			continue
		}
		due := v.firstDue(e)
		q := &early{
			e: e, until: until, other: v.cameElsewhere(endpoint, span{e.emit.Called, until}),
			noise: v.hides(span{e.emit.Called, due + v.t.allowance}),
		}
		if q.other == nil || v.cameTo(endpoint, span{e.emit.Called, until}) != nil || !q.failing(ticks) {
			continue
		}
		// Whoever refuses one event under load takes the next one, and refuses those for others too.
		if !e.emit.OK() && v.accepts(endpoint, span{e.emit.Called, until}) {
			continue
		}
		if due >= allowed || e.behind() || v.interrupted(endpoint, span{q.last.from, due}) != nil || e.mayBeHeld(due) {
			continue
		}
		return q
	}
	return nil
}

// failing tells whether the last of the ticks before the event is a failure for certain, and counts those since a success.
func (q *early) failing(ticks []tick) bool {
	q.count = 0
	for _, k := range ticks {
		switch {
		case k.from >= q.e.emit.Called:
		case k.succeeded && !k.failed:
			q.count, q.last = 0, tick{}
		default:
			q.count++
			q.last = k
		}
	}
	return q.count > 0 && !q.last.succeeded && !q.last.vague
}

// firstDue is when the first attempt of an event is due at the latest.
func (v *view) firstDue(e *event) time.Duration {
	if s := v.t.c.Schedule; s != nil {
		return e.emit.Returned + s.Wait(1).Max
	}
	return e.emit.Returned
}

// cameTo returns a request of the sender's to an endpoint within s, nil if there is none.
func (v *view) cameTo(endpoint string, s span) *request {
	return v.came(s, func(r *request) bool { return r.a.Endpoint == endpoint })
}

func (v *view) cameElsewhere(endpoint string, s span) *request {
	return v.came(s, func(r *request) bool { return r.a.Endpoint != endpoint })
}

func (v *view) came(s span, which func(*request) bool) *request {
	for _, r := range v.requests {
		if r.a.Origin != evidence.OriginHarness && s.from <= r.a.FirstByte && r.a.FirstByte < s.to && which(r) {
			return r
		}
	}
	return nil
}

// accepts tells whether the sender took an event for an endpoint within s.
func (v *view) accepts(endpoint string, s span) bool {
	return slices.ContainsFunc(v.events, func(e *event) bool {
		return e.endpoint == endpoint && e.emit.OK() && s.from < e.emit.Called && e.emit.Called < s.to
	})
}

// "An endpoint that has failed as often, or for as long, as the contract says is disabled then, and not before."
func lifeThreshold(v *view) Verdict {
	t := &tally{v: v}
	for _, ep := range v.endpoints {
		for _, p := range v.pauses[ep.Name] {
			switch {
			case p.early != nil:
				v.disabledEarly(t, ep.Name, p.early)
			case p.auto && p.sure:
				v.staysSilent(t, ep.Name, p)
			case p.auto:
				t.skip(nil, "it is not certain that endpoint %s had to be disabled", ep.Name)
			}
		}
	}
	return t.sum("endpoints that kept failing were disabled, and not too early (endpoints: %d)",
		"no endpoint failed as often, or for as long, as it takes to disable it")
}

func (v *view) disabledEarly(t *tally, endpoint string, q *early) {
	records := []int{q.last.n, q.e.emit.N, q.other.a.N}
	const text = "after %d %s in a row at endpoint %s nothing more came there, while others were served: %s; the contract disables it after %s"
	what, rule := plural(q.count, "failed attempt"), ruleText(v.t.c.AutoDisable)
	missed := q.e.name() + " did not arrive"
	if !q.e.emit.OK() {
		missed = "an emit was refused"
	}
	switch {
	case q.e.emit.OK() && q.e.mayBeOver(0, q.e.emit.Returned):
		t.doubt(records, text+", but noise may have kept it until its deadline", q.count, what, endpoint, missed, rule)
	case q.noise != nil:
		t.doubt(append(records, q.noise.n), text+"; "+hid, q.count, what, endpoint, missed, rule, q.noise.who(), dur(q.noise.late))
	case !q.e.emit.OK():
		t.fail(span{q.last.from, q.e.emit.Returned}, records, text, q.count, what, endpoint, missed, rule)
	default:
		t.failAbsent(span{q.e.emit.Called, q.until}, v.firstDue(q.e), records, text, q.count, what, endpoint, missed, rule)
	}
}

func needThreshold(t *trial) string {
	return unless(t.c.AutoDisable != nil, "disabling of endpoints that keep failing")
}
