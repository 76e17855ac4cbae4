package mockreceiver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

const (
	// groupSize bounds one transaction, so that the first request of a flood does not wait for all of it.
	groupSize = 512
	// linger is how long records that nobody waits for (outcomes, effects) may wait for a request to share its transaction.
	// It is far below any wait of a sender and spares a flush per request.
	linger = 5 * time.Millisecond
)

// job is one thing to write. Exactly one goroutine waits on done, if it is not nil.
type job struct {
	arrival  *evidence.Arrival
	write    *businessJob
	record   evidence.Record   // an outcome, effect or trouble
	after    *evidence.Arrival // an outcome's arrival, where its Seq was not known yet
	task     func(context.Context, *sql.Conn) error
	scenario string
	done     chan error
	observed bool // a trouble that was handed over before it could be written
}

// businessJob is a business write; result is set before done is signalled.
type businessJob struct {
	arrival *evidence.Arrival // may be written by the same job or before
	key     string
	fail    bool
	result  string
}

// committer is the one goroutine that writes. It applies a group of jobs one after another in one transaction and lets them
// go on only after the commit, so that no answer leaves before its evidence is on disk, and a copy of an event sees what
// the first one did.
type committer struct {
	r     *Receiver
	queue chan *job
	held  *job // taken from the queue, and to open the next group
	ended chan struct{}

	conn    *sql.Conn
	journal *journal.Writer
	ledger  *business.Ledger
	seq     int64
	backlog []*job // effects that wait for the next group
	// unwritten are troubles of the journal itself. They join the next group that somebody else opens, so that a journal
	// which cannot be written is not tried again and again.
	unwritten []*job

	lost  atomic.Int64 // records that could not be kept
	watch watchers
}

func startCommitter(ctx context.Context, r *Receiver, j *journal.Journal) (*committer, error) {
	c := &committer{r: r, queue: make(chan *job, groupSize), ended: make(chan struct{})}
	var err error
	if c.seq, err = j.Last(ctx); err != nil {
		return nil, err
	}
	if c.conn, err = j.Conn(ctx); err != nil {
		return nil, fmt.Errorf("open writer: %w", err)
	}
	if c.journal, err = journal.NewWriter(ctx, c.conn); err != nil {
		return nil, errors.Join(err, c.conn.Close())
	}
	if c.ledger, err = business.Open(ctx, c.conn); err != nil {
		return nil, errors.Join(err, c.journal.Close(), c.conn.Close())
	}
	go c.run()
	return c, nil
}

// stop writes what is queued and ends the goroutine. Nobody submits any more when it is called.
func (c *committer) stop() error {
	close(c.queue)
	<-c.ended
	return errors.Join(c.journal.Close(), c.ledger.Close(), c.conn.Close())
}

// do submits a job and waits until it is on disk.
func (c *committer) do(j *job) error {
	j.done = make(chan error, 1)
	c.queue <- j
	return <-j.done
}

// later submits a record that nobody waits for.
func (c *committer) later(scenario string, r evidence.Record) {
	c.queue <- &job{record: r, scenario: scenario}
}

// unhandled submits an arrival that nobody waits for, with its outcome.
func (c *committer) unhandled(a *evidence.Arrival, o *evidence.Outcome) {
	c.queue <- &job{arrival: a, scenario: a.Scenario}
	c.queue <- &job{record: o, after: a, scenario: a.Scenario}
}

func (c *committer) forget(ctx context.Context, endpoint string) error {
	return c.do(&job{task: func(_ context.Context, conn *sql.Conn) error {
		return errors.Join(journal.Forget(ctx, conn, endpoint), business.Forget(ctx, conn, endpoint))
	}})
}

func (c *committer) run() {
	defer close(c.ended)
	for {
		group, more := c.collect()
		if len(group) > 0 {
			c.commit(append(group, c.takeUnwritten()...))
		}
		if !more && len(c.backlog) == 0 {
			if last := c.takeUnwritten(); len(last) > 0 {
				c.commit(last)
			}
			return
		}
	}
}

func (c *committer) takeUnwritten() []*job {
	list := c.unwritten
	c.unwritten = nil
	return list
}

