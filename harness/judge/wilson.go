package judge

import "math"

// Confidence is the level of every interval that is shown: 95 %, which readers of rates expect where none is named.
const Confidence = 0.95

// wilsonZ is the quantile of the standard normal distribution that leaves 2.5 % on each side.
const wilsonZ = 1.959963984540054

// Interval is the range of rates that a count is compatible with at a level of Confidence, each 0 to 1.
type Interval struct {
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Confidence float64 `json:"confidence"`
}

// Wilson returns the Wilson score interval of k successes among n. It holds near 0 and 1 and for few events, where the textbook
// interval leaves the range of rates. Without events nothing is known: 0 to 1. A k outside of 0 to n is taken for the nearer of
// them.
func Wilson(k, n int) Interval {
	if n <= 0 {
		return Interval{0, 1, Confidence}
	}
	k = min(max(k, 0), n)
	m, p := float64(n), float64(k)/float64(n)
	z2 := wilsonZ * wilsonZ
	center := (p + z2/(2*m)) / (1 + z2/m)
	half := wilsonZ / (1 + z2/m) * math.Sqrt(p*(1-p)/m+z2/(4*m*m))
	out := Interval{max(0, center-half), min(1, center+half), Confidence}
	// Exact by the formula, which rounding misses by the last digit.
	if k == 0 {
		out.Low = 0
	}
	if k == n {
		out.High = 1
	}
	return out
}
