package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Writer writes records. It is for one goroutine.
type Writer struct {
	arrival, outcome, effect, trouble *sql.Stmt
}

// NewWriter prepares the statements on conn. The caller closes the writer before it releases conn.
func NewWriter(ctx context.Context, conn *sql.Conn) (*Writer, error) {
	w := &Writer{}
	for stmt, text := range map[**sql.Stmt]string{
		&w.arrival: "INSERT INTO arrival (seq, endpoint, key, attempt, head, body, record) VALUES (?, ?, ?, ?, ?, ?, ?)",
		&w.outcome: "INSERT INTO outcome (seq, record) VALUES (?, ?)",
		&w.effect:  "INSERT INTO effect (seq, record) VALUES (?, ?)",
		&w.trouble: "INSERT INTO trouble (record) VALUES (?)",
	} {
		s, err := conn.PrepareContext(ctx, text)
		if err != nil {
			return nil, fmt.Errorf("prepare %q: %w", text, errors.Join(err, w.Close()))
		}
		*stmt = s
	}
	return w, nil
}

// Arrival writes a request. Its Seq must be set and new.
func (w *Writer) Arrival(ctx context.Context, a *evidence.Arrival) error {
	bare := *a
	bare.Head, bare.Body = nil, nil
	record, err := json.Marshal(&bare)
	if err != nil {
		return fmt.Errorf("arrival %d: %w", a.Seq, err)
	}
	if _, err := w.arrival.ExecContext(ctx, a.Seq, a.Endpoint, a.Key, a.Attempt, notNull(a.Head), notNull(a.Body), record); err != nil {
		return fmt.Errorf("arrival %d: %w", a.Seq, err)
	}
	return nil
}

// Outcome writes what became of a request.
func (w *Writer) Outcome(ctx context.Context, o *evidence.Outcome) error {
	return w.insert(ctx, w.outcome, fmt.Sprintf("outcome of %d", o.Of), o, o.Of)
}

// Effect writes what the business write of a request did.
func (w *Writer) Effect(ctx context.Context, e *evidence.Effect) error {
	return w.insert(ctx, w.effect, fmt.Sprintf("effect of %d", e.Of), e, e.Of)
}

// Trouble writes what went wrong.
func (w *Writer) Trouble(ctx context.Context, t *evidence.Trouble) error {
	return w.insert(ctx, w.trouble, "trouble", t)
}

func (w *Writer) insert(ctx context.Context, stmt *sql.Stmt, what string, r evidence.Record, keys ...any) error {
	record, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if _, err := stmt.ExecContext(ctx, append(keys, record)...); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Close releases the statements.
func (w *Writer) Close() error {
	var errs []error
	for _, s := range []*sql.Stmt{w.arrival, w.outcome, w.effect, w.trouble} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(errs...)
}

// notNull keeps the driver from storing an empty slice as NULL.
func notNull(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
