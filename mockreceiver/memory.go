package mockreceiver

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// store is what the receiver reads of its journal, on disk or in memory.
type store interface {
	Attempts(ctx context.Context, q journal.Query) ([]journal.Attempt, error)
	Count(ctx context.Context, q journal.Query) (int, error)
	Troubles(ctx context.Context, after int64, limit int) ([]evidence.Trouble, int64, error)
	Connections(ctx context.Context, after int64, limit int) ([]evidence.Connection, int64, error)
	Reached(ctx context.Context, endpoint, key string) (int, error)
	Keys(ctx context.Context, endpoint, after string, limit int) ([]string, error)
	Close() error
}

// inMemory is what a committer is without a file: whoever has a record keeps it at once, and nobody waits for a group.
type inMemory struct {
	*journal.Memory

	mu     sync.Mutex
	untold int           // dropped and not yet told of
	toldAt time.Duration // when a trouble last told of some
}

// tellEvery is how often a trouble tells that requests were dropped, with their number: each by itself would fill what is left.
const tellEvery = time.Second

// keep does for a job what a committed group does.
func (c *committer) keep(j *job) error {
	room, err := c.encode(j)
	if err != nil {
		return err
	}
	defer room.takeBack(j)
	m := c.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	return c.keepLocked(j)
}

func (c *committer) keepLocked(j *job) error {
	if j.arrival != nil {
		c.seq++
		j.arrival.Seq = c.seq
		if err := c.add(journal.Row{Record: j.arrival, Text: j.text[0]}); err != nil {
			c.seq--
			return err
		}
	}
	if o, ok := j.record.(*evidence.Outcome); ok && j.after != nil {
		o.Of = j.after.Seq
	}
	if j.record != nil {
		if err := c.add(journal.Row{Record: j.record, Text: j.text[1]}); err != nil {
			return err
		}
	}
	group := []*job{j}
	c.r.activity.committed(group, c.r.now())
	c.observe(group)
	c.watch.wake()
	c.r.streams.publish(group)
	c.tell(tellEvery)
	return nil
}

func (c *committer) add(r journal.Row) error {
	dropped, err := c.memory.Add(r)
	c.lost.Add(dropped)
	c.memory.untold += int(dropped)
	return err
}

// tell makes a trouble of what was dropped, unless the last one was made a shorter time ago.
func (c *committer) tell(every time.Duration) {
	m := c.memory
	now := c.r.now()
	if m.untold == 0 || m.toldAt != 0 && now-m.toldAt < every {
		return
	}
	n := m.untold
	m.untold, m.toldAt = 0, now
	what := fmt.Sprintf("the journal in memory is full: the %d oldest records were dropped", n)
	t := &job{record: &evidence.Trouble{At: now, What: what, Lost: n}}
	if t.encode() == nil { // a trouble always has a text
		_ = c.keepLocked(t) // and a place
	}
}

// errNoDatabase says why something is refused.
var errNoDatabase = errors.New("needs a database, and the journal is kept in memory: start the receiver with a journal on disk")

// settleBusiness fills in and checks what a 2xx of an endpoint stands for.
func (r *Receiver) settleBusiness(e *Endpoint) error {
	if !r.cfg.Memory {
		return nil
	}
	switch e.Business {
	case "":
		e.Business = business.None
	case business.Transaction, business.Inbox:
		return fmt.Errorf("business %q %w", e.Business, errNoDatabase)
	case business.None:
	}
	return r.playable(e.Plan, e.Rules)
}

// playable refuses plans with steps that write to the business tables where there are none.
func (r *Receiver) playable(p fault.Plan, rules []fault.Rule) error {
	if !r.cfg.Memory {
		return nil
	}
	plans := []fault.Plan{p}
	for _, rule := range rules {
		plans = append(plans, rule.Plan)
	}
	for _, p := range plans {
		for _, kind := range []string{fault.BusinessFailure{}.Kind(), fault.LostAck{}.Kind()} {
			if p.Uses(kind) {
				return fmt.Errorf("step %s %w", kind, errNoDatabase)
			}
		}
	}
	return nil
}
