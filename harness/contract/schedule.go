package contract

import (
	"math"
	"time"
)

// Band is the shortest and the longest that something may take.
type Band struct{ Min, Max time.Duration }

// String shows one duration where there is only one, else both ends: 15m0s to 30m0s.
func (b Band) String() string {
	if b.Min == b.Max {
		return b.Min.String()
	}
	return b.Min.String() + " to " + b.Max.String()
}

// Count returns how many attempts the schedule makes at most, the first included; where that is not said, as many as can be reckoned
// with.
func (s *Schedule) Count() int {
	switch {
	case s.Attempts > 0:
		return s.Attempts
	case len(s.Waits) == 0:
		return maxAttempts
	}
	return len(s.Waits)
}

// Fewest returns after how many attempts the sender may give a failing event up, the first included.
func (s *Schedule) Fewest() int {
	switch {
	case s.AttemptsMin > 0:
		return s.AttemptsMin
	case !s.Counted():
		return 1
	}
	return s.Count()
}

// Wait returns the band of the wait before attempt k, its range and jitter applied. k counts from 1; past the listed waits the last one
// repeats, whatever Count says, so that an attempt too many can be judged as well. Without waits it is as wide as can be. It is zero
// for k below 1.
func (s *Schedule) Wait(k int) Band {
	if !s.Stepped() && k >= 1 {
		return s.openWait(k)
	}
	b := s.Range(k)
	if s.Jitter != nil {
		b.Min -= share(b.Min, s.Jitter.Minus)
		b.Max += share(b.Max, s.Jitter.Plus)
	}
	if s.Slack != nil && k >= 1 {
		b.Min -= share(b.Min, s.Slack.Share)
		b.Max += share(b.Max, s.Slack.Share) + s.Slack.Late
	}
	return b
}

// Spread returns how far jitter alone puts waits before attempt k apart, at least. A range does not count: a sender may have one fixed
// wait in it.
func (s *Schedule) Spread(k int) time.Duration {
	if s.Jitter == nil {
		return 0
	}
	w := s.Range(k).Min
	return share(w, s.Jitter.Minus) + share(w, s.Jitter.Plus)
}

// Total returns the band of the sum of all waits before the attempts that Count allows; zero without waits.
func (s *Schedule) Total() Band {
	var sum Band
	if !s.Stepped() {
		return sum
	}
	for k := 1; k <= s.Count(); k++ {
		w := s.Wait(k)
		sum.Min += w.Min
		sum.Max += w.Max
	}
	return sum
}

// TerminalDue returns how long after the start of the last attempt, or after the deadline where that is later, the
// terminal record may come: the request timeout and TerminalWithin on top.
func (s *Schedule) TerminalDue() time.Duration { return s.Timeout + s.TerminalWithin }

// Range returns the range of the wait before attempt k without jitter. As Wait, it repeats the last one past the list.
func (s *Schedule) Range(k int) Band {
	if k < 1 || len(s.Waits) == 0 {
		return Band{}
	}
	i := min(k, len(s.Waits)) - 1
	b := Band{s.Waits[i], s.Waits[i]}
	if i < len(s.WaitsMax) {
		b.Max = s.WaitsMax[i]
	}
	return b
}

// sum returns the range of the sum of all waits without jitter.
func (s *Schedule) sum() Band {
	var sum Band
	for k := 1; k <= s.Count(); k++ {
		b := s.Range(k)
		sum.Min += b.Min
		sum.Max += b.Max
	}
	return sum
}

// share rounds to the nanosecond: 2 % of an hour must be 72 s, not one nanosecond less.
func share(d time.Duration, fraction float64) time.Duration {
	return time.Duration(math.Round(float64(d) * fraction))
}
