package business

import (
	"context"
	"database/sql"
	"errors"
	"math/bits"
)

// most is how many events one statement is for. The cost of a statement by itself is then a tenth of that of its rows.
const most = 32

// sized is a statement for a number of events, prepared once per number. Only powers of two have one, so that any group takes
// few statements, and there are few to keep.
type sized struct {
	conn   *sql.Conn
	text   func(n int) string
	bySize [6]*quick // for 1, 2, 4 … most events
}

// size is how many of n events the next statement is for.
func size(n int) int {
	if n >= most {
		return most
	}
	return 1 << (bits.Len(uint(n)) - 1) //nolint:gosec // n is positive
}

// of is the statement for n events, n being a size.
func (s *sized) of(ctx context.Context, n int) (*quick, error) {
	at := &s.bySize[bits.Len(uint(n))-1] //nolint:gosec // n is positive
	if *at != nil {
		return *at, nil
	}
	q := new(quick)
	if err := q.prepare(ctx, s.conn, s.text(n)); err != nil {
		return nil, err
	}
	*at = q
	return q, nil
}

// Close releases the statements.
func (s *sized) Close() error {
	var errs []error
	for _, q := range s.bySize {
		if q != nil {
			errs = append(errs, q.Close())
		}
	}
	return errors.Join(errs...)
}
