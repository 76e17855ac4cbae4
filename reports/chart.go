package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

const (
	// How many events of a scenario are drawn, and how many attempts of an event: more is not looked at, and a sender that
	// never stops must not make a page that no browser opens.
	maxCharts   = 12
	maxAttempts = 24

	// Pixels. Text keeps its size at every width, so heights are fixed while positions along the axis are per cent.
	rowHeight  = 22
	chartTop   = 20 // room for the deadline's label
	chartFoot  = 22 // room for the labels of the axis
	bandHeight = 14
)

// chart is the timeline of one event: a row per attempt on a common time axis.
type chart struct {
	ID          string
	Event, Type string
	Final       outcomeView
	Summary     string // the text alternative
	Height      int
	AxisY       int
	Ticks       []tick
	Deadline    *tick
	Rows        []chartRow
	Left        int // attempts that were not drawn
}

// tick is a labelled place on the axis. Fine ones are left out where there is little room.
type tick struct {
	X, Label, Anchor string
	Fine             bool
}

// chartRow is one attempt, both as a mark and as a row of the table below the drawing.
type chartRow struct {
	Y, MarkY       int
	X              string
	Shape          string // id of the mark's symbol
	Band           *band
	LabelX, Anchor string // where the label is fastened
	Shift          int    // from there, in pixels
	Number         string
	Answer         string
	More           string // shown where there is room
	Off            string // "before its window", "after its window", "after the deadline", or empty
	Replay         bool

	At, Wall, Ended, Effect, Window, Kind, Fault string
	Line                                         int
}

// band is when the contract allowed the attempt to start. Open: it sets no upper bound.
type band struct {
	X, Width string
	Y        int
	Open     bool
}

// charts draws the events of one scenario, those that met a fault or were not delivered first.
func charts(prefix string, all []judge.Timeline) (out []chart, left string) {
	list := slices.Clone(all)
	if len(list) > maxCharts {
		slices.SortStableFunc(list, func(a, b judge.Timeline) int { return eventful(b) - eventful(a) })
		smooth := 0
		for smooth < len(list) && eventful(list[len(list)-1-smooth]) == 0 {
			smooth++
		}
		if smooth < len(list) {
			list = list[:len(list)-smooth]
		}
		faulted := len(all) - smooth
		list = list[:min(maxCharts, len(list))]
		left = fmt.Sprintf("Drawn: %d of %s. %d met a fault or were not delivered, %d were delivered at first try.",
			len(list), plural(len(all), "event"), faulted, smooth)
	}
	for i, t := range list {
		out = append(out, newChart(fmt.Sprintf("%se%d", prefix, i+1), t))
	}
	return out, left
}

// eventful ranks an event: 0 delivered at first try, 1 with a fault on the way, 2 not delivered.
func eventful(t judge.Timeline) int {
	if t.Final != evidence.StateDelivered {
		return 2
	}
	if len(t.Attempts) == 1 && clean(t.Attempts[0]) {
		return 0
	}
	return 1
}

func newChart(id string, t judge.Timeline) chart {
	attempts, left := upTo(maxAttempts, t.Attempts)
	sc := newScale(t, attempts)
	c := chart{
		ID: id, Event: or(plain(eventName(t)), "unnamed event"), Type: plain(t.Type), Final: finalView(t.Final),
		AxisY: chartTop + max(1, len(attempts))*rowHeight, Left: left, Ticks: sc.ticks(),
	}
	c.Height = c.AxisY + chartFoot
	if t.Deadline > 0 && sc.holds(t.Deadline) {
		c.Deadline = &tick{X: sc.at(t.Deadline), Label: "deadline " + span(t.Deadline-sc.origin), Anchor: "end"}
		if sc.fraction(t.Deadline) < 0.5 {
			c.Deadline.Anchor = "start"
		}
	}
	for i, a := range attempts {
		c.Rows = append(c.Rows, newRow(sc, t, a, chartTop+i*rowHeight))
	}
	c.Summary = summaryOf(c)
	return c
}

func newRow(sc scale, t judge.Timeline, a judge.TimelineAttempt, y int) chartRow {
	r := chartRow{
		Y: y, MarkY: y + rowHeight/2, X: sc.at(a.Start), Shape: shapeOf(a),
		Number: numberOf(a), Answer: answerOf(a), Off: offOf(t, a), Replay: a.Round > 0,
		At: span(a.Start - sc.origin), Wall: clock(a.At), Ended: plain(a.Ending), Effect: or(plain(a.Effect), "–"),
		Window: windowOf(sc, a), Kind: kindOf(a), Fault: or(plain(a.Fault), "–"), Line: a.Record,
	}
	r.LabelX, r.Anchor, r.Shift = labelPlace(sc, a)
	r.More = " at " + r.At
	if f := plain(a.Fault); f != "" && f != "status" && f != "none" && f != r.Answer && !clean(a) {
		r.More = " " + short(f, 24) + r.More
	}
	if a.Earliest > 0 || a.Latest > 0 {
		r.Band = &band{X: sc.at(max(a.Earliest, sc.origin)), Y: y + (rowHeight-bandHeight)/2, Open: a.Latest <= 0}
		if !r.Band.Open {
			r.Band.Width = sc.width(max(a.Earliest, sc.origin), a.Latest)
		}
	}
	return r
}

