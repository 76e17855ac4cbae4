package refsender

import (
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// ahead is how far the sender's clock is ahead of the right time; whatever it says of times, and reads of them, is by that clock.
// It lies well inside the tolerances that are usual for signed times.
func (v variant) ahead() time.Duration {
	const wrong = 2 * time.Minute
	switch v {
	case clockAhead:
		return wrong
	case clockBehind:
		return -wrong
	default:
		return 0
	}
}

// stamped is a time of the record as the sender's clock had it.
func (v variant) stamped(at stamp) stamp { return at + stamp(v.ahead()) }

// placed moves the next attempt, or ends the delivery.
func (v variant) placed(c *contract.Contract, d *delivery, f facts, dec decision) decision {
	switch v {
	case retryAfterLate:
		return later(c, f, dec)
	case retryAfterGivesUp:
		return endedByWish(c, f, dec)
	case retryAfterWaitsOut:
		return waitedOut(c, f, dec)
	case decorrelatedJitter:
		return decorrelated(c, d, f, dec)
	default:
		return dec
	}
}

// later adds half of the wait that was asked for, if the attempt comes when that ends: up to the cap, and not past the deadline.
func later(c *contract.Contract, f facts, dec decision) decision {
	asked, ok := askedWait(c, f)
	if !ok || dec.verdict != retry || !dec.at.Equal(f.end.Add(asked)) {
		return dec
	}
	wait := asked + asked/2
	if most := c.RetryAfter.Cap; most > 0 {
		wait = min(wait, most)
	}
	if at := f.end.Add(wait); c.Schedule.Deadline <= 0 || !at.After(f.accepted.Add(c.Schedule.Deadline)) {
		dec.at = at
	}
	return dec
}

// endedByWish gives up at once if the receiver asks for a time past the deadline, where others cut what it asks for to the cap.
func endedByWish(c *contract.Contract, f facts, dec decision) decision {
	over := askedBeyond(c, f)
	if dec.verdict != retry || over <= 0 {
		return dec
	}
	return decision{verdict: dead, reason: fmt.Sprintf("deadline: the receiver asked for an attempt %v after it; attempt %d failed with %s",
		over.Round(time.Millisecond), f.number, f.failure)}
}

// waitedOut lets the delivery rest until the deadline then, when it is found to be too late for another attempt.
func waitedOut(c *contract.Contract, f facts, dec decision) decision {
	if dec.verdict == retry && askedBeyond(c, f) > 0 {
		dec.at = f.accepted.Add(c.Schedule.Deadline + time.Millisecond) // when it is certain that no attempt may start
	}
	return dec
}

// askedBeyond is by how much the time that the receiver asks for, whatever the cap, lies past the deadline; 0 or less if it does not.
func askedBeyond(c *contract.Contract, f facts) time.Duration {
	if c.RetryAfter == nil || c.Schedule.Deadline <= 0 {
		return 0
	}
	uncapped, asked := *c, *c.RetryAfter
	asked.Cap = 0
	uncapped.RetryAfter = &asked
	wait, ok := askedWait(&uncapped, f)
	if !ok {
		return 0
	}
	return f.end.Add(wait).Sub(f.accepted.Add(c.Schedule.Deadline))
}

// decorrelated draws a wait between the band's lower end and three times the wait before: up to the band's upper end, and at least to
// its middle, so that waits are spread as declared also where they grow faster.
func decorrelated(c *contract.Contract, d *delivery, f facts, dec decision) decision {
	if dec.verdict != retry {
		return dec
	}
	band := c.Schedule.Wait(f.number + 1)
	if d.slept > 0 {
		band.Max = max((band.Min+band.Max)/2, min(band.Max, 3*d.slept))
	}
	d.slept = draw(band, f.draw)
	at := from(c.Schedule, f).Add(d.slept)
	if asked, ok := askedWait(c, f); ok && f.end.Add(asked).After(at) {
		return dec
	}
	dec.at = at
	return dec
}
