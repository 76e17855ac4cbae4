package mockreceiver

import (
	"context"
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// readBack makes the effect records of a group's writes. It reads in one transaction, since each costs a lock.
func (c *committer) readBack(ctx context.Context, writes []*businessJob, at time.Duration) []*job {
	if len(writes) == 0 {
		return nil
	}
	_, begun := c.conn.ExecContext(ctx, "BEGIN") // without it the reads are only slower
	list := make([]*job, 0, len(writes))
	for _, w := range writes {
		list = append(list, c.effect(ctx, w, at))
	}
	if begun == nil {
		_, _ = c.conn.ExecContext(ctx, "COMMIT") // it wrote nothing; the next BEGIN tells if it stays open
	}
	return list
}

// effect makes the effect record of a write from what the database says after the transaction.
func (c *committer) effect(ctx context.Context, w *businessJob, at time.Duration) *job {
	a := w.arrival
	dedupe, rows, err := c.ledger.State(ctx, w.event)
	if err != nil {
		return c.troubled(a.Scenario, fmt.Sprintf("effect of request %d is not known: %v", a.Seq, err), 1)
	}
	return &job{scenario: a.Scenario, record: &evidence.Effect{
		Of: a.Seq, Scenario: a.Scenario, Endpoint: a.Endpoint, Key: w.event.Key,
		Result: w.did.Result, Detail: w.did.Detail, At: at, Dedupe: dedupe, Rows: rows, Reason: a.Reason,
	}}
}

func (c *committer) troubled(scenario, what string, lost int) *job {
	c.lost.Add(int64(lost))
	return &job{scenario: scenario, record: &evidence.Trouble{Scenario: scenario, At: c.r.now(), What: what, Lost: lost}}
}