// labelPlace fastens a label beside mark and band, on the side with more room; where a long band leaves none, beside the mark.
func labelPlace(sc scale, a judge.TimelineAttempt) (x, anchor string, shift int) {
	// Half a mark and a gap.
	const away = 14
	left, right := sc.percent(a.Start), sc.percent(a.Start)
	if a.Latest > 0 {
		left, right = min(left, sc.percent(max(a.Earliest, sc.origin))), max(right, sc.percent(a.Latest))
	}
	// A label takes a third of the drawing on a telephone.
	if max(left, 100-right) < 33 {
		left, right = sc.percent(a.Start), sc.percent(a.Start)
	}
	if left > 100-right {
		return percentAttr(left), "end", -away
	}
	return percentAttr(right), "start", away
}

func numberOf(a judge.TimelineAttempt) string {
	switch {
	case a.Class == classCopy:
		return "copy"
	case a.Number == 0:
		return "resend"
	case a.Round > 0:
		return fmt.Sprintf("replay %d.%d", a.Round, a.Number)
	}
	return fmt.Sprint(a.Number)
}

func kindOf(a judge.TimelineAttempt) string {
	if a.Round > 0 {
		return fmt.Sprintf("%s, round %d", or(plain(a.Class), "replay"), a.Round)
	}
	return or(plain(a.Class), "attempt")
}

// answerOf says in a word or two what the attempt got.
func answerOf(a judge.TimelineAttempt) string {
	switch {
	case a.Status == 0 && a.Fault != "":
		return short(plain(a.Fault), 18)
	case a.Status == 0:
		return "no answer"
	case a.Ending != evidence.EndComplete:
		return fmt.Sprintf("%d, %s", a.Status, short(or(plain(a.Ending), "end unknown"), 12))
	}
	return fmt.Sprint(a.Status)
}

func shapeOf(a judge.TimelineAttempt) string {
	switch {
	case a.Class == classCopy, a.Number == 0:
		return "m-copy"
	case clean(a):
		return "m-ok"
	case a.Status == 0:
		return "m-silent"
	}
	return "m-fault"
}

// offOf tells where an attempt lies outside what the contract allowed. The judge decides what follows; this only points.
func offOf(t judge.Timeline, a judge.TimelineAttempt) string {
	switch {
	case a.Round == 0 && a.Number > 0 && t.Deadline > 0 && a.Start > t.Deadline:
		return "after the deadline"
	case a.Earliest > 0 && a.Start < a.Earliest:
		return "before its window"
	case a.Latest > 0 && a.Start > a.Latest:
		return "after its window"
	}
	return ""
}

func windowOf(sc scale, a judge.TimelineAttempt) string {
	switch {
	case a.Earliest <= 0 && a.Latest <= 0:
		return "no bound"
	case a.Latest <= 0:
		return "from " + span(max(0, a.Earliest-sc.origin))
	case a.Earliest <= 0:
		return "until " + span(a.Latest-sc.origin)
	}
	return span(max(0, a.Earliest-sc.origin)) + " to " + span(a.Latest-sc.origin)
}

func finalView(state string) outcomeView {
	switch state {
	case evidence.StateDelivered:
		return outcomeView{Class: "o-pass", Word: state}
	case evidence.StateDead:
		return outcomeView{Class: "o-warn", Word: state}
	case "lost":
		return outcomeView{Class: "o-fail", Word: state}
	}
	return outcomeView{Class: "o-inconclusive", Word: or(plain(state), "unknown")}
}

func summaryOf(c chart) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Event %s, %s.", c.Event, c.Final.Word)
	for _, r := range c.Rows {
		fmt.Fprintf(&b, " %s at %s: %s", r.Number, r.At, r.Answer)
		if r.Off != "" {
			fmt.Fprintf(&b, ", %s", r.Off)
		}
		b.WriteString(";")
	}
	if c.Left > 0 {
		fmt.Fprintf(&b, " %d more attempts.", c.Left)
	}
	if c.Deadline != nil {
		fmt.Fprintf(&b, " %s.", c.Deadline.Label)
	}
	return strings.Replace(b.String(), "; d", ". D", 1)
}

// earliest returns the least of the offsets that are set.
func earliest(ds ...time.Duration) time.Duration {
	var out time.Duration
	for _, d := range ds {
		if d > 0 && (out == 0 || d < out) {
			out = d
		}
	}
	return out
}
