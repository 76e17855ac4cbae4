package reports

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
)

// scale maps time to the width of a drawing. Waits grow from milliseconds to the hour, so that on a straight axis all
// attempts but the last would fall on one spot; on a logarithmic one the last attempt and the deadline would. The cube root
// keeps both apart, and begins at nought.
type scale struct {
	origin time.Duration // the emit
	end    time.Duration // from origin; > 0
}

const (
	// Room for half a mark on both sides, in per cent.
	scaleLeft, scaleRight = 3.0, 97.0
	// Labels of the axis nearer than this share of the width run into each other on a telephone.
	tickApart = 0.16
	// The same at the width of a desk's screen.
	tickApartWide = 0.09
)

func newScale(t drawn, attempts []judge.TimelineAttempt) scale {
	s := scale{origin: t.Emitted}
	var first, last time.Duration
	for _, a := range attempts {
		first = earliest(first, a.Start)
		last = max(last, a.Start, a.Latest+a.Allowance)
	}
	for _, m := range t.marks {
		last = max(last, m.At)
	}
	// Traffic that was only observed has no emit, and an attempt can beat the emit's answer but never the emit.
	if s.origin <= 0 || (first > 0 && first < s.origin) {
		s.origin = first
	}
	s.end = max(last, t.Deadline) - s.origin
	if s.end <= 0 {
		s.end = time.Millisecond
	}
	// What lies at the very end keeps a little air behind it.
	s.end += s.end / 50
	return s
}

func (s scale) holds(t time.Duration) bool { return t >= s.origin && t <= s.origin+s.end }

// lines are the places of the vertical lines, in per cent of the width: of the marks, and of the deadline.
func (s scale) lines(t drawn) []float64 {
	var out []float64
	for _, m := range t.marks {
		if s.holds(m.At) {
			out = append(out, s.percent(m.At))
		}
	}
	if t.Deadline > 0 && s.holds(t.Deadline) {
		out = append(out, s.percent(t.Deadline))
	}
	return out
}

// fraction is the place of an offset between 0 and 1.
func (s scale) fraction(t time.Duration) float64 {
	x := float64(t-s.origin) / float64(s.end)
	return math.Cbrt(min(max(x, 0), 1))
}

// at is the place of an offset in per cent of the width, as an attribute.
func (s scale) at(t time.Duration) string { return percentAttr(s.percent(t)) }

func (s scale) percent(t time.Duration) float64 {
	return scaleLeft + s.fraction(t)*(scaleRight-scaleLeft)
}

// width is the distance of two offsets; at least what can be seen.
func (s scale) width(from, to time.Duration) string {
	return percentAttr(max(0.8, s.percent(to)-s.percent(from)))
}

func percentAttr(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) + "%" }

// ticks returns nought and round times, as many as fit: first those that fit on a telephone, then, marked as fine, those
// for which only wider drawings have room.
func (s scale) ticks() []tick {
	taken := []float64{0}
	out := []tick{{X: s.at(s.origin), Label: "0", Anchor: "middle"}}
	for _, apart := range []float64{tickApart, tickApartWide} {
		for _, d := range slices.Backward(roundTimes()) {
			f := s.fraction(s.origin + d)
			near := func(g float64) bool { return math.Abs(f-g) < apart }
			if d > s.end || slices.ContainsFunc(taken, near) {
				continue
			}
			taken = append(taken, f)
			out = append(out, tick{X: s.at(s.origin + d), Label: span(d), Anchor: "middle", Fine: apart == tickApartWide})
		}
	}
	return out
}

// roundTimes are the times that read well on an axis, ascending: 1 ms to 24 h.
func roundTimes() []time.Duration {
	var out []time.Duration
	for unit := time.Millisecond; unit < time.Second; unit *= 10 {
		out = append(out, unit, 2*unit, 5*unit)
	}
	for _, n := range []int{1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000, 86400} {
		out = append(out, time.Duration(n)*time.Second)
	}
	return out
}
