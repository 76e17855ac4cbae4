package judge

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// gap is the wait before an attempt, as far as it can be known from outside.
type gap struct {
	before *request // nil: the wait between emit and attempt 1
	to     *request
	// longest runs from the earliest instant at which the sender can have known, shortest from the latest one.
	longest, shortest time.Duration
	// give is what the lower bound allows for, because the sender saw the end of the attempt before we did.
	give time.Duration
}

// gapTo returns the wait before attempt k of the schedule, k from 1.
func (e *event) gapTo(k int) gap {
	to := e.tries[k-1]
	at := to.a.FirstByte
	if k == 1 {
		s := e.emitted()
		moved := e.v.advanced(span{s.from, at})
		return gap{to: to, longest: at - s.from + moved, shortest: to.begun(s.to) - s.to + moved}
	}
	p := e.tries[k-2]
	from, until := p.earliestEnd(), p.latestEnd()
	g := gap{before: p, to: to}
	if e.v.t.c.Schedule.MeasuredFrom == contract.FromStart {
		// The sender began the attempt before we saw it, by an unknown bit.
		from, until = p.start(), p.a.FirstByte
		g.give = e.v.t.allowance
	} else if p.hungUp() {
		g.give = e.v.t.allowance
	} else if e.v.readLate(p) != (reads{}) {
		// The answer may have come too late: the attempt then ended with the sender's own timeout.
		g.give = e.v.t.allowance
		from = min(from, p.last().start()+e.v.t.c.Schedule.Timeout)
	}
	moved := e.v.advanced(span{from, at})
	g.longest, g.shortest = at-from+moved, to.begun(until)-until+moved
	return g
}

// span is the time that decides about the gap.
func (g gap) span(e *event) span {
	if g.before == nil {
		return span{e.emit.Called, g.to.a.FirstByte}
	}
	return span{g.before.a.FirstByte, g.to.a.FirstByte}
}

// unsureOf is why the place of a request among an event's attempts is not certain.
const unsureOf = "a request may be a resend of the HTTP library or an attempt, or was read out of order after a pause"

// judgeable says why the wait before attempt k cannot be judged; "" if it can.
func (e *event) judgeable(k int, g gap) string {
	if g.before != nil && g.before.outcome() == nil {
		return "the evidence does not say how attempt " + num(k-1) + " ended"
	}
	for _, u := range e.unsure {
		if u.a.FirstByte <= g.to.a.FirstByte {
			return "before attempt " + num(k) + " " + unsureOf
		}
	}
	if e.unseen(k) > 0 {
		return "noise before attempt " + num(k) + " may have hidden another one"
	}
	// From the emit on: after an interruption the number of an attempt is no longer certain.
	if o := e.v.interrupted(e.endpoint, span{e.emit.Called, g.to.a.FirstByte}); o != nil {
		return "sender or listener was down before attempt " + num(k)
	}
	if g.before == nil && e.behind() {
		return "an earlier event of its key had not ended before attempt " + num(k)
	}
	if e.held(g.to.a.FirstByte) {
		return "the endpoint was to get nothing for a time before attempt " + num(k)
	}
	return ""
}

// ordinary returns the band of the wait before attempt k. Where waits run from the start of an attempt, the next one still
// follows only after its end.
func (e *event) ordinary(k int) contract.Band {
	var p *request
	if k >= 2 && k-2 < len(e.tries) {
		p = e.tries[k-2]
	}
	return e.waitAfter(p, k)
}

// waitAfter returns the band of the wait between p, which may be nil, and the attempt of number k.
func (e *event) waitAfter(p *request, k int) contract.Band {
	s := e.v.t.c.Schedule
	b := s.Wait(k)
	if p == nil {
		return b
	}
	if o := p.outcome(); o != nil {
		b = s.Throttled(b, o.Status, failureKind(o))
	}
	switch took := p.latestEnd() - p.a.FirstByte; s.MeasuredFrom {
	case contract.FromStart:
		b.Max = max(b.Max, took)
	case "": // from the start or from the end
		b.Min = max(b.Min-took-e.v.t.allowance, 0)
	}
	return b
}

// boundedAbove tells whether the upper bound of a wait can be judged: only where the allowance is at most half of it.
func (v *view) boundedAbove(wait time.Duration) bool { return 2*v.t.allowance <= wait }

