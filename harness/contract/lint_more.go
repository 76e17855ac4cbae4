package contract

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// lintKeys looks at what happens to retries that are queued while keys or time move on.
func lintKeys(c *Contract) []string {
	var hints []string
	s := c.Schedule
	if s == nil || !s.Stepped() {
		return nil
	}
	if c.Keys != nil && c.Keys.Overlap < s.Deadline {
		hints = append(hints, fmt.Sprintf("keys.overlap: %v is shorter than the deadline of %v; retries outlive the old key by up to %v and fail",
			c.Keys.Overlap, s.Deadline, s.Deadline-c.Keys.Overlap))
	}
	if c.Signature == nil || c.Signature.Resign != ResignSame {
		return hints
	}
	span := s.Total().Max + time.Duration(s.Count()-1)*s.Timeout
	if c.Keys != nil && s.Deadline == 0 && c.Keys.Overlap < span {
		hints = append(hints, fmt.Sprintf("keys.overlap: %v is shorter than the %v over which a retry keeps its first signature; queued retries fail",
			c.Keys.Overlap, span))
	}
	// Not every scheme signs a time.
	if covered, _ := c.Coverage(); !slices.Contains(covered, "timestamp") {
		return hints
	}
	for k := 2; k <= s.Count(); k++ {
		if at := s.start(k, 0); at.Max > c.Signature.Tolerance {
			return append(hints, fmt.Sprintf(
				"signature.resign: retries keep the first signed time, and attempt %d comes %v after acceptance; a receiver that allows %v refuses it and all later ones",
				k, at, c.Signature.Tolerance))
		}
	}
	return hints
}

// lintCounts looks at numbers that stand beside one another.
func lintCounts(c *Contract) []string {
	var hints []string
	if a := c.Acceptance; a != nil && a.Sample > 0 && a.Rate < 1 {
		if room := float64(a.Sample) * (1 - a.Rate); math.Round(room*1e6) < 1e6 {
			hints = append(hints, fmt.Sprintf("acceptance.sample: of %d events %v may be lost at a rate of %v, so that a single one misses it; take %d or more",
				a.Sample, math.Round(room*100)/100, a.Rate, int(math.Ceil(math.Round(1e6/(1-a.Rate))/1e6))))
		}
	}
	if f := c.Fairness; f != nil && f.Isolated && c.Workers > 0 && f.PerEndpoint >= c.Workers {
		hints = append(hints, fmt.Sprintf("fairness.per_endpoint: one endpoint that hangs may hold %d requests, and there are %d workers; nothing is left for the others",
			f.PerEndpoint, c.Workers))
	}
	return hints
}
