package reports

import (
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// laneHeight is that of a label above the drawing, in pixels: of the deadline, and of what was done meanwhile.
const laneHeight = 15

// placeLines places the vertical lines and gives each label a lane of its own where it would run into another. It returns
// the number of lanes.
func (c *chart) placeLines(w words.Texts, sc scale, t drawn) int {
	var lanes []float64 // where the last label of each lane ends
	// Labels that end at their line (the deadline's) are placed last: they take what is free to their left.
	place := func(at time.Duration, label string) tick {
		x, long := sc.percent(at), labelWidth(label, narrow)
		k := tick{X: sc.at(at), Label: label, Anchor: "start"}
		from, to := x, x+long
		if x > 50 {
			k.Anchor, from, to = "end", x-long, x
		}
		lane := slices.IndexFunc(lanes, func(end float64) bool { return end < from })
		if lane < 0 {
			lane = len(lanes)
			lanes = append(lanes, 0)
		}
		lanes[lane] = max(lanes[lane], to)
		k.From = lane*laneHeight + 4
		k.Y = lane*laneHeight + 12
		return k
	}
	for _, m := range t.marks {
		if !sc.holds(m.At) {
			continue
		}
		k := place(m.At, plain(m.Label))
		k.At, k.Line = span(m.At-sc.origin), m.Line
		c.Marks = append(c.Marks, k)
	}
	if t.Deadline > 0 && sc.holds(t.Deadline) {
		after := span(t.Deadline - sc.origin)
		k := place(t.Deadline, w.Text("chart.deadline", after))
		k.At = after
		c.Deadline = &k
	}
	return len(lanes)
}

// Widths of a drawing on a telephone and of the least one that shows all of a label, in pixels.
const narrow, wide = 300.0, 540.0

// labelWidth estimates how wide a text is, in per cent of a drawing of so many pixels: at 12 pixels a letter takes 6.6 of
// them, and a Chinese character all 12.
func labelWidth(s string, drawing float64) float64 {
	const letter, full, firstFull = 6.6, 12, 0x2e80
	pixels := 0.0
	for _, r := range s {
		if r >= firstFull {
			pixels += full
		} else {
			pixels += letter
		}
	}
	return 100 * pixels / drawing
}

// labelPlace fastens a label where it crosses no vertical line: to the right of mark and band, else to their left, else behind
// a line that is near; where there is no such place, beside the mark on the side with more room.
func labelPlace(sc scale, t drawn, a judge.TimelineAttempt, r chartRow) (x, anchor string, shift int) {
	const (
		away = 14 // half a mark and a gap, in pixels
		near = 20 // per cent: farther off, a label no longer belongs to its mark
	)
	at := sc.percent(a.Start)
	text := r.Number + " " + r.Answer + r.Off
	need := max(labelWidth(text, narrow), labelWidth(text+r.More, wide)) + 100*away/narrow
	left, right := at, at
	if a.Latest > 0 {
		left, right = min(left, sc.percent(max(a.Earliest, sc.origin))), max(right, sc.percent(a.Latest+a.Allowance))
	}
	lines := sc.lines(t)
	free := func(from, to float64) bool {
		return from >= 0 && to <= 100 && !slices.ContainsFunc(lines, func(l float64) bool { return l > from && l < to })
	}
	switch {
	case free(right, right+need):
		return percentAttr(right), "start", away
	case free(left-need, left):
		return percentAttr(left), "end", -away
	}
	for _, l := range append(lines, at) {
		if l >= at && l < at+near && free(l, l+need) {
			return percentAttr(l), "start", away
		}
	}
	if at > 50 {
		return percentAttr(at), "end", -away
	}
	return percentAttr(at), "start", away
}