// asked is what a Retry-After header of ours asked for.
type asked struct {
	present  bool
	vague    bool // the sender may not have read it: the answer was cut, or came as late as its timeout
	honoured bool // the contract promises to heed it: code, form and value
	bad      bool // on a code that counts, but no value that can be heeded
	huge     bool // a number too long for any clock, which may be taken for a bad value or for a very long wait
	signed   bool // a number behind a plus: no value by RFC 9110, section 10.2.3, and yet one to the number readers of most languages
	date     bool
	raw      time.Duration // as asked, counted from the answer
}

// farAway stands for values beyond what a duration holds; it is past any deadline.
const farAway = 200 * 365 * 24 * time.Hour

// asks reads the Retry-After header of an answer.
func (v *view) asks(r *request) asked {
	o := r.outcome()
	if o == nil || o.Status == 0 {
		return asked{}
	}
	var values []string
	for _, f := range o.Header {
		if strings.EqualFold(f[0], "Retry-After") {
			values = append(values, strings.Trim(f[1], " \t"))
		}
	}
	if len(values) == 0 {
		return asked{}
	}
	out := asked{present: true, vague: o.End != evidence.EndComplete || v.readLate(r) != (reads{})}
	if out.vague || !v.t.c.HonoursRetryAfter(o.Status) {
		return out
	}
	wait, form := v.parseAsked(values[0], r.earliestEnd())
	plain, plus := strings.CutPrefix(values[0], "+")
	switch {
	case plus && len(values) == 1:
		out.bad = true
		out.raw, form = v.parseAsked(plain, r.earliestEnd())
		out.signed = form == "seconds"
	case form == "" || len(values) > 1:
		out.bad = true
	case wait == farAway && form == "seconds":
		out.bad, out.huge, out.raw = true, true, wait
	case v.promisesForm(form):
		out.honoured, out.date, out.raw = true, form == "date", wait
	}
	return out
}

func (v *view) promisesForm(form string) bool {
	return slices.Contains(v.t.c.RetryAfter.Forms, form)
}

// parseAsked reads seconds or an HTTP date; form is "" for a bad value. A date that has passed asks for no wait.
func (v *view) parseAsked(value string, answered time.Duration) (wait time.Duration, form string) {
	if value != "" && strings.Trim(value, "0123456789") == "" {
		digits := strings.TrimLeft(value, "0")
		// Nine digits of seconds are 31 years and fit a duration; ten may not.
		if len(digits) > 9 {
			return farAway, "seconds"
		}
		n := 0
		for _, d := range digits {
			n = n*10 + int(d-'0')
		}
		return time.Duration(n) * time.Second, "seconds"
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, ""
	}
	// Sub saturates, so a hostile year does no harm.
	return min(max(at.Sub(v.t.wall(answered)), 0), farAway), "date"
}

// askedBand returns what the next wait may be after a value that must be heeded: at least what was asked, the cap applied,
// and at most that with jitter, the ordinary wait, or the cap, whichever is longest.
func (v *view) askedBand(a asked, ordinary contract.Band) contract.Band {
	ra := v.t.c.RetryAfter
	want := a.raw
	if ra.Cap > 0 {
		want = min(want, ra.Cap)
	}
	most := want
	if j := v.t.c.Schedule.Jitter; j != nil {
		most += time.Duration(float64(want) * j.Plus)
	}
	b := contract.Band{Min: want, Max: max(most, ordinary.Max, ra.Cap)}
	if ra.CapFactor > 0 {
		most := times(ra.CapFactor, ordinary)
		b.Min, b.Max = min(b.Min, most.Min), min(b.Max, most.Max)
	}
	if a.date {
		// Whole seconds, and a clock that may be off either way.
		slack := timeUnit + v.t.offset.Abs()
		b.Min, b.Max = max(b.Min-slack, 0), b.Max+slack
	}
	return b
}

// next returns the band of the wait after attempt k, Retry-After taken into account, and what was asked.
func (e *event) next(k int) (contract.Band, asked) { return e.nextAs(k, k) }

