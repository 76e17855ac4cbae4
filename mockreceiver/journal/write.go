package journal

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Row is a record that is ready to be stored.
type Row struct {
	Record evidence.Record
	Text   []byte // what Encode made of it
}

// Writer writes records. It is for one goroutine.
type Writer struct {
	conn                              *sql.Conn
	arrival, outcome, effect, trouble table
	connection                        table
	begin, commit, rollback           driver.StmtExecContext
	args                              []driver.NamedValue
	carrier                           *checkpointer
	carrying                          bool // the carrier is at work
	written                           int  // bytes since it began
	logged                            int  // bytes handed to it since the log began anew
}

// What counts towards the size of the write-ahead log beside the bytes of the rows. Each transaction writes whole pages of 4 KiB
// to it, of the table and of its indexes: a sender that waits for each answer has a small row take thirty times its bytes. A
// group shares pages, so that a row counts a quarter of one there.
const (
	commitPages = 3 * 4 << 10
	rowPages    = 1 << 10
)

// table inserts rows into one table, several with one statement.
type table struct {
	bySize [sizes]driver.StmtExecContext // for 1, 2, 4 … rows, so that few statements make any number
	rows   []Row                         // of the group at hand
}

// sizes is for how many numbers of rows there is a statement: up to 16. What one costs by itself is then small against its
// rows; more of them gain nothing.
const sizes = 5

