package mockreceiver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
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
	// groupBytes bounds the bodies of one transaction, which SQLite holds twice.
	groupBytes = 8 << 20
)

// committer is the one goroutine that writes. It applies a group of jobs one after another in one transaction and lets them
// go on only after the commit, so that no answer leaves before its evidence is on disk, and a copy of an event sees what
// the first one did.
type committer struct {
	r     *Receiver
	queue chan *job
	rooms sync.Pool // *texts
	held  *job      // taken from the queue, and to open the next group
	ended chan struct{}

	// memory keeps everything instead of what follows; nil: there is a file.
	memory *inMemory

	conn    *sql.Conn
	journal *journal.Writer
	worded  func(error) error // says why the journal cannot be written
	ledger  *business.Ledger
	seq     int64
	backlog []*job            // effects that wait for the next group
	writes  []*business.Write // of the group at hand
	// unwritten are troubles of the journal itself. They join the next group that somebody else opens, so that a journal
	// which cannot be written is not tried again and again.
	unwritten []*job

	lost  atomic.Int64 // records that could not be kept
	watch watchers
}

func startCommitter(ctx context.Context, r *Receiver, j *journal.Journal) (*committer, error) {
	c := &committer{r: r, queue: make(chan *job, groupSize), worded: j.Trouble, ended: make(chan struct{})}
	var err error
	if c.seq, err = j.Last(ctx); err != nil {
		return nil, err
	}
	r.activity.last = c.seq
	if c.conn, err = j.Conn(ctx); err != nil {
		return nil, fmt.Errorf("open writer: %w", err)
	}
	if c.journal, err = j.Writer(ctx, c.conn); err != nil {
		return nil, errors.Join(err, c.conn.Close())
	}
	if c.ledger, err = business.Open(ctx, c.conn); err != nil {
		return nil, errors.Join(err, c.journal.Close(), c.conn.Close())
	}
	if err = errors.Join(c.ledger.Break(business.Defect(r.cfg.Defect)), c.ledger.Recover(ctx, c.conn), c.recoverEffects(ctx, j)); err != nil {
		return nil, errors.Join(err, c.ledger.Close(), c.journal.Close(), c.conn.Close())
	}
	go c.run()
	return c, nil
}

// stop writes what is queued and ends the goroutine. Nobody submits any more when it is called.
func (c *committer) stop() error {
	if c.memory != nil {
		c.memory.mu.Lock()
		defer c.memory.mu.Unlock()
		c.tell(0)
		return nil
	}
	close(c.queue)
	<-c.ended
	return errors.Join(c.journal.Close(), c.ledger.Close(), c.conn.Close())
}

// do submits a job and waits until it is on disk.
func (c *committer) do(j *job) error {
	if c.memory != nil {
		return c.keep(j)
	}
	room, err := c.encode(j)
	if err != nil {
		c.queue <- c.troubled(j.scenario, err.Error(), 1)
		return err
	}
	j.done = make(chan error, 1)
	c.queue <- j
	if err = <-j.done; err == nil {
		room.takeBack(j)
	}
	return err
}

// later submits a record that nobody waits for.
func (c *committer) later(scenario string, r evidence.Record) {
	c.submit(&job{record: r, scenario: scenario})
}

// unhandled submits an arrival that nobody waits for, with its outcome.
func (c *committer) unhandled(a *evidence.Arrival, o *evidence.Outcome) {
	c.submit(&job{arrival: a, record: o, after: a, scenario: a.Scenario})
}

// submit hands over a job that nobody waits for.
func (c *committer) submit(j *job) {
	if c.memory != nil {
		if err := c.keep(j); err != nil {
			_ = c.keep(c.troubled(j.scenario, err.Error(), 1)) // a trouble always has a place
		}
		return
	}
	if err := j.encode(); err != nil {
		j = c.troubled(j.scenario, err.Error(), 1)
	}
	c.queue <- j
}

// step runs a step of an inbox and waits until it is on disk. It shares its transaction with whatever is written then.
func (c *committer) step(move func(context.Context, *business.Ledger) error) error {
	return c.do(&job{move: move})
}

