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

// Query selects requests. Every one is answered by an index, so that its cost grows with Limit and not with the file.
type Query struct {
	Endpoint string // empty: all
	// Key selects one event of Endpoint; ByKey tells that it is meant, since a key can be empty.
	Key    string
	ByKey  bool
	After  int64 // only Seq beyond this
	Before int64 // only Seq below this; 0: no bound
	Newest bool  // by descending Seq
	First  bool  // only the first attempt of each event
	// Stepless selects only what took no step of a plan: copies of our own, and what was no attempt.
	Stepless bool
	// NoEffect selects only what has no record of an effect.
	NoEffect bool
	Limit    int // at most so many; must be positive
	// MaxBody leaves longer bodies out: such an Attempt has no Body and a BodySize above zero. 0: none is left out;
	// below zero: all are.
	MaxBody int64
}

// index names the index that answers q. SQLite has no statistics of a journal, and left alone it has walked all requests of an
// endpoint to find the few of an event.
func (q Query) index() string {
	switch {
	case q.Stepless && q.Endpoint != "":
		return " INDEXED BY arrival_stepless"
	case q.ByKey:
		return " INDEXED BY arrival_event"
	case q.Endpoint != "":
		return " INDEXED BY arrival_endpoint"
	default:
		return " NOT INDEXED" // by the number itself
	}
}

// where is the condition that q stands for.
func (q Query) where() (string, []any) {
	where, args := "a.seq > ?", []any{q.After}
	if q.Before > 0 {
		where, args = where+" AND a.seq < ?", append(args, q.Before)
	}
	if q.Endpoint != "" || q.ByKey {
		where, args = where+" AND a.endpoint = ?", append(args, q.Endpoint)
	}
	if q.ByKey {
		where, args = where+" AND a.key = ?", append(args, q.Key)
	}
	if q.First {
		where += " AND a.attempt = 1"
	}
	if q.Stepless {
		where += " AND a.attempt = 0"
	}
	if q.NoEffect {
		where += " AND NOT EXISTS (SELECT 1 FROM effect WHERE seq = a.seq)"
	}
	return where, args
}

// Attempts returns requests by ascending Seq, or by descending Seq where q wants the newest first.
func (j *Journal) Attempts(ctx context.Context, q Query) ([]Attempt, error) {
	where, args := q.where()
	body, order := "a.body", "ASC"
	if q.MaxBody != 0 {
		body, args = "CASE WHEN length(a.body) <= ? THEN a.body END", append([]any{q.MaxBody}, args...)
	}
	if q.Newest {
		order = "DESC"
	}
	rows, err := j.query(ctx, `
		SELECT a.seq, a.head, `+body+`, a.record, o.record, e.record
		FROM arrival a`+q.index()+` LEFT JOIN outcome o ON o.seq = a.seq LEFT JOIN effect e ON e.seq = a.seq
		WHERE `+where+` ORDER BY a.seq `+order+` LIMIT ?`, append(args, q.Limit)...)
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

// Troubles returns what went wrong, oldest first, at most limit, beyond the cursor after. next is the cursor of the following
// page, 0 if there is none.
func (j *Journal) Troubles(ctx context.Context, after int64, limit int) (list []evidence.Trouble, next int64, err error) {
	list, next, err = page[evidence.Trouble](ctx, j, "trouble", after, limit)
	for i := range list {
		list[i].Kind = evidence.KindTrouble
	}
	return list, next, err
}

// Connections returns the connections on which no request became readable, as Troubles does.
func (j *Journal) Connections(ctx context.Context, after int64, limit int) (list []evidence.Connection, next int64, err error) {
	list, next, err = page[evidence.Connection](ctx, j, "connection", after, limit)
	for i := range list {
		list[i].Kind = evidence.KindConnection
	}
	return list, next, err
}

// page reads records of a table that has a number and a text for each.
func page[T any](ctx context.Context, j *Journal, table string, after int64, limit int) (list []T, next int64, err error) {
	rows, err := j.db.QueryContext(ctx, "SELECT id, record FROM "+table+" WHERE id > ? ORDER BY id LIMIT ?", after, limit+1)
	if err != nil {
		return nil, 0, fmt.Errorf("read %s records: %w", table, err)
	}
	defer rows.Close()
	list = []T{}
	for rows.Next() {
		var id int64
		var record []byte
		if err := rows.Scan(&id, &record); err != nil {
			return nil, 0, fmt.Errorf("read %s records: %w", table, err)
		}
		if len(list) == limit {
			return list, next, nil
		}
		var v T
		if err := json.Unmarshal(record, &v); err != nil {
			return nil, 0, fmt.Errorf("read %s record %d: %w", table, id, err)
		}
		list, next = append(list, v), id
	}
	return list, 0, rows.Err()
}

// Last returns the highest Seq in the file, 0 if it is empty.
func (j *Journal) Last(ctx context.Context) (int64, error) {
	var seq int64
	if err := j.db.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM arrival").Scan(&seq); err != nil {
		return 0, fmt.Errorf("read last number: %w", err)
	}
	return seq, nil
}

// fewCounted is the most that is counted one by one. Stopping at a limit costs as much again for each request as counting.
const fewCounted = 1000

// Count tells how many requests q selects, at most q.Limit. A small one is cheap whatever the file holds; a large one costs
// 70 ns for each request there is.
func (j *Journal) Count(ctx context.Context, q Query) (int, error) {
	where, args := q.where()
	text := "SELECT count(*) FROM arrival a" + q.index() + " WHERE " + where
	if q.Limit <= fewCounted {
		text, args = "SELECT count(*) FROM (SELECT 1 FROM arrival a"+q.index()+" WHERE "+where+" LIMIT ?)", append(args, q.Limit)
	}
	var n int
	if err := j.db.QueryRowContext(ctx, text, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count attempts of %s: %w", q.Endpoint, err)
	}
	return min(n, q.Limit), nil
}

// Reached returns the highest attempt number of an event of an endpoint, 0 if there was none, so that counting goes on after a
// restart.
func (j *Journal) Reached(ctx context.Context, endpoint, key string) (int, error) {
	var n int
	err := j.db.QueryRowContext(ctx, "SELECT coalesce(max(attempt), 0) FROM arrival INDEXED BY arrival_event WHERE endpoint = ? AND key = ?", endpoint, key).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("read attempt number of %s at %s: %w", key, endpoint, err)
	}
	return n, nil
}

// Keys returns keys that requests of an endpoint had, ascending, beyond after, at most limit.
func (j *Journal) Keys(ctx context.Context, endpoint, after string, limit int) ([]string, error) {
	rows, err := j.db.QueryContext(ctx, "SELECT DISTINCT key FROM arrival INDEXED BY arrival_event WHERE endpoint = ? AND key > ? ORDER BY key LIMIT ?", endpoint, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read keys of %s: %w", endpoint, err)
	}
	defer rows.Close()
	var keys []string
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return nil, fmt.Errorf("read keys of %s: %w", endpoint, err)
		}
		keys = append(keys, key)
	}
	return keys, rows.Err()
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