// newWriter prepares the statements on conn.
func newWriter(ctx context.Context, conn *sql.Conn, carrier *checkpointer) (*Writer, error) {
	w := &Writer{conn: conn, carrier: carrier}
	// The statements are the driver's own: database/sql would add to each row as much as the row itself costs.
	err := conn.Raw(func(dc any) error {
		return errors.Join(
			keepPages(ctx, dc),
			prepare(ctx, dc, &w.begin, "BEGIN IMMEDIATE"),
			prepare(ctx, dc, &w.commit, "COMMIT"),
			prepare(ctx, dc, &w.rollback, "ROLLBACK"),
			w.arrival.prepare(ctx, dc, "arrival (seq, endpoint, key, attempt, head, body, record)", 7),
			w.outcome.prepare(ctx, dc, "outcome (seq, record)", 2),
			w.effect.prepare(ctx, dc, "effect (seq, record)", 2),
			w.trouble.prepare(ctx, dc, "trouble (record)", 1),
			w.connection.prepare(ctx, dc, "connection (record)", 1))
	})
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

func (t *table) prepare(ctx context.Context, dc any, into string, columns int) error {
	row := "(" + strings.Repeat("?, ", columns-1) + "?)"
	text := "INSERT INTO " + into + " VALUES " + row
	for i := range t.bySize {
		if err := prepare(ctx, dc, &t.bySize[i], text+strings.Repeat(", "+row, 1<<i-1)); err != nil {
			return err
		}
	}
	return nil
}

// keepPages lets the writer's connection keep 8 MB of pages: the upper parts of the indexes of a million requests.
func keepPages(ctx context.Context, dc any) error {
	conn, ok := dc.(driver.ExecerContext)
	if !ok {
		return fmt.Errorf("the driver's connection is a %T, which takes no context", dc)
	}
	_, err := conn.ExecContext(ctx, "PRAGMA cache_size = -8000", nil)
	return err
}

func prepare(ctx context.Context, dc any, to *driver.StmtExecContext, text string) error {
	conn, ok := dc.(driver.ConnPrepareContext)
	if !ok {
		return fmt.Errorf("prepare %q: the driver's connection is a %T, which takes no context", text, dc)
	}
	stmt, err := conn.PrepareContext(ctx, text)
	if err != nil {
		return fmt.Errorf("prepare %q: %w", text, err)
	}
	if *to, ok = stmt.(driver.StmtExecContext); !ok {
		return errors.Join(fmt.Errorf("prepare %q: the driver's statement is a %T, which takes no context", text, stmt), stmt.Close())
	}
	return nil
}

// Begin opens the transaction that Write needs, and takes the right to write at once.
func (w *Writer) Begin(ctx context.Context) error { return w.exec(ctx, w.begin, "begin") }

// Commit ends the transaction. What was written survives what Open was told.
func (w *Writer) Commit(ctx context.Context) error {
	w.written += commitPages
	return w.exec(ctx, w.commit, "commit")
}

// Rollback ends the transaction and undoes it. It fails where SQLite has done so by itself, as on a full disk.
func (w *Writer) Rollback(ctx context.Context) error { return w.exec(ctx, w.rollback, "roll back") }

func (w *Writer) exec(ctx context.Context, stmt driver.StmtExecContext, what string) error {
	err := w.conn.Raw(func(any) error {
		_, err := stmt.ExecContext(ctx, nil)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Write stores rows in the open transaction, in their order within each kind, arrivals first. An arrival must have its Seq set and new,
// an outcome and an effect the Seq of theirs.
func (w *Writer) Write(ctx context.Context, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	defer w.release()
	for _, r := range rows {
		t, err := w.table(r.Record)
		if err != nil {
			return err
		}
		t.rows = append(t.rows, r)
	}
	return w.conn.Raw(func(any) error {
		for _, t := range w.tables() {
			if err := w.insert(ctx, t); err != nil {
				return fmt.Errorf("write records: %w", err)
			}
		}
		return nil
	})
}

func (w *Writer) tables() []*table {
	return []*table{&w.arrival, &w.outcome, &w.effect, &w.trouble, &w.connection}
}

func (w *Writer) table(r evidence.Record) (*table, error) {
	switch r.(type) {
	case *evidence.Arrival:
		return &w.arrival, nil
	case *evidence.Outcome:
		return &w.outcome, nil
	case *evidence.Effect:
		return &w.effect, nil
	case *evidence.Trouble:
		return &w.trouble, nil
	case *evidence.Connection:
		return &w.connection, nil
	default:
		return nil, fmt.Errorf("record %T: has no place in the journal", r)
	}
}

func (w *Writer) insert(ctx context.Context, t *table) error {
	for rows := t.rows; len(rows) > 0; {
		i := min(bits.Len(uint(len(rows))), sizes) - 1
		for i > 0 && carried(rows[:1<<i]) > maxBound {
			i--
		}
		n := 1 << i
		w.args = w.args[:0]
		for _, r := range rows[:n] {
			w.bind(r)
		}
		if _, err := t.bySize[i].ExecContext(ctx, w.args); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// maxBound is how many bytes one statement is given where that is more than one row: SQLite holds a copy of them all meanwhile, and a
// group of large bodies took 50 MB for it. Rows of a usual size stay together.
const maxBound = 1 << 20

// carried is how many bytes of heads and bodies stand in rows.
func carried(rows []Row) (n int) {
	for _, r := range rows {
		if a, ok := r.Record.(*evidence.Arrival); ok {
			n += len(a.Head) + len(a.Body)
		}
	}
	return n
}

// bind adds the values of a row's columns.
func (w *Writer) bind(r Row) {
	switch rec := r.Record.(type) {
	case *evidence.Arrival:
		w.add(rec.Seq)
		w.add(rec.Endpoint)
		w.add(rec.Key)
		w.add(int64(rec.Attempt))
		w.add(notNull(rec.Head))
		w.add(notNull(rec.Body))
		w.written += len(rec.Head) + len(rec.Body)
	case *evidence.Outcome:
		w.add(rec.Of)
	case *evidence.Effect:
		w.add(rec.Of)
	}
	w.add(r.Text)
	w.written += len(r.Text) + rowPages
}

func (w *Writer) add(v driver.Value) {
	w.args = append(w.args, driver.NamedValue{Ordinal: len(w.args) + 1, Value: v})
}

// release lets go of what was written, so that large bodies do not live until the next group.
func (w *Writer) release() {
	clear(w.args[:cap(w.args)])
	for _, t := range w.tables() {
		clear(t.rows)
		t.rows = t.rows[:0]
	}
}

// Close releases the statements.
func (w *Writer) Close() error {
	list := []driver.StmtExecContext{w.begin, w.commit, w.rollback}
	for _, t := range w.tables() {
		list = append(list, t.bySize[:]...)
	}
	return w.conn.Raw(func(any) error {
		var errs []error
		for _, s := range list {
			if stmt, ok := s.(driver.Stmt); ok {
				errs = append(errs, stmt.Close())
			}
		}
		return errors.Join(errs...)
	})
}

// notNull keeps the driver from storing an empty slice as NULL.
func notNull(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
