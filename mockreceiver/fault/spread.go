package fault

import (
	"math"
	"strconv"
	"time"
)

// maxSigma bounds the spread of a log-normal delay: at 3 one in forty takes more than 350 times the median.
const maxSigma = 3

// Spread is a delay that varies: evenly between two bounds, or log-normally, which is what response times look like, with a
// few far above the rest. From equal to To is a fixed one.
type Spread struct {
	// From and To bound an even delay; To is not below From.
	From, To time.Duration
	// Median is that of a log-normal delay, above 0; then From and To are 0. Sigma is the spread of its logarithm, above 0.
	Median time.Duration
	Sigma  float64
}

// At turns a number from [0, 1) into a delay, by the inverse of the distribution function.
func (s Spread) At(u float64) time.Duration {
	if s.Median == 0 {
		return s.From + time.Duration(u*float64(s.To-s.From))
	}
	d := float64(s.Median) * math.Exp(s.Sigma*math.Sqrt2*math.Erfinv(2*u-1))
	return time.Duration(min(d, float64(maxHold)))
}

func (s Spread) texts() []string {
	if s.Median > 0 {
		return []string{durationText("median", s.Median), "sigma=" + strconv.FormatFloat(s.Sigma, 'g', -1, 64)}
	}
	return []string{durationText("from", s.From), durationText("to", s.To)}
}

func spreadParams() []Param {
	return []Param{
		{Name: "from", Value: "100ms", Meaning: "with to: a delay drawn evenly between the two; 0s if left out"},
		{Name: "to", Value: "300ms", Meaning: "see from"},
		{Name: "median", Value: "200ms", Meaning: "instead, with sigma: a log-normal delay, half of them longer than that"},
		{Name: "sigma", Value: "0.5", Meaning: "the spread of a log-normal delay, up to 3: at 0.5 one in forty takes 2.7 times the median"},
	}
}

// spread takes the arguments of a Spread, which must be given.
func (a *args) spread() Spread {
	s := Spread{From: a.duration("from"), To: a.duration("to"), Median: a.duration("median")}
	if one, ok := a.take("sigma"); ok {
		v, err := strconv.ParseFloat(one.value, 64)
		if err != nil || !(v > 0 && v <= maxSigma) {
			a.fail(one.at, "%s: want a number above 0, up to %d", one, maxSigma)
		}
		s.Sigma = v
	}
	even, skewed := s.From > 0 || s.To > 0, s.Median > 0 || s.Sigma > 0
	switch {
	case even == skewed || skewed && (s.Median == 0 || s.Sigma == 0):
		a.fail(a.at, "%s: want %s(from=100ms, to=300ms) or %s(median=200ms, sigma=0.5)", a.step, a.step, a.step)
	case s.To < s.From:
		a.fail(a.at, "%s: from=%s is above to=%s", a.step, s.From, s.To)
	}
	return s
}

// wait takes a fixed delay without a name, or a Spread.
func (a *args) wait() Spread {
	if d := a.duration(""); d > 0 {
		return Spread{From: d, To: d}
	}
	return a.spread()
}

// waitTexts is what wait reads.
func (s Spread) waitTexts() []string {
	if s.Median == 0 && s.From == s.To {
		return []string{durationText("", s.From)}
	}
	return s.texts()
}

func waitParams() []Param {
	return append([]Param{{Value: "300ms", Meaning: "a fixed delay; real time"}}, spreadParams()...)
}
