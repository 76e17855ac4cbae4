package refsender

import (
	"context"
	"database/sql"
	"errors"
)

// tx is the writer's connection inside a transaction. Its calls take no context: a write that has begun is not cut short
// because somebody hung up.
type tx struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt // by text; the texts are constants, so there are few
}

func (t *tx) stmt(query string) (*sql.Stmt, error) {
	if s, ok := t.stmts[query]; ok {
		return s, nil
	}
	s, err := t.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	t.stmts[query] = s
	return s, nil
}

func (t *tx) exec(query string, args ...any) error {
	s, err := t.stmt(query)
	if err != nil {
		return err
	}
	_, err = s.ExecContext(context.Background(), args...)
	return err
}

// changed runs a statement and tells how many rows it changed.
func (t *tx) changed(query string, args ...any) (int64, error) {
	s, err := t.stmt(query)
	if err != nil {
		return 0, err
	}
	r, err := s.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// get reads one row; sql.ErrNoRows if there is none.
func (t *tx) get(query string, args []any, into ...any) error {
	s, err := t.stmt(query)
	if err != nil {
		return err
	}
	return s.QueryRowContext(context.Background(), args...).Scan(into...)
}

// each calls scan for every row. scan must not use the transaction.
func (t *tx) each(query string, args []any, scan func(*sql.Rows) error) error {
	s, err := t.stmt(query)
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(context.Background(), args...)
	if err != nil {
		return err
	}
	return scanAll(rows, scan)
}

func scanAll(rows *sql.Rows, scan func(*sql.Rows) error) error {
	for rows.Next() {
		if err := scan(rows); err != nil {
			return errors.Join(err, rows.Close())
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// savepoint runs do so that its error undoes its own writes and nobody else's of the same transaction.
func (t *tx) savepoint(do func(*tx) error) error {
	if err := t.exec("SAVEPOINT one"); err != nil {
		return err
	}
	err := do(t)
	if err != nil {
		err = errors.Join(err, t.exec("ROLLBACK TO one"))
	}
	return errors.Join(err, t.exec("RELEASE one"))
}

func (t *tx) close() error {
	var errs []error
	for _, s := range t.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, t.conn.Close())...)
}