func (c *committer) forget(ctx context.Context, endpoint string) error {
	if c.memory != nil {
		c.memory.Forget(endpoint)
		return nil
	}
	return c.do(&job{task: func(_ context.Context, conn *sql.Conn) error {
		return errors.Join(
			journal.Forget(ctx, conn, endpoint), journal.ForgetEvents(ctx, conn, endpoint), business.Forget(ctx, conn, endpoint))
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

// drain adds what is there without waiting. Whoever can run meanwhile does so first, and joins: a group of twice the size saves
// a fifth of the processor's time for each request, and with it more than the requests wait.
func (c *committer) drain(group []*job) ([]*job, bool) {
	size := 0
	for _, j := range group {
		size += j.size()
	}
	yielded := false
	for len(group) < groupSize {
		select {
		case j, ok := <-c.queue:
			if !ok {
				return group, false
			}
			if size += j.size(); size > groupBytes || clash(group, j) {
				c.held = j
				return group, true
			}
			group, yielded = append(group, j), false
		default:
			if yielded {
				return group, true
			}
			runtime.Gosched()
			yielded = true
		}
	}
	return group, true
}

// clash tells whether j must not share a transaction with the group. A planned failure and another write of the same event
// do not, so that what is read back after the commit is the doing of one of them. Nothing follows a task, since the records
// of a group are written before it.
func clash(group []*job, j *job) bool {
	if len(group) > 0 && group[len(group)-1].task != nil {
		return true
	}
	if j.write == nil {
		return false
	}
	for _, g := range group {
		if g.write != nil && (g.write.Fail || j.write.Fail) && g.write.Event.Key == j.write.Event.Key &&
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
	began := c.r.meter.committing(c.r.now())
	err := c.worded(c.transact(ctx, group))
	c.r.meter.committed(len(group), c.r.now()-began, err)
	if err != nil {
		c.seq = before
		c.r.activity.lost(group, c.r.now())
		c.fail(group, err)
		c.watch.wake()
		return
	}
	at := c.r.now()
	c.r.activity.committed(group, at)
	c.observe(group)
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
	c.r.streams.publish(group)
	// Nobody else writes, so what is read now is the state after this transaction.
	c.backlog = append(c.backlog, c.readBack(ctx, writes, at)...)
	if err := c.journal.Tidy(); err != nil {
		c.backlog = append(c.backlog, c.troubled("", err.Error(), 0))
	}
}

// observe hands a group to the observer.
func (c *committer) observe(group []*job) {
	for _, j := range group {
		if j.arrival != nil {
			c.r.cfg.Observe(j.arrival)
		}
		if j.record != nil && !j.observed {
			c.r.cfg.Observe(j.record)
		}
	}
}

func (c *committer) transact(ctx context.Context, group []*job) error {
	if err := c.journal.Begin(ctx); err != nil {
		return err
	}
	if err := c.apply(ctx, group); err != nil {
		return errors.Join(err, c.journal.Rollback(ctx))
	}
	if err := c.journal.Commit(ctx); err != nil {
		return errors.Join(err, c.journal.Rollback(ctx))
	}
	return nil
}

// apply does the work of a group in the open transaction: its records, which have no order but their numbers, and then the
// rest in the order of the queue.
func (c *committer) apply(ctx context.Context, group []*job) error {
	rows, err := c.number(group)
	if err != nil {
		return err
	}
	if err := c.journal.Write(ctx, rows); err != nil {
		return err
	}
	for len(group) > 0 {
		n := c.writesOf(group)
		if n > 0 {
			err = c.ledger.ApplyAll(ctx, c.writes)
		} else {
			n, err = 1, c.work(ctx, group[0])
		}
		if err != nil {
			return err
		}
		group = group[n:]
	}
	return nil
}

// writesOf collects the business writes that a group begins with, and tells how many jobs they are.
func (c *committer) writesOf(group []*job) (n int) {
	clear(c.writes)
	c.writes = c.writes[:0]
	for _, j := range group {
		if j.move != nil || j.task != nil {
			break
		}
		n++
		if w := j.write; w != nil {
			w.Event.Seq = w.arrival.Seq
			c.writes = append(c.writes, &w.Write)
		}
	}
	return n
}

// number numbers the arrivals of a group and returns its records as they are to be written.
func (c *committer) number(group []*job) ([]journal.Row, error) {
	rows := make([]journal.Row, 0, len(group)+1)
	for _, j := range group {
		if err := j.encode(); err != nil {
			return nil, err
		}
		if j.arrival != nil {
			c.seq++
			j.arrival.Seq = c.seq
			rows = append(rows, journal.Row{Record: j.arrival, Text: j.text[0]})
		}
		if o, ok := j.record.(*evidence.Outcome); ok && j.after != nil {
			o.Of = j.after.Seq
		}
		if j.record != nil {
			rows = append(rows, journal.Row{Record: j.record, Text: j.text[1]})
		}
	}
	return rows, nil
}

// work does what is neither a record nor a business write.
func (c *committer) work(ctx context.Context, j *job) error {
	if j.move != nil {
		return j.move(ctx, c.ledger)
	}
	return j.task(ctx, c.conn)
}
