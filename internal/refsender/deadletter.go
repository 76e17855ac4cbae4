package refsender

import (
	"database/sql"
	"errors"
	"net/http"
	"time"
)

type deadLetter struct {
	Event      string `json:"event"`
	Endpoint   string `json:"endpoint"`
	Reason     string `json:"reason"`
	Hint       string `json:"hint"`
	Attempts   int    `json:"attempts"`
	LastStatus int    `json:"last_status"` // 0: no answer came
	LastError  string `json:"last_error"`
	Payload    string `json:"payload"`
	AcceptedAt stamp  `json:"accepted_at"` // of the event; what a range of time for replays means

	FirstAttemptAt *stamp `json:"first_attempt_at"` // null: no attempt was made
	LastAttemptAt  *stamp `json:"last_attempt_at"`  // of those before it was given up

	DeadAt  stamp    `json:"dead_at"`
	Replays []replay `json:"replays"`
}

type replay struct {
	At      stamp  `json:"at"`
	Outcome string `json:"outcome"`
	Status  int    `json:"status"`
	Error   string `json:"error"`
	Reason  string `json:"reason"`
}

// getDeadLetters lists all dead letters, of one endpoint if the path names it. An entry stays after a replay that succeeded:
// it says that the event was given up once, and what became of it.
func (s *Sender) getDeadLetters(q *http.Request) (int, any, error) {
	endpoint, err := variable(q, "endpoint")
	if err != nil {
		return 0, nil, err
	}
	// One transaction, so that entries and replays are of the same instant.
	t, err := s.store.reader.BeginTx(q.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, nil, err
	}
	out, err := deadLetters(q, t, endpoint)
	if err = errors.Join(err, t.Rollback()); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string][]*deadLetter{"dead_letters": s.variant.deadRead(s.defect.deadRead(out), time.Now())}, nil
}

func deadLetters(q *http.Request, t *sql.Tx, endpoint string) ([]*deadLetter, error) {
	if endpoint != "" {
		var one int
		err := t.QueryRowContext(q.Context(), "SELECT 1 FROM endpoints WHERE id = ?", endpoint).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, refuse(http.StatusNotFound, "there is no such endpoint")
		}
		if err != nil {
			return nil, err
		}
	}
	out, by := []*deadLetter{}, map[[2]string]*deadLetter{}
	rows, err := t.QueryContext(q.Context(), `SELECT d.event, d.endpoint, d.reason, d.hint, d.attempts, d.last_status, d.last_error,
		e.body, l.accepted_at, d.dead_at,
		(SELECT min(at) FROM attempts a WHERE a.event = d.event AND a.endpoint = d.endpoint AND a.number <= d.attempts),
		(SELECT max(at) FROM attempts a WHERE a.event = d.event AND a.endpoint = d.endpoint AND a.number <= d.attempts)
		FROM dead_letters d JOIN events e ON e.id = d.event JOIN deliveries l ON l.event = d.event AND l.endpoint = d.endpoint
		WHERE d.endpoint = ?1 OR ?1 = '' ORDER BY d.dead_at, d.event`, endpoint)
	if err != nil {
		return nil, err
	}
	err = scanAll(rows, func(rows *sql.Rows) error {
		d := &deadLetter{Replays: []replay{}}
		err := rows.Scan(&d.Event, &d.Endpoint, &d.Reason, &d.Hint, &d.Attempts, &d.LastStatus, &d.LastError, &d.Payload,
			&d.AcceptedAt, &d.DeadAt, &d.FirstAttemptAt, &d.LastAttemptAt)
		out, by[[2]string{d.Event, d.Endpoint}] = append(out, d), d
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, addReplays(q, t, by, endpoint)
}

func addReplays(q *http.Request, t *sql.Tx, by map[[2]string]*deadLetter, endpoint string) error {
	rows, err := t.QueryContext(q.Context(), `SELECT event, endpoint, at, outcome, status, error, reason FROM replays
		WHERE endpoint = ?1 OR ?1 = '' ORDER BY event, endpoint, number`, endpoint)
	if err != nil {
		return err
	}
	return scanAll(rows, func(rows *sql.Rows) error {
		var key [2]string
		var r replay
		if err := rows.Scan(&key[0], &key[1], &r.At, &r.Outcome, &r.Status, &r.Error, &r.Reason); err != nil {
			return err
		}
		if d := by[key]; d != nil { // replays of delivered events are in the delivery log only
			d.Replays = append(d.Replays, r)
		}
		return nil
	})
}
