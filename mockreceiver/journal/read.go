package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Attempt is one request with all that is known of it.
type Attempt struct {
	evidence.Arrival
	Outcome *evidence.Outcome `json:"outcome"` // nil: not known, or not yet
	Effect  *evidence.Effect  `json:"effect,omitempty"`
}

// Query selects requests.
type Query struct {
	Endpoint string // empty: all
	After    int64  // only Seq beyond this
	Limit    int    // at most so many; must be positive
}

// Attempts returns requests by ascending Seq.
func (j *Journal) Attempts(ctx context.Context, q Query) ([]Attempt, error) {
	where, args := "a.seq > ?", []any{q.After}
	if q.Endpoint != "" {
		where, args = "a.endpoint = ? AND a.seq > ?", []any{q.Endpoint, q.After}
	}
	rows, err := j.db.QueryContext(ctx, `
		SELECT a.seq, a.head, a.body, a.record, o.record, e.record
		FROM arrival a LEFT JOIN outcome o ON o.seq = a.seq LEFT JOIN effect e ON e.seq = a.seq
		WHERE `+where+` ORDER BY a.seq LIMIT ?`, append(args, q.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return scan(rows)
}

func scan(rows *sql.Rows) ([]Attempt, error) {
	defer rows.Close()
	list := []Attempt{}
	for rows.Next() {
		var a Attempt
		var seq int64
		var head, body, arrival, outcome, effect []byte
		if err := rows.Scan(&seq, &head, &body, &arrival, &outcome, &effect); err != nil {
			return nil, fmt.Errorf("read attempts: %w", err)
		}
		if err := a.fill(arrival, outcome, effect); err != nil {
			return nil, fmt.Errorf("read attempt %d: %w", seq, err)
		}
		a.Head, a.Body = head, body
		a.number(seq)
		list = append(list, a)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read attempts: %w", err)
	}
	return list, nil
}

// number fills in the number, which the records do not hold.
func (a *Attempt) number(seq int64) {
	a.Seq = seq
	if a.Outcome != nil {
		a.Outcome.Of = seq
	}
	if a.Effect != nil {
		a.Effect.Of = seq
	}
}

func (a *Attempt) fill(arrival, outcome, effect []byte) error {
	if err := json.Unmarshal(arrival, &a.Arrival); err != nil {
		return err
	}
	a.Kind = evidence.KindArrival
	if outcome != nil {
		a.Outcome = &evidence.Outcome{}
		if err := json.Unmarshal(outcome, a.Outcome); err != nil {
			return err
		}
		a.Outcome.Kind = evidence.KindOutcome
	}
	if effect != nil {
		a.Effect = &evidence.Effect{}
		if err := json.Unmarshal(effect, a.Effect); err != nil {
			return err
		}
		a.Effect.Kind = evidence.KindEffect
	}
	return nil
}

// Troubles returns what went wrong, oldest first, at most limit.
func (j *Journal) Troubles(ctx context.Context, limit int) ([]evidence.Trouble, error) {
	rows, err := j.db.QueryContext(ctx, "SELECT record FROM trouble ORDER BY id LIMIT ?", limit)
	if err != nil {
		return nil, fmt.Errorf("read troubles: %w", err)
	}
	defer rows.Close()
	list := []evidence.Trouble{}
	for rows.Next() {
		var record []byte
		if err := rows.Scan(&record); err != nil {
			return nil, fmt.Errorf("read troubles: %w", err)
		}
		t := evidence.Trouble{}
		if err := json.Unmarshal(record, &t); err != nil {
			return nil, fmt.Errorf("read troubles: %w", err)
		}
		t.Kind = evidence.KindTrouble
		list = append(list, t)
	}
	return list, rows.Err()
}

// Last returns the highest Seq in the file, 0 if it is empty.
func (j *Journal) Last(ctx context.Context) (int64, error) {
	var seq int64
	if err := j.db.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM arrival").Scan(&seq); err != nil {
		return 0, fmt.Errorf("read last number: %w", err)
	}
	return seq, nil
}

// Count tells how many requests the endpoint of q has got beyond q.After. It stops counting at q.Limit, so that asking is cheap.
func (j *Journal) Count(ctx context.Context, q Query) (int, error) {
	var n int
	err := j.db.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM arrival WHERE endpoint = ? AND seq > ? LIMIT ?)",
		q.Endpoint, q.After, q.Limit).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count attempts of %s: %w", q.Endpoint, err)
	}
	return n, nil
}

// Attempted returns the highest attempt number per key of an endpoint, so that counting goes on after a restart.
func (j *Journal) Attempted(ctx context.Context, endpoint string) (map[string]int, error) {
	rows, err := j.db.QueryContext(ctx,
		"SELECT key, max(attempt) FROM arrival WHERE endpoint = ? AND attempt > 0 GROUP BY key", endpoint)
	if err != nil {
		return nil, fmt.Errorf("read attempt numbers of %s: %w", endpoint, err)
	}
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var key string
		var n int
		if err := rows.Scan(&key, &n); err != nil {
			return nil, fmt.Errorf("read attempt numbers of %s: %w", endpoint, err)
		}
		counts[key] = n
	}
	return counts, rows.Err()
}

// Forget deletes what the journal holds of an endpoint. Numbers are not used again within a run.
func Forget(ctx context.Context, conn *sql.Conn, endpoint string) error {
	for _, text := range []string{
		"DELETE FROM outcome WHERE seq IN (SELECT seq FROM arrival WHERE endpoint = ?)",
		"DELETE FROM effect WHERE seq IN (SELECT seq FROM arrival WHERE endpoint = ?)",
		"DELETE FROM arrival WHERE endpoint = ?",
	} {
		if _, err := conn.ExecContext(ctx, text, endpoint); err != nil {
			return fmt.Errorf("forget attempts of %s: %w", endpoint, err)
		}
	}
	return nil
}
