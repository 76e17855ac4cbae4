package reports

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
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
	Tall        int // of the grid
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
func charts(w words.Texts, prefix string, most int, all []drawn) (out []chart, left string) {
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
		left = w.Text("scenario.drawn", len(list), w.Count("n.event", len(all)), faulted, smooth)
	}
	for i, t := range list {
		out = append(out, newChart(w, fmt.Sprintf("%se%d", prefix, i+1), t))
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

func newChart(w words.Texts, id string, t drawn) chart {
	attempts, left := upTo(maxAttempts, t.Attempts)
	sc := newScale(t, attempts)
	c := chart{
		ID: id, Event: or(plain(eventName(t.Timeline)), w.Text("chart.unnamed")), Type: plain(t.Type), Final: finalView(w, t.Final),
		Left: left, Ticks: sc.ticks(),
	}
	lanes := c.placeLines(w, sc, t)
	c.Top = lanes * laneHeight
	top := c.Top + chartTop
	c.AxisY = top + max(1, len(attempts))*rowHeight
	c.Height, c.Tall = c.AxisY+chartFoot, c.AxisY-c.Top
	for i, a := range attempts {
		c.Rows = append(c.Rows, newRow(w, sc, t, a, top+i*rowHeight))
	}
	c.Summary = summaryOf(w, c)
	return c
}

func newRow(w words.Texts, sc scale, t drawn, a judge.TimelineAttempt, y int) chartRow {
	r := chartRow{
		Y: y, MarkY: y + rowHeight/2, X: sc.at(a.Start), Shape: shapeOf(a),
		Number: numberOf(w, a), Answer: answerOf(w, a, t.marks), Off: w.Known("off", plain(a.Off)), Replay: a.Round > 0,
		At: span(a.Start - sc.origin), Wall: clockIn(w, a.At), Ended: w.Known("end", plain(a.Ending)), Effect: or(w.Known("effect", plain(a.Effect)), "–"),
		Window: windowOf(w, sc, a), Fault: or(plain(a.Fault), "–"), Line: a.Record,
	}
	r.More = w.Text("chart.more-at", r.At)
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

func numberOf(w words.Texts, a judge.TimelineAttempt) string {
	switch {
	case a.Class == classCopy:
		return w.Text("chart.copy")
	case a.Number == 0:
		return w.Text("chart.resend")
	case a.Round > 0:
		return w.Text("chart.replay", a.Round, a.Number)
	}
	return fmt.Sprint(a.Number)
}

// answerOf says in a word or two what the attempt got.
func answerOf(w words.Texts, a judge.TimelineAttempt, marks []mark) string {
	switch {
	case killed(a, marks):
		return w.Text("chart.killed")
	case a.Status == 0 && a.Fault != "":
		return short(plain(a.Fault), 18)
	case a.Status == 0:
		return w.Text("chart.no-answer")
	case a.Ending != evidence.EndComplete:
		return w.Text("chart.cut-answer", a.Status, short(or(w.Known("end", plain(a.Ending)), w.Text("end.unknown")), 12))
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

func windowOf(w words.Texts, sc scale, a judge.TimelineAttempt) string {
	from := span(max(0, a.Earliest-sc.origin))
	switch {
	case a.Earliest <= 0 && a.Latest <= 0:
		return w.Text("chart.no-bound")
	case a.Latest <= 0:
		return w.Text("chart.from", from)
	}
	until := span(a.Latest - sc.origin)
	if a.Allowance > 0 {
		until += w.Text("chart.give", span(a.Allowance))
	} else {
		until += w.Text("chart.not-judged")
	}
	if a.Earliest <= 0 {
		return w.Text("chart.until", until)
	}
	return w.Text("chart.range", from, until)
}

func finalView(w words.Texts, state string) outcomeView {
	word := w.Known("state", or(plain(state), "unknown"))
	switch state {
	case evidence.StateDelivered:
		return outcomeView{Class: "o-pass", Word: word}
	case evidence.StateDead:
		return outcomeView{Class: "o-warn", Word: word}
	case "lost":
		return outcomeView{Class: "o-fail", Word: word}
	}
	return outcomeView{Class: "o-inconclusive", Word: word}
}

func summaryOf(w words.Texts, c chart) string {
	var parts []string
	for _, r := range c.Rows {
		part := w.Text("chart.alt-row", r.Number, r.At, r.Answer)
		if r.Off != "" {
			part += w.Text("chart.alt-off", r.Off)
		}
		parts = append(parts, part)
	}
	if c.Left > 0 {
		parts = append(parts, w.Text("chart.alt-left", c.Left))
	}
	for _, m := range c.Marks {
		parts = append(parts, w.Text("chart.alt-mark", m.Label, m.At))
	}
	text := w.Text("chart.alt", c.Event, c.Final.Word, strings.Join(parts, w.Text("list.semicolon")))
	if c.Deadline != nil {
		text += w.Text("chart.alt-deadline", c.Deadline.At)
	}
	return text
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
