package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const (
	// checkpointBytes is how much is written before what stands in the write-ahead log is carried over into the file. The pages
	// carried over reach the disk in one go, and a commit that comes then waits for them: 8 MB made every request that was open
	// wait 10 to 15 ms, often enough to be the slowest hundredth; 1 MB takes 2 ms. It carries over few pages more often than
	// that would, since most of them are written once; half of it gains nothing, as the two flushes of each weigh more then.
	checkpointBytes = 1 << 20
	// beginAnew is how much is written before the log begins anew, for which requests wait: a few ms for the 64 of a busy
	// sender, once in ten thousand or more. After a kill so much must be read at the next start.
	beginAnew = 32 << 20
	// maxAhead is how much may be written while that is under way. A disk that cannot follow makes the writer wait, and the
	// log does not grow.
	maxAhead = beginAnew
)

// checkpointer carries the write-ahead log over into the file while the writer goes on. SQLite would do it within a commit,
// for which every request of the group then waits.
type checkpointer struct {
	conn  *sql.Conn
	begin chan bool // whether the log is to begin anew afterwards
	done  chan error
	ended chan struct{}
}

func startCheckpointer(ctx context.Context, db *sql.DB) (*checkpointer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c := &checkpointer{conn: conn, begin: make(chan bool, 1), done: make(chan error, 1), ended: make(chan struct{})}
	go c.run()
	return c, nil
}

func (c *checkpointer) run() {
	defer close(c.ended)
	for anew := range c.begin {
		err := checkpoint(c.conn)
		if anew && err == nil {
			// What was written meanwhile took requests 15 ms to wait for when the writer carried it over; now it is a tenth of that.
			err = checkpoint(c.conn)
		}
		c.done <- err
	}
}

// stop waits until the goroutine has ended. Nobody writes any more when it is called.
func (c *checkpointer) stop() error {
	close(c.begin)
	<-c.ended
	return c.conn.Close()
}

// checkpoint carries over what it can without waiting for anybody, and no transaction waits for it.
func checkpoint(conn *sql.Conn) error {
	if _, err := conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return fmt.Errorf("carry over the write-ahead log: %w", err)
	}
	return nil
}

// Tidy keeps the write-ahead log from growing. It is called between two transactions, when nobody waits.
func (w *Writer) Tidy() error {
	if !w.carrying {
		if w.written >= checkpointBytes {
			w.logged += w.written
			w.carrying, w.written = true, 0
			w.carrier.begin <- w.logged >= beginAnew
		}
		return nil
	}
	var err error
	if w.written < maxAhead {
		select {
		case err = <-w.carrier.done:
		default:
			return nil
		}
	} else {
		err = <-w.carrier.done
	}
	w.carrying = false
	if w.logged < beginAnew {
		return err
	}
	// The log begins anew only once all of it is carried over. What was written meanwhile is left, and is little.
	w.logged, w.written = 0, 0
	return errors.Join(err, checkpoint(w.conn))
}
