package business

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// An event enters the inbox in the transaction of its evidence. The row is the dedupe row as well: that it is there says that
// the event was received, and state alone says what was done about it. Times are unix ns.
//
// The effect is the outside world, as far as a receiver without one can have it: a row per idempotency key, which a second
// call with the same key finds.
const inboxSchema = `
CREATE TABLE IF NOT EXISTS inbox (
	id       INTEGER PRIMARY KEY,
	endpoint TEXT NOT NULL,
	event    TEXT NOT NULL,
	seq      INTEGER NOT NULL, -- of the request that brought it
	type     TEXT NOT NULL,
	state    TEXT NOT NULL CHECK (state IN ('pending', 'processing', 'completed', 'dead')),
	tries    INTEGER NOT NULL DEFAULT 0, -- that came to an end, since the last retry by hand
	failures INTEGER NOT NULL DEFAULT 0, -- failed ones in all
	retries  INTEGER NOT NULL DEFAULT 0, -- by hand
	due      INTEGER NOT NULL,
	work     INTEGER NOT NULL,           -- ns
	received INTEGER NOT NULL,
	changed  INTEGER NOT NULL,
	failure  TEXT NOT NULL DEFAULT '',   -- why the last try failed
	reason   TEXT NOT NULL DEFAULT '',   -- of the last retry by hand
	UNIQUE (endpoint, event)
);
CREATE INDEX IF NOT EXISTS inbox_due ON inbox (endpoint, due) WHERE state = 'pending';
CREATE INDEX IF NOT EXISTS inbox_open ON inbox (state, id) WHERE state <> 'completed';
CREATE TABLE IF NOT EXISTS external (
	key      TEXT PRIMARY KEY,
	endpoint TEXT NOT NULL,
	calls    INTEGER NOT NULL
) WITHOUT ROWID;
`

// inbox are the statements of the inbox.
type inbox struct {
	enter, state, claim, due, complete, fail, release, retry, call *sql.Stmt
}

func (s *inbox) open(ctx context.Context, conn *sql.Conn) error {
	return prepare(ctx, conn, map[**sql.Stmt]string{
		&s.enter: `INSERT INTO inbox (endpoint, event, seq, type, state, due, work, received, changed)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?6, ?6) ON CONFLICT (endpoint, event) DO NOTHING`,
		&s.state: "SELECT id, state FROM inbox WHERE endpoint = ? AND event = ?",
		&s.claim: `UPDATE inbox SET state = 'processing', changed = ?2 WHERE id IN
			(SELECT id FROM inbox WHERE endpoint = ?1 AND state = 'pending' AND due <= ?2 ORDER BY due LIMIT ?3)
			RETURNING id, event, seq, type, tries, failures, work`,
		&s.due:      "SELECT min(due) FROM inbox WHERE endpoint = ? AND state = 'pending'",
		&s.complete: "UPDATE inbox SET state = 'completed', tries = tries + 1, changed = ?3 WHERE id = ?1 AND seq = ?2 AND state = 'processing'",
		&s.fail: `UPDATE inbox SET state = ?4, tries = tries + 1, failures = failures + 1, failure = ?5, due = ?6, changed = ?3
			WHERE id = ?1 AND seq = ?2 AND state = 'processing'`,
		&s.release: "UPDATE inbox SET state = 'pending', changed = ?3 WHERE id = ?1 AND seq = ?2 AND state = 'processing'",
		&s.retry: `UPDATE inbox SET state = 'pending', tries = 0, retries = retries + 1, reason = ?2, due = ?3, changed = ?3
			WHERE id = ?1 AND state = 'dead' RETURNING endpoint`,
		&s.call: "INSERT INTO external (key, endpoint, calls) VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET calls = calls + 1",
	})
}

func (s *inbox) list() []*sql.Stmt {
	return []*sql.Stmt{s.enter, s.state, s.claim, s.due, s.complete, s.fail, s.release, s.retry, s.call}
}

// take lets an event into the inbox. A planned failure runs into the table's check of the state.
func (s *inbox) take(ctx context.Context, e Event, fail bool) (Done, error) {
	state := Pending
	if fail {
		state = "failed on purpose"
	}
	entered, err := wrote(s.enter.ExecContext(ctx, e.Endpoint, e.Key, e.Seq, e.Type, string(state), e.At.UnixNano(), int64(e.Work)))
	switch {
	case err == nil && entered:
		return Done{Result: evidence.EffectQueued}, nil
	case err != nil && (!fail || !refused(err)):
		return Done{}, err
	}
	id, found, readErr := s.stateOf(ctx, e.Endpoint, e.Key)
	switch {
	case readErr != nil:
		return Done{}, readErr
	case found == Dead && e.Reason != "" && !fail:
		var endpoint string
		err := s.retry.QueryRowContext(ctx, id, e.Reason, e.At.UnixNano()).Scan(&endpoint)
		return Done{evidence.EffectQueued, "a dead letter is taken up again"}, err
	case found != "":
		return Done{evidence.EffectAbsorbed, fmt.Sprintf("the event was in the inbox already, %s", found)}, nil
	case fail:
		return Done{Result: evidence.EffectRolledBack}, nil
	default:
		return Done{}, errors.New("the inbox took no row and has none")
	}
}

