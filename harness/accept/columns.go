package accept

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Column is something that a row of a log says.
type Column string

// The columns. Only Event is needed.
const (
	ColumnEvent    Column = "event"    // the event's id
	ColumnEndpoint Column = "endpoint" // where it was sent, if one event goes to several
	ColumnAt       Column = "at"       // when: RFC 3339, or Unix time in s (a fraction too), ms, µs or ns; without it the rows are in order of time
	ColumnStatus   Column = "status"   // of the answer; empty or 0: there was none
	ColumnAttempt  Column = "attempt"  // its number, from 1; those below it that have no row count as failed
	ColumnState    Column = "state"    // pending, delivered or dead
	ColumnReason   Column = "reason"   // why the event was given up
	ColumnReplay   Column = "replay"   // whether the attempt was asked for by hand
)

// Columns lists all columns.
func Columns() []Column {
	return []Column{
		ColumnEvent, ColumnEndpoint, ColumnAt, ColumnStatus, ColumnAttempt, ColumnState, ColumnReason, ColumnReplay,
	}
}

// Map says under which name a log has each column. A name of JSON may be a path: response.status.
type Map map[Column]string

// ParseMap reads a map from column=name pairs with commas between. A column that is not named has its own name.
func ParseMap(text string) (Map, error) {
	m := Map{}
	for _, c := range Columns() {
		m[c] = string(c)
	}
	if text == "" {
		return m, nil
	}
	for pair := range strings.SplitSeq(text, ",") {
		column, name, ok := strings.Cut(pair, "=")
		column, name = strings.TrimSpace(column), strings.TrimSpace(name)
		if !ok || name == "" {
			return nil, fmt.Errorf("%q is no pair; write column=name, as event=event_id", pair)
		}
		if !slices.Contains(Columns(), Column(column)) {
			return nil, fmt.Errorf("%q is no column; those are %s", column, columnNames())
		}
		m[Column(column)] = name
	}
	return m, nil
}

func columnNames() string {
	var names []string
	for _, c := range Columns() {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// row is what one line says, each value as it is written; empty: nothing.
type row struct {
	event, endpoint, at, status, attempt, state, reason, replay string
}

// set is called for each value, by the place of its column in Columns.
func (r *row) set(column int, value string) {
	*[...]*string{&r.event, &r.endpoint, &r.at, &r.status, &r.attempt, &r.state, &r.reason, &r.replay}[column] = value
}

// Bounds of Unix times in s, ms and µs: seconds until the year 5138, and none before 1973 in a finer unit.
const (
	mostSeconds = 1e11
	mostMillis  = 1e14
	mostMicros  = 1e17
)

// instant reads a time; Unix times are told apart by their size.
func instant(text string) (time.Time, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		switch {
		case n < mostSeconds:
			return time.Unix(n, 0), nil
		case n < mostMillis:
			return time.UnixMilli(n), nil
		case n < mostMicros:
			return time.UnixMicro(n), nil
		}
		return time.Unix(0, n), nil
	}
	if s, err := strconv.ParseFloat(text, 64); err == nil && s >= 0 && s < mostSeconds { // as exact as its author had it: to 0.2 µs
		return time.Unix(0, int64(s*float64(time.Second))), nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00"} {
		if at, err := time.Parse(layout, text); err == nil && at.Year() > 1970 {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("time %s cannot be read; write RFC 3339, as 2026-11-30T12:00:00Z, or a Unix time", short(text))
}

func status(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n != 0 && (n < 100 || n > 599) {
		return 0, fmt.Errorf("status %s is none; write 100 to 599, or nothing where no answer came", short(text))
	}
	return n, nil
}

// mostAttempts bounds what an attempt number stands for: no schedule has so many.
const mostAttempts = 200

func attemptNumber(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostAttempts {
		return 0, fmt.Errorf("attempt %s is no number from 1 to %d", short(text), mostAttempts)
	}
	return n, nil
}

// state reads the words that senders have for a state, in those of evidence; empty: nothing is said.
func state(text string) (string, error) {
	switch strings.ToLower(text) {
	case "":
		return "", nil
	case "pending", "queued", "scheduled", "retrying", "processing", "waiting":
		return evidence.StatePending, nil
	case "delivered", "success", "succeeded", "successful", "ok", "completed", "sent":
		return evidence.StateDelivered, nil
	case "dead", "dead-lettered", "dead_lettered", "dead-letter", "dead_letter", "exhausted", "given-up", "given_up", "discarded", "failed", "failure":
		return evidence.StateDead, nil
	}
	return "", fmt.Errorf("state %s is unknown; write pending, delivered or dead", short(text))
}

func yes(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "", "0", "false", "no", "f", "schedule", "automatic":
		return false, nil
	case "1", "true", "yes", "t", "replay", "manual":
		return true, nil
	}
	return false, fmt.Errorf("replay %s is neither true nor false", short(text))
}

// short quotes and cuts what came from outside, so that an error stays one readable line.
func short(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	return strconv.Quote(s)
}
