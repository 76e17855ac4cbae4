package refsender

import (
	"database/sql"
	"errors"
	"net/http"
	"time"
)

type deliveryAnswer struct {
	Event       string          `json:"event"`
	Endpoint    string          `json:"endpoint"`
	State       string          `json:"state"`
	LastFailure string          `json:"last_failure"` // empty: none yet
	NextAttempt *stamp          `json:"next_attempt"` // null once the delivery has ended, during an attempt, and while the endpoint is disabled
	Attempts    []attemptAnswer `json:"attempts"`

	accepted stamp
}

type attemptAnswer struct {
	Number   int    `json:"number"` // from 1, over the schedule and all replays
	At       stamp  `json:"at"`
	Status   int    `json:"status"` // 0: no answer came
	Outcome  string `json:"outcome"`
	Error    string `json:"error"`
	Response string `json:"response_sha256"` // empty: no answer came
	Trigger  string `json:"trigger"`
}

// stamp is a time as the API shows it: RFC 3339 with nanoseconds, in UTC.
type stamp int64

// MarshalJSON implements json.Marshaler.
func (s stamp) MarshalJSON() ([]byte, error) {
	return time.Unix(0, int64(s)).UTC().MarshalJSON()
}

func (s *Sender) getDelivery(q *http.Request) (int, any, error) {
	event, err1 := variable(q, "event")
	endpoint, err2 := variable(q, "endpoint")
	if err := errors.Join(err1, err2); err != nil {
		return 0, nil, err
	}
	// One transaction, so that the state and the attempts are of the same instant.
	t, err := s.store.reader.BeginTx(q.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, nil, err
	}
	out := deliveryAnswer{Event: event, Endpoint: endpoint, Attempts: []attemptAnswer{}}
	err = t.QueryRowContext(q.Context(), `SELECT CASE d.state WHEN 'in-flight' THEN 'pending' ELSE d.state END,
		d.last_failure, CASE p.state WHEN 'enabled' THEN d.next_at END, d.accepted_at
		FROM deliveries d JOIN endpoints p ON p.id = d.endpoint WHERE d.event = ? AND d.endpoint = ?`, event, endpoint).Scan(&out.State, &out.LastFailure, &out.NextAttempt, &out.accepted)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, errors.Join(refuse(http.StatusNotFound, "there is no delivery of this event to this endpoint"), t.Rollback())
	}
	var rows *sql.Rows
	if err == nil {
		rows, err = t.QueryContext(q.Context(), `SELECT number, at, status, outcome, error, response_sha256, trigger
			FROM attempts WHERE event = ? AND endpoint = ? ORDER BY number`, event, endpoint)
	}
	if err == nil {
		err = scanAll(rows, func(rows *sql.Rows) error {
			var a attemptAnswer
			err := rows.Scan(&a.Number, &a.At, &a.Status, &a.Outcome, &a.Error, &a.Response, &a.Trigger)
			out.Attempts = append(out.Attempts, a)
			return err
		})
	}
	s.defect.logRead(&out)
	s.variant.logRead(s.c, &out, time.Now())
	return http.StatusOK, out, errors.Join(err, t.Rollback())
}
