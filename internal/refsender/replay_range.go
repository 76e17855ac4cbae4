package refsender

import (
	"database/sql"
	"errors"
	"net/http"
	"time"
)

type rangeRequest struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Reason string `json:"reason"`
}

// postReplayRange replays what an endpoint has in its dead letters from a range of time: from the first instant on, to just
// before the second. The time of an event is that of its acceptance. Entries that were replayed with success are left out.
func (s *Sender) postReplayRange(q *http.Request) (int, any, error) {
	if err := s.accepting(); err != nil {
		return 0, nil, err
	}
	endpoint, err := variable(q, "endpoint")
	if err != nil {
		return 0, nil, err
	}
	var in rangeRequest
	if err := decode(q, &in); err != nil {
		return 0, nil, err
	}
	from, err1 := instant("from", in.From)
	to, err2 := instant("to", in.To)
	if err := errors.Join(err1, err2); err != nil {
		return 0, nil, err
	}
	switch {
	case in.Reason == "":
		return 0, nil, refuse(http.StatusBadRequest, "reason must say why the events are replayed")
	case from >= to:
		return 0, nil, refuse(http.StatusBadRequest, "from must lie before to")
	}
	from, to = s.defect.bounds(from-int64(s.variant.ahead()), to-int64(s.variant.ahead()))
	var all []*delivery
	err = s.store.write(func(t *tx) error {
		all, err = reopenRange(t, endpoint, in.Reason, from, to)
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	for _, d := range all {
		s.enqueue(d)
	}
	return http.StatusAccepted, map[string]int{"replayed": len(all)}, nil
}

// instant reads a time as Unix nanoseconds. Years that these cannot hold are refused; no event is of them.
func instant(field, text string) (int64, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, refuse(http.StatusBadRequest, "%s must be a time by RFC 3339, such as 2026-11-30T12:00:00.123456789Z", field)
	}
	if at.Year() < 1970 || at.Year() > 2200 {
		return 0, refuse(http.StatusBadRequest, "%s must lie between the years 1970 and 2200", field)
	}
	return at.UnixNano(), nil
}

func reopenRange(t *tx, endpoint, reason string, from, to int64) ([]*delivery, error) {
	var state string
	if err := findEndpoint(t, endpoint, "state", &state); err != nil {
		return nil, err
	}
	if err := sendable(state); err != nil {
		return nil, err
	}
	var all []*delivery
	now := time.Now()
	err := t.each(`SELECT d.event FROM dead_letters l JOIN deliveries d ON d.event = l.event AND d.endpoint = l.endpoint
		WHERE l.endpoint = ? AND d.state = 'dead-lettered' AND d.accepted_at >= ? AND d.accepted_at < ? ORDER BY d.accepted_at`,
		[]any{endpoint, from, to}, func(rows *sql.Rows) error {
			d := newReplay("", endpoint, reason, now)
			all = append(all, d)
			return rows.Scan(&d.event)
		})
	for _, d := range all {
		err = errors.Join(err, reopen(t, d, noDefect))
	}
	return all, err
}