// collect takes what waits into a group. It blocks while there is nothing to do. more is false when the queue is closed.
func (c *committer) collect() (group []*job, more bool) {
	group, c.backlog = c.backlog, nil
	if c.held != nil {
		group, c.held = append(group, c.held), nil
		return c.drain(group)
	}
	var lingering <-chan time.Time
	for {
		if len(group) > 0 && lingering == nil {
			t := time.NewTimer(linger)
			defer t.Stop()
			lingering = t.C
		}
		select {
		case j, ok := <-c.queue:
			if !ok {
				return group, false
			}
			group = append(group, j)
			if j.done != nil || len(group) >= groupSize {
				return c.drain(group)
			}
		case <-lingering:
			return group, true
		}
	}
}

// drain adds what is there without waiting.
func (c *committer) drain(group []*job) ([]*job, bool) {
	for len(group) < groupSize {
		select {
		case j, ok := <-c.queue:
			if !ok {
				return group, false
			}
			if clash(group, j) {
				c.held = j
				return group, true
			}
			group = append(group, j)
		default:
			return group, true
		}
	}
	return group, true
}

// clash tells whether j must not share a transaction with the group: a planned failure and another write of the same event
// do not, so that what is read back after the commit is the doing of one of them.
func clash(group []*job, j *job) bool {
	if j.write == nil {
		return false
	}
	for _, g := range group {
		if g.write != nil && (g.write.fail || j.write.fail) && g.write.key == j.write.key &&
			g.write.arrival.Endpoint == j.write.arrival.Endpoint {
			return true
		}
	}
	return false
}

// commit writes a group, and lets its jobs go on.
func (c *committer) commit(group []*job) {
	ctx := context.Background() // what was received is written even while the receiver closes
	before := c.seq
	if err := c.transact(ctx, group); err != nil {
		c.seq = before
		c.fail(group, err)
		return
	}
	at := c.r.now()
	for _, j := range group {
		if j.arrival != nil {
			c.r.cfg.Observe(j.arrival)
		}
		if j.record != nil && !j.observed {
			c.r.cfg.Observe(j.record)
		}
	}
	var writes []*businessJob
	for _, j := range group {
		if j.write != nil {
			writes = append(writes, j.write)
		}
		if j.done != nil {
			j.done <- nil
		}
	}
	c.watch.wake()
	// Nobody else writes, so what is read now is the state after this transaction.
	c.backlog = append(c.backlog, c.readBack(ctx, writes, at)...)
}

func (c *committer) transact(ctx context.Context, group []*job) error {
	if _, err := c.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	for _, j := range group {
		if err := c.apply(ctx, j); err != nil {
			return errors.Join(err, c.rollback(ctx))
		}
	}
	if _, err := c.conn.ExecContext(ctx, "COMMIT"); err != nil {
		return errors.Join(fmt.Errorf("commit: %w", err), c.rollback(ctx))
	}
	return nil
}

// rollback ends a transaction that failed. SQLite may have done so by itself, as on a full disk.
func (c *committer) rollback(ctx context.Context) error {
	_, err := c.conn.ExecContext(ctx, "ROLLBACK")
	if err != nil {
		return fmt.Errorf("roll back: %w", err)
	}
	return nil
}

func (c *committer) apply(ctx context.Context, j *job) error {
	if j.arrival != nil {
		c.seq++
		j.arrival.Seq = c.seq
		if err := c.journal.Arrival(ctx, j.arrival); err != nil {
			return err
		}
	}
	if w := j.write; w != nil {
		e := business.Event{Endpoint: w.arrival.Endpoint, Key: w.key, Seq: w.arrival.Seq}
		result, err := c.ledger.Apply(ctx, e, w.fail)
		if err != nil {
			return err
		}
		w.result = result
	}
	if j.task != nil {
		return j.task(ctx, c.conn)
	}
	switch r := j.record.(type) {
	case nil:
		return nil
	case *evidence.Outcome:
		if j.after != nil {
			r.Of = j.after.Seq
		}
		return c.journal.Outcome(ctx, r)
	case *evidence.Effect:
		return c.journal.Effect(ctx, r)
	case *evidence.Trouble:
		return c.journal.Trouble(ctx, r)
	default:
		return fmt.Errorf("record %T: has no place in the journal", r)
	}
}
