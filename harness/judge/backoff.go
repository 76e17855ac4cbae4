package judge

import (
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// "The waits before the attempts are these, plus jitter": each gap of the schedule lies in its band.
func backoffBounds(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		for k := 1; k <= min(len(e.tries), v.t.c.Schedule.Count()); k++ {
			g := e.gapTo(k)
			if why := v.notOrdinary(e, k, g); why != "" {
				t.skip(recordsOf(g.before, g.to), "%s", why)
				continue
			}
			if broke := v.outOfBand(e, k, g, e.ordinary(k)); broke != "" {
				t.fail(g.span(e), gapRecords(e, g), "%s", broke)
				continue
			}
			if g.before != nil {
				t.hold(gapRecords(e, g)...)
			}
		}
	}
	return t.sum("every wait lies in its band (waits after a failure: %d)", "no attempt followed a transient failure")
}

func gapRecords(e *event, g gap) []int {
	if g.before == nil {
		return []int{e.emit.N, g.to.a.N}
	}
	return append(g.before.records(), g.to.a.N)
}

// notOrdinary says why the ordinary band does not hold for the wait before attempt k; "" if it does.
func (v *view) notOrdinary(e *event, k int, g gap) string {
	if why := e.judgeable(k, g); why != "" {
		return why
	}
	if g.before == nil {
		return ""
	}
	switch {
	case v.asks(g.before).present:
		return "attempt " + num(k-1) + " was answered with Retry-After"
	case !v.read(g.before).transient:
		return "no attempt should have followed attempt " + num(k-1)
	case v.overlap(g) > v.t.allowance && v.lists("durable.no-dup") && needNoDuplicate(v.t) == "":
		return "attempt " + num(k) + " began before attempt " + num(k-1) + " had ended; durable.no-dup judges that"
	}
	return ""
}

// overlap is how long two attempts were in flight together.
func (v *view) overlap(g gap) time.Duration { return v.flightEnd(g.before) - g.to.a.FirstByte }

// outOfBand says how a gap leaves a band; "" if it does not. The upper bound is judged only where the allowance leaves room,
// and not for an attempt after the deadline, which is budget.deadline's.
func (v *view) outOfBand(e *event, k int, g gap, b contract.Band) string {
	since := "the emit"
	if g.before != nil {
		since = "attempt " + num(k-1) + " ended"
		if v.t.c.Schedule.MeasuredFrom == contract.FromStart {
			since = "attempt " + num(k-1) + " started"
		}
	}
	promised := fmt.Sprintf("promised %s to %s, allowance %s", dur(b.Min), dur(b.Max), dur(v.t.allowance))
	if g.longest < b.Min-g.give {
		return fmt.Sprintf("%s started %s after %s; %s", which(g.to), dur(g.longest), since, promised)
	}
	_, late, limited := e.deadline()
	if limited && g.to.a.FirstByte > late {
		return ""
	}
	if v.boundedAbove(max(b.Min, v.nominal(k))) && g.shortest > b.Max+v.t.allowance {
		return fmt.Sprintf("%s started %s after %s; %s", which(g.to), dur(g.shortest), since, promised)
	}
	return ""
}

// excess is how far a wait misses its band, what is allowed for taken off.
func (v *view) excess(g gap, b contract.Band) time.Duration {
	return max(b.Min-g.give-g.longest, g.shortest-b.Max-v.t.allowance)
}

// nominal is the wait before attempt k without jitter.
func (v *view) nominal(k int) time.Duration {
	w := v.t.c.Schedule.Waits
	if len(w) == 0 {
		return 0
	}
	return w[min(k, len(w))-1]
}

// "On these statuses the sender waits as Retry-After says, up to the cap and inside the deadline."
func backoffRetryAfter(v *view) Verdict {
	t := &tally{v: v}
	for _, e := range v.events {
		for k := 1; k <= min(len(e.tries), v.t.c.Schedule.Count()); k++ {
			v.heeds(t, e, k)
		}
	}
	return t.sum("Retry-After was heeded as declared (answers: %d)", "no attempt got a Retry-After on a status on which the contract heeds it")
}

// heeds judges what followed attempt k, if its answer carried Retry-After.
func (v *view) heeds(t *tally, e *event, k int) {
	r := e.tries[k-1]
	a := v.asks(r)
	switch {
	case !a.present:
		return
	case a.honoured && a.date && v.t.drifted != 0:
		t.doubtClocks("dates")
		return
	case k == len(e.tries):
		v.gaveUp(t, e, k, a)
		return
	case k >= v.t.c.Schedule.Count():
		return
	}
	g := e.gapTo(k + 1)
	if why := e.judgeable(k+1, g); why != "" {
		t.skip(recordsOf(r, g.to), "%s", why)
		return
	}
	if a.vague {
		t.skip(recordsOf(r, g.to), "the sender may not have read the Retry-After of %s", which(r))
		return
	}
	if !a.honoured && !a.bad {
		t.note(recordsOf(r, g.to), "attempt %d followed %s after a %s with Retry-After, on which the contract is silent",
			k+1, dur(g.longest), failure(r.outcome()))
		return
	}
	b, _ := e.next(k)
	broke := v.outOfBand(e, k+1, g, b)
	switch {
	case broke == "":
		t.hold(gapRecords(e, g)...)
	case a.bad && !v.t.ordinaryHolds():
		t.doubt(gapRecords(e, g),
			"%s; but no ordinary wait of the run shows that the sender keeps its bands, which backoff.bounds judges", broke)
	case v.readLate(r) != (reads{}):
		t.doubt(gapRecords(e, g), "%s, as Retry-After asked with %s; but the answer was so late, for an allowance of %s, that the sender may have timed out before it", broke, a, dur(v.t.allowance))
	default:
		t.failBy(g.span(e), v.excess(g, b), gapRecords(e, g), "%s, as Retry-After asked with %s", broke, a)
	}
}

func (a asked) String() string {
	if a.bad {
		return "a value that cannot be heeded"
	}
	return dur(a.raw)
}

// gaveUp judges an event that got no attempt after a Retry-After: right if what was asked lies past the deadline.
func (v *view) gaveUp(t *tally, e *event, k int, a asked) {
	r := e.tries[k-1]
	_, late, limited := e.deadline()
	past := limited && (a.honoured || a.huge) && r.latestEnd()+a.raw > late
	switch {
	case past && v.watched() > late+v.t.allowance:
		t.hold(r.records()...)
	default:
		t.skip(r.records(), "no attempt followed %s, which was answered with Retry-After", which(r))
	}
}

// ordinaryHolds tells whether the run shows ordinary waits of the sender, all in their bands: only then is a wrong wait after
// a bad value a matter of that value.
func (t *trial) ordinaryHolds() bool {
	held := false
	for _, v := range t.views {
		for _, e := range v.events {
			for k := 2; k <= min(len(e.tries), t.c.Schedule.Count()); k++ {
				g := e.gapTo(k)
				// A gap with a give at its start would hold for a sender that does not wait at all.
				if v.notOrdinary(e, k, g) != "" || g.give > 0 {
					continue
				}
				if v.outOfBand(e, k, g, e.ordinary(k)) != "" {
					return false
				}
				held = true
			}
		}
	}
	return held
}
