package reports

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// classCopy is the class of requests that the harness itself sent.
const classCopy = "copy"

// writeFailures writes one row per simulated failure: every request of the sender that got something else than a whole 2xx.
func writeFailures(w io.Writer, r Report) error {
	out := csv.NewWriter(w)
	// Errors of the writer are sticky; Error returns them after the last row.
	rows := [][]string{{
		"scenario", "event", "attempt", "round", "class", "request_time", "fault", "status", "ending", "final_state", "evidence_line",
	}}
	for _, t := range r.timelines {
		for _, a := range t.Attempts {
			if clean(a) || a.Class == classCopy {
				continue
			}
			rows = append(rows, []string{
				cell(t.Scenario), cell(eventName(t)), strconv.Itoa(a.Number), strconv.Itoa(a.Round), cell(a.Class),
				clock(a.At), cell(a.Fault), statusText(a.Status), cell(a.Ending), cell(t.Final), strconv.Itoa(a.Record),
			})
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return err
	}
	return out.Error()
}

// clean tells whether an attempt got a whole 2xx.
func clean(a judge.TimelineAttempt) bool {
	return a.Status >= 200 && a.Status <= 299 && a.Ending == evidence.EndComplete
}

// eventName is the event's id, or the marker by which the harness knows it where the sender shows none.
func eventName(t judge.Timeline) string {
	if t.Event != "" {
		return t.Event
	}
	return t.Marker
}

func statusText(status int) string {
	if status == 0 {
		return "none"
	}
	return strconv.Itoa(status)
}

// cell makes text safe for a spreadsheet, which takes a cell that opens with one of these characters for a formula.
func cell(s string) string {
	s = plain(s)
	if strings.ContainsAny(firstRune(s), "=+-@＝＋－＠|%") {
		return "'" + s
	}
	return s
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}
