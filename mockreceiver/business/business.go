// Package business is the subscriber's side of a receiver. A local effect is an order per event, and a dedupe row that makes each
// event count once: both are real rows of a real database, so that a failure is rolled back by the database and not by our
// word. For an external effect there is an inbox, whose row is the dedupe row: an event enters it before the 2xx, and a
// worker moves it from pending over processing to completed, or to the dead letters.
package business

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"
)

// The check on quantity is what a planned failure runs into: the statement is refused by the database itself.
const schema = `
CREATE TABLE IF NOT EXISTS dedupe (
	endpoint TEXT NOT NULL,
	event    TEXT NOT NULL,
	seq      INTEGER NOT NULL, -- of the request that was committed
	PRIMARY KEY (endpoint, event)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS orders (
	id       INTEGER PRIMARY KEY,
	endpoint TEXT NOT NULL,
	event    TEXT NOT NULL,
	seq      INTEGER NOT NULL,
	quantity INTEGER NOT NULL CHECK (quantity > 0),
	object   TEXT,    -- what the event is about; NULL: not told
	created  INTEGER, -- of the event, unix ns; NULL: not told
	version  TEXT     -- of the object, as told; NULL: not told
);
CREATE INDEX IF NOT EXISTS orders_event ON orders (endpoint, event);
`

// Event is what a business write is about.
type Event struct {
	Endpoint string
	// Key is the idempotency key: the event's id within its endpoint and tenant, never a business object's.
	Key  string
	Seq  int64 // of the request
	Mode Mode  // "": Transaction
	Type string
	// Ignored is set for an event of a type that the subscriber does not know: nothing is written.
	Ignored bool
	Object  Object
	// Reason is why a person had the event delivered again; empty: nobody had. It takes up a dead letter of an inbox.
	Reason string
	// At is when the event enters an inbox, and Work how long its worker then takes before it calls the effect.
	At   time.Time
	Work time.Duration
}

// Done is what a business write did.
type Done struct {
	Result string // one of the evidence Effect results
	Detail string // one sentence, where the result does not say all
}

// Ledger writes to the business tables. It is for one goroutine and works inside a transaction that its caller opened on
// the same connection.
type Ledger struct {
	savepoint, release, rollback quick
	claim, order, state          sized
	args                         []driver.Value  // of the statement at hand
	columns                      [3]driver.Value // of the row at hand
	defect                       Defect

	objects objects
	inbox   inbox
}

// Open makes the tables if they are not there and prepares the statements on conn. The caller closes the ledger before it
// releases conn.
func Open(ctx context.Context, conn *sql.Conn) (*Ledger, error) {
	if _, err := conn.ExecContext(ctx, schema+objectSchema+inboxSchema); err != nil {
		return nil, fmt.Errorf("make business tables: %w", err)
	}
	l := &Ledger{}
	l.claim = sized{conn: conn, text: claimText}
	l.order = sized{conn: conn, text: orderText}
	l.state = sized{conn: conn, text: stateText}
	var err error
	for stmt, text := range map[*quick]string{
		&l.savepoint: "SAVEPOINT business",
		&l.release:   "RELEASE business",
		&l.rollback:  "ROLLBACK TO business",
	} {
		err = errors.Join(err, stmt.prepare(ctx, conn, text))
	}
	if err = errors.Join(err, l.objects.open(ctx, conn), l.inbox.open(ctx, conn)); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// prepare prepares statements. What it prepared before an error is the caller's to close.
func prepare(ctx context.Context, conn *sql.Conn, texts map[**sql.Stmt]string) error {
	for stmt, text := range texts {
		s, err := conn.PrepareContext(ctx, text)
		if err != nil {
			return fmt.Errorf("prepare %q: %w", text, err)
		}
		*stmt = s
	}
	return nil
}

// wrote tells whether a statement changed a row.
func wrote(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// refused tells whether the database refused a row, which is what a planned failure must run into; anything else, such as a
// full disk, is a failure that nobody planned.
func refused(err error) bool {
	const constraint = 19 // SQLITE_CONSTRAINT; the extended codes keep it in their low byte
	var coded interface{ Code() int }
	return errors.As(err, &coded) && coded.Code()&0xff == constraint
}

// Forget deletes the rows of an endpoint.
func Forget(ctx context.Context, conn *sql.Conn, endpoint string) error {
	for _, table := range []string{"dedupe", "orders", "object", "inbox", "external"} {
		if _, err := conn.ExecContext(ctx, "DELETE FROM "+table+" WHERE endpoint = ?", endpoint); err != nil {
			return fmt.Errorf("forget business rows of %s: %w", endpoint, err)
		}
	}
	return nil
}

// Close releases the statements.
func (l *Ledger) Close() error {
	var errs []error
	for _, q := range []*quick{&l.savepoint, &l.release, &l.rollback, &l.objects.put} {
		errs = append(errs, q.Close())
	}
	for _, q := range []*sized{&l.claim, &l.order, &l.state} {
		errs = append(errs, q.Close())
	}
	return errors.Join(append(errs, release(append(l.inbox.list(), l.objects.get)...))...)
}

func release(list ...*sql.Stmt) error {
	var errs []error
	for _, s := range list {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(errs...)
}
