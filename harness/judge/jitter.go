package judge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

const (
	// leastSample: with 20 waits a correct uniform sender falls below a quarter of the width once in 10^10 runs.
	leastSample = 20
	// leastSpread: a timer of a calm machine is a few milliseconds late by itself, whatever the ticker of the run shows.
	leastSpread = 5 * time.Millisecond
	// shareOfWidth and timesSpread: the waits must spread over a quarter of the width, and that must be four times what
	// noise alone spreads.
	shareOfWidth = 4
	timesSpread  = 4
)

// noiseSpread is how far noise alone spreads what should be equal.
func noiseSpread(run *evidence.Run) time.Duration { return max(usualLate(run), leastSpread) }

// "Waits have a random part, so that events that fail together do not come again together."
func backoffJitter(v *view) Verdict {
	t := &tally{v: v}
	s := v.t.c.Schedule
	spread := noiseSpread(v.t.run)
	widest, wide := 2, false
	for k := 2; k <= s.Count(); k++ {
		if s.Spread(k) > s.Spread(widest) {
			widest = k
		}
		if s.Spread(k)/shareOfWidth < timesSpread*spread {
			continue
		}
		wide = true
		if v.spreads(t, k, s.Spread(k)/shareOfWidth, false) {
			break
		}
	}
	if !wide {
		// Too much noise to say that a spread is missing; one that noise cannot explain is there all the same.
		v.spreads(t, widest, s.Spread(widest)/shareOfWidth, true)
	}
	return t.sum("waits of events that failed together are spread as declared (waits: %d)",
		fmt.Sprintf("no %d events failed together before a step whose jitter is wide enough", leastSample))
}

// spreads judges the waits before attempt k of all events that failed together, and tells whether there were enough. loud says that
// there is too much noise in the run to call a spread too small.
func (v *view) spreads(t *tally, k int, least time.Duration, loud bool) bool {
	gaps, events := v.ordinaryGaps(k)
	if len(gaps) == 0 {
		return false
	}
	first := slices.MinFunc(gaps, func(a, b gap) int { return cmp.Compare(a.before.latestEnd(), b.before.latestEnd()) })
	last := first.before.latestEnd() + v.t.c.Schedule.Wait(k).Max
	var waits, arrivals []time.Duration
	var records []int
	s := span{first.before.a.FirstByte, first.to.a.FirstByte}
	for i, g := range gaps {
		if g.before.latestEnd() > last {
			continue
		}
		if broke := v.outOfBand(events[i], k, g, events[i].ordinary(k)); broke != "" {
			t.doubt(gapRecords(events[i], g), "%s; backoff.bounds judges that", broke)
			return true
		}
		waits, arrivals = append(waits, g.shortest), append(arrivals, g.to.a.FirstByte)
		records = append(records, g.before.a.N, g.to.a.N)
		s.to = max(s.to, g.to.a.FirstByte)
	}
	if len(waits) < leastSample {
		t.skip(records, "%d events failed together before attempt %d; %d are needed to see its jitter", len(waits), k, leastSample)
		return false
	}
	noise := time.Duration(0)
	if loud {
		noise = v.spreadBy(span{slices.Min(arrivals), slices.Max(arrivals)})
	}
	switch got := slices.Max(waits) - slices.Min(waits); {
	case noise > 0 && got+noise >= least && got-noise < least:
		t.doubt(records, "the waits of %d events before attempt %d, which failed together, spread over %s, and noise alone may spread them by %s; promised jitter spreads them over at least %s",
			len(waits), k, dur(got), dur(noise), dur(least))
		return true
	case got+noise < least:
		t.fail(s, records, "the waits of %d events before attempt %d, which failed together, spread over %s; promised jitter spreads them over at least %s",
			len(waits), k, dur(got), dur(least))
		return true
	}
	for range waits {
		t.hold(records...)
	}
	return true
}

// ordinaryGaps returns the waits before attempt k in which nothing but the schedule decided, and the event of each.
func (v *view) ordinaryGaps(k int) (gaps []gap, events []*event) {
	for _, e := range v.events {
		if k > len(e.tries) {
			continue
		}
		g := e.gapTo(k)
		if v.notOrdinary(e, k, g) == "" {
			gaps, events = append(gaps, g), append(events, e)
		}
	}
	return gaps, events
}

// spreadBy is how far noise may have spread what arrived within s: twice the most that anything was late just then, and what is too
// little to be listed.
func (v *view) spreadBy(s span) time.Duration {
	return mostFactor * max(leastAllowance/noiseFactor, v.worstIn(s))
}
