package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// overview draws how the events fared together: those of the acceptance where it was measured, else all.
type overview struct {
	Of      string // which events
	Summary string
	Curve   *curve
	Bars    []bar
}

// curve is the share of events that were delivered, against the time since their emit.
type curve struct {
	Alt    string
	Path   string // in a square of 1000 units, stretched over the plot
	X, Y   []tick
	Target *tick
	Begins string // where the axis of shares begins, if that is not at nought
}

// bar is a row of the histogram of attempts.
type bar struct {
	Label string
	N     int
	Width string // per cent of the longest
	Class string
}

// curveHeight is that of the plot in pixels: enough to tell half a per cent on the usual range of shares.
const (
	curveHeight = 180
	curveTop    = 18 // room for the label of the uppermost line
	curveUnits  = 1000
)

func newOverview(r Report) *overview {
	w := r.words
	ts, of := countedTimelines(r)
	if len(ts) == 0 {
		return nil
	}
	var after []time.Duration
	first := 0
	for _, t := range ts {
		d, attempt, ok := deliveredAfter(t)
		if !ok {
			continue
		}
		after = append(after, d)
		if attempt == 1 {
			first++
		}
	}
	o := &overview{Of: of, Bars: attemptBars(w, ts)}
	d := deliveryOf(ts)
	o.Summary = w.Text("delivery.summary", d.Delivered, w.Count("n.event", d.Events))
	if len(after) == 0 {
		return o
	}
	slices.Sort(after)
	o.Summary += w.Text("delivery.quantiles",
		span(d.P50), span(d.P95), span(d.P99), span(d.Max))
	threshold := 0.0
	if a := r.Results.Acceptance; a != nil {
		threshold = a.Threshold
	}
	o.Curve = newCurve(w, after, len(ts), float64(first)/float64(len(ts)), threshold)
	o.Summary = together(o.Summary)
	o.Curve.Alt = w.Text("delivery.alt", o.Summary)
	return o
}

// countedTimelines returns the events that the acceptance counts, or all.
func countedTimelines(r Report) ([]judge.Timeline, string) {
	counted := map[string]bool{}
	for _, s := range r.Results.Scenarios {
		counted[s.Name] = s.Family == "acceptance" && s.NotRun == ""
	}
	var out []judge.Timeline
	for _, t := range r.timelines {
		if counted[t.Scenario] {
			out = append(out, t)
		}
	}
	if len(out) > 0 && r.Results.Acceptance != nil {
		return out, r.words.Text("delivery.acceptance")
	}
	return r.timelines, r.words.Text("delivery.all")
}

func newCurve(w words.Texts, after []time.Duration, events int, first, threshold float64) *curve {
	s := scale{end: after[len(after)-1] + after[len(after)-1]/20}
	if s.end <= 0 {
		s.end = time.Millisecond
	}
	from := shareAxis(first, threshold)
	c := &curve{X: s.ticks()}
	if from > 0 {
		c.Begins = share(from)
	}
	place := func(v float64) float64 { return min(1, max(0, (1-v)/(1-from))) }
	var path strings.Builder
	x, y := 0, curveUnits
	fmt.Fprintf(&path, "M0 %d", y)
	for i, d := range after {
		nx := int(math.Round(s.fraction(d) * curveUnits))
		ny := int(math.Round(place(float64(i+1)/float64(events)) * curveUnits))
		if nx == x && i+1 < len(after) {
			y = ny // drawn with the next that lies elsewhere
			continue
		}
		fmt.Fprintf(&path, "V%dH%d", y, nx)
		x, y = nx, ny
	}
	fmt.Fprintf(&path, "V%dH%d", y, curveUnits)
	c.Path = path.String()
	for _, v := range []float64{from, (from + 1) / 2, 1} {
		c.Y = append(c.Y, tick{Label: share(v), Y: curveTop + int(place(v)*curveHeight)})
	}
	if threshold > from {
		c.Target = &tick{Label: w.Text("acceptance.promised", share(threshold)), Y: curveTop + int(place(threshold)*curveHeight)}
	}
	return c
}

// shareAxis is where the axis of shares begins: high enough that what happens above the first tries can be seen, and below the
// threshold.
func shareAxis(first, threshold float64) float64 {
	for _, from := range []float64{0.98, 0.95, 0.9, 0.8, 0.5} {
		if from < first && (threshold == 0 || from < threshold) && 1-from > 1.5*(1-first) {
			return from
		}
	}
	return 0
}

// maxBars is more attempts than any profile makes; a sender without end must not make a page without end.
const maxBars = 12

func attemptBars(w words.Texts, ts []judge.Timeline) []bar {
	by := map[int]int{}
	rest := map[string]int{}
	replayed := 0
	for _, t := range ts {
		if _, n, ok := deliveredAfter(t); ok {
			by[min(n, maxBars+1)]++
			continue
		}
		if t.Final == evidence.StateDelivered {
			replayed++ // or by a copy of ours
			continue
		}
		rest[t.Final]++
	}
	var out []bar
	last := 0
	for n := range by {
		last = max(last, n)
	}
	for n := 1; n <= last; n++ {
		label := w.Text("bar.attempt", n)
		if n > maxBars {
			label = w.Text("bar.later")
		}
		out = append(out, bar{Label: label, N: by[n], Class: "b-pass"})
	}
	if replayed > 0 {
		out = append(out, bar{Label: w.Text("bar.replay"), N: replayed, Class: "b-rest"})
	}
	for _, state := range []string{evidence.StateDead, evidence.StatePending} {
		if rest[state] > 0 {
			out = append(out, bar{Label: w.Known("state", state), N: rest[state], Class: "b-rest"})
			delete(rest, state)
		}
	}
	others := 0
	for _, n := range rest {
		others += n
	}
	if others > 0 {
		out = append(out, bar{Label: w.Text("bar.none"), N: others, Class: "b-rest"})
	}
	setWidths(out)
	return out
}

// setWidths draws bars to the scale of the longest.
func setWidths(bars []bar) {
	longest := 1
	for _, b := range bars {
		longest = max(longest, b.N)
	}
	for i, b := range bars {
		wide := 100 * float64(b.N) / float64(longest)
		if b.N > 0 {
			wide = max(wide, 0.5) // there, and thin
		}
		bars[i].Width = percentAttr(wide)
	}
}

// intervalView draws a rate, its interval and what is promised on one line.
type intervalView struct {
	Text, Promised                string
	From, Width, Rate, Target     string
	TargetAnchor, Begins, RateAlt string
}

func newInterval(w words.Texts, a judge.Acceptance) *intervalView {
	if a.Events == 0 {
		return nil
	}
	i := judge.Wilson(delivered(a), a.Events)
	begin := min(i.Low, a.Threshold)
	begin = max(0, begin-(1-begin)/2)
	at := func(v float64) float64 { return 100 * (v - begin) / (1 - begin) }
	v := &intervalView{
		Text: w.Text("acceptance.interval-of", intervalText(w, a), w.Count("n.event", a.Events)), Promised: w.Text("acceptance.promised", share(a.Threshold)),
		From: percentAttr(at(i.Low)), Width: percentAttr(max(0.5, at(i.High)-at(i.Low))),
		Rate: percentAttr(at(float64(delivered(a)) / float64(a.Events))), Target: percentAttr(at(a.Threshold)),
		TargetAnchor: "start", Begins: share(math.Floor(begin*1000) / 1000),
	}
	if at(a.Threshold) > 50 {
		v.TargetAnchor = "end"
	}
	v.RateAlt = w.Text("acceptance.rate-alt", percent(delivered(a), a.Events), v.Text, v.Promised)
	return v
}
