package refsender

import "github.com/hookassay/hookassay/harness/contract"

// placed moves the next attempt.
func (v variant) placed(c *contract.Contract, f facts, dec decision) decision {
	if v == retryAfterLate {
		return later(c, f, dec)
	}
	return dec
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