// stateOf tells where an event stands; "": it is not there.
func (s *inbox) stateOf(ctx context.Context, endpoint, key string) (id int64, state State, err error) {
	err = s.state.QueryRowContext(ctx, endpoint, key).Scan(&id, &state)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, "", nil
	}
	return id, state, err
}

// Recover makes events pending again whose try was under way when the process ended. Nobody may be at work.
func (l *Ledger) Recover(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, "UPDATE inbox SET state = 'pending' WHERE state = 'processing' AND state <> 'completed'")
	if err != nil {
		return fmt.Errorf("recover the inbox: %w", err)
	}
	return nil
}

// Claim moves at most limit events of an endpoint that are due to processing, and returns them, without their bodies. next is
// when the next one is due; zero: none is pending.
func (l *Ledger) Claim(ctx context.Context, endpoint string, now time.Time, limit int) (tasks []Task, next time.Time, err error) {
	rows, err := l.inbox.claim.QueryContext(ctx, endpoint, now.UnixNano(), limit)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("claim events of %s: %w", endpoint, err)
	}
	defer rows.Close()
	for rows.Next() {
		t := Task{Endpoint: endpoint}
		if err := rows.Scan(&t.id, &t.Event, &t.Seq, &t.Type, &t.Try, &t.failures, &t.work); err != nil {
			return nil, time.Time{}, fmt.Errorf("claim events of %s: %w", endpoint, err)
		}
		t.Try++
		t.IdempotencyKey = url.QueryEscape(endpoint) + "/" + t.Event
		tasks = append(tasks, t)
	}
	if err := rows.Err(); err != nil {
		return nil, time.Time{}, fmt.Errorf("claim events of %s: %w", endpoint, err)
	}
	var due sql.NullInt64
	if err := l.inbox.due.QueryRowContext(ctx, endpoint).Scan(&due); err != nil {
		return nil, time.Time{}, fmt.Errorf("find when an event of %s is due: %w", endpoint, err)
	}
	if due.Valid {
		next = time.Unix(0, due.Int64)
	}
	return tasks, next, nil
}

// Complete moves an event to completed. The effect's call must have succeeded. As with Fail and Release, an event that was
// forgotten meanwhile is let go.
func (l *Ledger) Complete(ctx context.Context, t Task, now time.Time) error {
	_, err := l.inbox.complete.ExecContext(ctx, t.id, t.Seq, now.UnixNano())
	return moved(t, err)
}

// Fail notes a failed try. The event becomes pending again and due at a time, or a dead letter with a zero one.
func (l *Ledger) Fail(ctx context.Context, t Task, failure string, now, due time.Time) error {
	state, at := Pending, due.UnixNano()
	if due.IsZero() {
		state, at = Dead, now.UnixNano()
	}
	_, err := l.inbox.fail.ExecContext(ctx, t.id, t.Seq, now.UnixNano(), string(state), failure, at)
	return moved(t, err)
}

// Release makes an event pending again whose try came to no end. It counts for nothing.
func (l *Ledger) Release(ctx context.Context, t Task, now time.Time) error {
	_, err := l.inbox.release.ExecContext(ctx, t.id, t.Seq, now.UnixNano())
	return moved(t, err)
}

func moved(t Task, err error) error {
	if err != nil {
		return fmt.Errorf("move event %s of %s: %w", t.Event, t.Endpoint, err)
	}
	return nil
}

// Retry makes a dead letter pending again, with all its tries, and returns its endpoint; "" if there is no such dead letter.
func (l *Ledger) Retry(ctx context.Context, id int64, reason string, now time.Time) (endpoint string, err error) {
	err = l.inbox.retry.QueryRowContext(ctx, id, reason, now.UnixNano()).Scan(&endpoint)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("retry dead letter %d: %w", id, err)
	}
	return endpoint, nil
}

// Call is the external effect of a receiver that was given none.
func (l *Ledger) Call(ctx context.Context, t Task) error {
	if _, err := l.inbox.call.ExecContext(ctx, t.IdempotencyKey, t.Endpoint); err != nil {
		return fmt.Errorf("call of the effect for %s: %w", t.IdempotencyKey, err)
	}
	return nil
}