// nextAs is next for the case that attempt k was made as the one of that number.
func (e *event) nextAs(k, number int) (contract.Band, asked) {
	b := e.waitAfter(e.tries[k-1], number+1)
	a := e.v.asks(e.tries[k-1])
	switch {
	case a.honoured:
		b = e.v.askedBand(a, b)
	case a.signed:
		heeded := e.v.askedBand(a, b)
		b.Min, b.Max = min(b.Min, heeded.Min), max(b.Max, heeded.Max)
	case a.huge:
		most := e.v.cap(b)
		b.Min, b.Max = min(b.Min, most.Min), max(b.Max, most.Max)
	case a.present && !a.bad:
		// The contract is silent on this answer, so the sender may heed it or not.
		b.Max = max(b.Max, e.v.cap(b).Max)
	}
	return b, a
}

// cap bounds the longest wait that Retry-After can ask for in place of an ordinary one; 0 where there is no limit. It may be shorter than
// the ordinary one.
func (v *view) cap(ordinary contract.Band) contract.Band {
	ra := v.t.c.RetryAfter
	switch {
	case ra == nil:
		return contract.Band{}
	case ra.CapFactor == 0:
		return contract.Band{Min: ra.Cap, Max: ra.Cap}
	}
	b := times(ra.CapFactor, ordinary)
	if ra.Cap > 0 {
		b.Min, b.Max = min(b.Min, ra.Cap), min(b.Max, ra.Cap)
	}
	return b
}

func times(factor float64, b contract.Band) contract.Band {
	return contract.Band{Min: time.Duration(factor * float64(b.Min)), Max: time.Duration(factor * float64(b.Max))}
}

// stopping says whether a delivery may end after attempt k though it failed.
type stopping string

const (
	stopRight  stopping = "right"
	stopEither stopping = "either"
	stopWrong  stopping = "wrong"
)

// stop says whether it was right to make no attempt after attempt k, which failed: the attempts or the deadline are used
// up. Where attempts before it may have come and gone unseen, its number is not known, and the answer must be the same for all.
func (e *event) stop(k int) stopping {
	out := e.stopAs(k, k)
	for number := k + 1; number <= k+e.unseen(k); number++ {
		if e.stopAs(k, number) != out {
			return stopEither
		}
	}
	return out
}

// stopAs is stop for the case that attempt k was made as the one of that number.
func (e *event) stopAs(k, number int) stopping {
	s := e.v.t.c.Schedule
	if number >= s.Count() {
		return stopRight
	}
	if number >= s.Fewest() {
		return stopEither
	}
	early, _, ok := e.deadline()
	if !ok {
		return stopWrong
	}
	p := e.tries[k-1]
	b, a := e.nextAs(k, number)
	switch {
	case p.latestEnd()+b.Min > early:
		return stopRight
	case (a.honoured || a.huge) && p.latestEnd()+a.raw > early:
		return stopRight
	case a.vague && e.v.t.c.HonoursRetryAfter(p.outcome().Status):
		return stopEither // it may have asked for a wait past the deadline, if it was read
	case !e.v.mayOutlast(early, p.latestEnd(), b.Max):
		return stopWrong
	default:
		return stopEither
	}
}

// mayOutlast tells whether what is due a wait after t may come only after a deadline. A sender that stands still from t on finds the
// deadline nearer than we do: all noise until then counts.
func (v *view) mayOutlast(deadline, t, wait time.Duration) bool {
	return t+wait+v.spent(span{t, deadline}) >= deadline
}

// either says why stopEither, after attempt k.
func (e *event) either(k int) string {
	if e.unseen(k) > 0 {
		return "noise may have hidden attempts before it, so that it is not known how many were left"
	}
	if s := e.v.t.c.Schedule; k >= s.Fewest() {
		return "the contract leaves open whether there are " + num(s.Fewest()) + " attempts or up to " + num(s.Count())
	}
	if early, _, ok := e.deadline(); ok && e.v.noisyTime(span{e.tries[k-1].latestEnd(), early}) > 0 {
		return "noise may have postponed the next one past the deadline"
	}
	return "the deadline was so near that either is right"
}

// settles is the offset by which the sender must have done with an event, if nothing interrupts it: the deadline, or the
// whole schedule where there is none.
func (e *event) settles() (time.Duration, bool) {
	s := e.v.t.c.Schedule
	if s == nil {
		return 0, false
	}
	if _, late, ok := e.deadline(); ok {
		return late, true
	}
	if !s.Stepped() {
		return 0, false
	}
	return e.emit.Returned + s.Total().Max + time.Duration(s.Count())*s.RequestTime(), true
}
