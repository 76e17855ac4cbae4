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
	maxCharts = 12
	// Of a scenario in which nothing is wrong: a page of every scenario stays below two megabytes.
	maxChartsPass = 4
	maxAttempts   = 24

	// Pixels. Text keeps its size at every width, so heights are fixed while positions along the axis are per cent.
	rowHeight  = 22
	chartTop   = 5  // room above the first attempt, below those labels
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
	Top         int // of the grid
	AxisY       int
	Ticks       []tick
	Deadline    *tick
	Marks       []tick
	Rows        []chartRow
	Left        int // attempts that were not drawn
}

// tick is a labelled place in time: of the axis, or a line through the drawing whose label stands above it at Y. Fine ones
// are left out where there is little room.
type tick struct {
	X, Label, Anchor string
	Fine             bool
	Y, From          int // of the label, and of the line's upper end
	At               string
	Line             int
}

// chartRow is one attempt, both as a mark and as a row of the table below the drawing.
type chartRow struct {
	Y, MarkY       int
	X              string
	Shape          string // id of the mark's symbol
	Band           *band
	LabelX, Anchor string // where the label is fastened
	Shift          int    // from there, in pixels
	Slack          *band  // what is tolerated around the band
	Number         string
	Answer         string
	More           string // shown where there is room
	Off            string // "before its window", "after its window", "after the deadline", or empty
	Replay         bool

	At, Wall, Ended, Effect, Window, Fault string
	Line                                   int
}

// band is when the contract allowed the attempt to start. Open: its upper bound is not judged, or there is none.
type band struct {
	X, Width string
	Y        int
	Open     bool
}

// drawn is a timeline with what was done meanwhile.
type drawn struct {
	judge.Timeline
	marks []mark
}

// charts draws the events of one scenario, those that met a fault or were not delivered first.
func charts(prefix string, most int, all []drawn) (out []chart, left string) {
	list := slices.Clone(all)
	if len(list) > most {
		slices.SortStableFunc(list, func(a, b drawn) int { return eventful(b.Timeline) - eventful(a.Timeline) })
		smooth := 0
		for smooth < len(list) && eventful(list[len(list)-1-smooth].Timeline) == 0 {
			smooth++
		}
		if smooth < len(list) {
			list = list[:len(list)-smooth]
		}
		faulted := len(all) - smooth
		list = list[:min(most, len(list))]
		left = fmt.Sprintf("Drawn: %d of %s. %d met a fault or were not delivered, %d were delivered at first try.",
			len(list), plural(len(all), "event"), faulted, smooth)
	}
	for i, t := range list {
		out = append(out, newChart(fmt.Sprintf("%se%d", prefix, i+1), t))
	}
	return out, left
}

// eventful ranks an event: 0 delivered at first try, 1 with a fault on the way, 2 not delivered, or outside what was allowed.
func eventful(t judge.Timeline) int {
	off := func(a judge.TimelineAttempt) bool { return a.Off != "" }
	if t.Final != evidence.StateDelivered || slices.ContainsFunc(t.Attempts, off) {
		return 2
	}
	if len(t.Attempts) == 1 && clean(t.Attempts[0]) {
		return 0
	}
	return 1
}

func newChart(id string, t drawn) chart {
	attempts, left := upTo(maxAttempts, t.Attempts)
	sc := newScale(t, attempts)
	c := chart{
		ID: id, Event: or(plain(eventName(t.Timeline)), "unnamed event"), Type: plain(t.Type), Final: finalView(t.Final),
		Left: left, Ticks: sc.ticks(),
	}
	lanes := c.placeLines(sc, t)
	c.Top = lanes * laneHeight
	top := c.Top + chartTop
	c.AxisY = top + max(1, len(attempts))*rowHeight
	c.Height = c.AxisY + chartFoot
	for i, a := range attempts {
		c.Rows = append(c.Rows, newRow(sc, t, a, top+i*rowHeight))
	}
	c.Summary = summaryOf(c)
	return c
}

func newRow(sc scale, t drawn, a judge.TimelineAttempt, y int) chartRow {
	r := chartRow{
		Y: y, MarkY: y + rowHeight/2, X: sc.at(a.Start), Shape: shapeOf(a),
		Number: numberOf(a), Answer: answerOf(a, t.marks), Off: plain(a.Off), Replay: a.Round > 0,
		At: span(a.Start - sc.origin), Wall: clock(a.At), Ended: plain(a.Ending), Effect: or(plain(a.Effect), "–"),
		Window: windowOf(sc, a), Fault: or(plain(a.Fault), "–"), Line: a.Record,
	}
	r.More = " at " + r.At
	if f := plain(a.Fault); !killed(a, t.marks) && f != "" && f != "status" && f != "none" && f != r.Answer && !clean(a) {
		r.More = " " + short(f, 24) + r.More
	}
	r.LabelX, r.Anchor, r.Shift = labelPlace(sc, t, a, r)
	if a.Earliest <= 0 && a.Latest <= 0 {
		return r
	}
	from, y := max(a.Earliest, sc.origin), y+(rowHeight-bandHeight)/2
	r.Band = &band{X: sc.at(from), Y: y, Open: a.Latest <= 0}
	if a.Latest <= 0 {
		return r
	}
	r.Band.Width = sc.width(from, a.Latest)
	first := max(a.Earliest-a.Give, sc.origin)
	r.Slack = &band{X: sc.at(a.Latest), Y: y, Open: a.Allowance <= 0}
	if a.Allowance > 0 {
		r.Slack.X, r.Slack.Width = sc.at(first), sc.width(first, a.Latest+a.Allowance)
	}
	return r
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

// answerOf says in a word or two what the attempt got.
func answerOf(a judge.TimelineAttempt, marks []mark) string {
	switch {
	case killed(a, marks):
		return "cut by the kill"
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

func windowOf(sc scale, a judge.TimelineAttempt) string {
	from := span(max(0, a.Earliest-sc.origin))
	switch {
	case a.Earliest <= 0 && a.Latest <= 0:
		return "no bound"
	case a.Latest <= 0:
		return "from " + from
	}
	until := span(a.Latest - sc.origin)
	if a.Allowance > 0 {
		until += " (+" + span(a.Allowance) + ")"
	} else {
		until += " (end not judged)"
	}
	if a.Earliest <= 0 {
		return "until " + until
	}
	return from + " to " + until
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
	for _, m := range c.Marks {
		fmt.Fprintf(&b, " %s at %s;", m.Label, m.At)
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
