package business

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
)

// quick is a statement of the driver's own, for what is done for every event: database/sql would add to each as much as the
// statement itself costs. It is for the one goroutine that has the connection.
type quick struct {
	conn *sql.Conn
	stmt driver.Stmt
	args []driver.NamedValue
}

func (q *quick) prepare(ctx context.Context, conn *sql.Conn, text string) error {
	q.conn = conn
	return conn.Raw(func(dc any) error {
		c, ok := dc.(driver.ConnPrepareContext)
		if !ok {
			return fmt.Errorf("prepare %q: the driver's connection is a %T, which takes no context", text, dc)
		}
		var err error
		if q.stmt, err = c.PrepareContext(ctx, text); err != nil {
			return fmt.Errorf("prepare %q: %w", text, err)
		}
		return nil
	})
}

// exec runs the statement and tells whether it changed a row. The arguments are those that a driver takes: int64, string, nil.
func (q *quick) exec(ctx context.Context, args ...driver.Value) (changed bool, err error) {
	n, err := q.count(ctx, args...)
	return n > 0, err
}

// count runs the statement and tells how many rows it changed.
func (q *quick) count(ctx context.Context, args ...driver.Value) (n int64, err error) {
	err = q.conn.Raw(func(any) error {
		stmt, ok := q.stmt.(driver.StmtExecContext)
		if !ok {
			return fmt.Errorf("the driver's statement is a %T, which takes no context", q.stmt)
		}
		result, err := stmt.ExecContext(ctx, q.bound(args))
		if err != nil {
			return err
		}
		n, err = result.RowsAffected()
		return err
	})
	return n, err
}

// rows runs the statement and hands its first n rows to take, of which there must be so many. into has a place for each column.
func (q *quick) rows(ctx context.Context, n int, into []driver.Value, take func(), args ...driver.Value) error {
	return q.conn.Raw(func(any) error {
		stmt, ok := q.stmt.(driver.StmtQueryContext)
		if !ok {
			return fmt.Errorf("the driver's statement is a %T, which takes no context", q.stmt)
		}
		rows, err := stmt.QueryContext(ctx, q.bound(args))
		if err != nil {
			return err
		}
		for left := n; left > 0 && err == nil; left-- {
			if err = rows.Next(into); err == nil {
				take()
			}
		}
		if errors.Is(err, io.EOF) {
			err = sql.ErrNoRows
		}
		return errors.Join(err, rows.Close())
	})
}

func (q *quick) bound(args []driver.Value) []driver.NamedValue {
	q.args = q.args[:0]
	for i, v := range args {
		q.args = append(q.args, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return q.args
}

// Close releases the statement, if it was prepared.
func (q *quick) Close() error {
	if q.stmt == nil {
		return nil
	}
	return q.conn.Raw(func(any) error { return q.stmt.Close() })
}
