package contract

import (
	"math"
	"time"
)

// Band is the shortest and the longest that something may take.
type Band struct{ Min, Max time.Duration }

// Count returns how many attempts the schedule makes at most, the first included.
func (s *Schedule) Count() int {
	if s.Attempts > 0 {
		return s.Attempts
	}
	return len(s.Waits)
}

// Wait returns the band of the wait before attempt k, jitter applied. k counts from 1; past the listed waits the last one
// repeats, whatever Count says, so that an attempt too many can be judged as well. It is zero for k below 1 and without
// waits.
func (s *Schedule) Wait(k int) Band {
	w := s.wait(k)
	b := Band{w, w}
	if s.Jitter != nil {
		b.Min -= share(w, s.Jitter.Minus)
		b.Max += share(w, s.Jitter.Plus)
	}
	return b
}

// Total returns the band of the sum of all waits before the attempts that Count allows.
func (s *Schedule) Total() Band {
	var sum Band
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

// wait returns the wait before attempt k without jitter.
func (s *Schedule) wait(k int) time.Duration {
	if k < 1 || len(s.Waits) == 0 {
		return 0
	}
	return s.Waits[min(k, len(s.Waits))-1]
}

// sum returns the sum of all waits without jitter.
func (s *Schedule) sum() time.Duration {
	var sum time.Duration
	for k := 1; k <= s.Count(); k++ {
		sum += s.wait(k)
	}
	return sum
}

// share rounds to the nanosecond: 2 % of an hour must be 72 s, not one nanosecond less.
func share(d time.Duration, fraction float64) time.Duration {
	return time.Duration(math.Round(float64(d) * fraction))
}
