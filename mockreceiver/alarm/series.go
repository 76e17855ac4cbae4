package alarm

import "time"

// Counts is what happened in a stretch of time.
type Counts struct {
	Successes, Failures int64 // attempts
	BadSignatures       int64 // requests
}

func (c *Counts) add(d Counts) {
	c.Successes += d.Successes
	c.Failures += d.Failures
	c.BadSignatures += d.BadSignatures
}

const (
	// step is how finely time is kept: a fifth of the shortest stretch that a rule looks at.
	step = time.Minute
	// kept covers the longest look back, 24 h and 5 min before it, and the two minutes that its ends cut into.
	kept = int((baseline+burst)/step) + 2
)

// Series is counts by the minute, for as far back as the rules look: about 35 KB, whatever comes. The zero value is empty.
// It is not safe for concurrent use.
type Series struct {
	minutes [kept]Counts
	last    int64 // the newest minute
}

// Add counts at an offset. One that lies before everything kept is dropped: no rule looks there. One before 0 is taken for 0.
func (s *Series) Add(at time.Duration, c Counts) {
	m := minute(at)
	if m > s.last {
		s.advance(m)
	}
	if m > s.last-int64(kept) {
		s.minutes[m%int64(kept)].add(c)
	}
}

// advance makes m the newest minute and empties those between, which held what is now too old.
func (s *Series) advance(m int64) {
	for i := max(s.last+1, m-int64(kept)+1); i <= m; i++ {
		s.minutes[i%int64(kept)] = Counts{}
	}
	s.last = m
}

// Sum is what was counted after from and up to the offset to, to the minute: the minute that holds from is left out, that of
// to is taken whole.
func (s *Series) Sum(from, to time.Duration) Counts {
	var sum Counts
	first := max(minute(from)+1, s.last-int64(kept)+1)
	if from < 0 {
		first = 0
	}
	for m := max(first, 0); m <= min(minute(to), s.last); m++ {
		sum.add(s.minutes[m%int64(kept)])
	}
	return sum
}

func minute(at time.Duration) int64 { return int64(max(at, 0) / step) }
