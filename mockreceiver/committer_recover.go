package mockreceiver

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// recovered is how many of the last requests may be without the record of an effect that they had: the record follows in the next
// transaction, and one holds at most groupSize of them.
const recovered = 2 * groupSize

// recoverEffects records the effects that the database holds and no record tells of, because the process ended between
// the two. What the sender was answered stays unknown.
func (c *committer) recoverEffects(ctx context.Context, j *journal.Journal) error {
	events, err := business.Newest(ctx, c.conn, recovered)
	if err != nil || len(events) == 0 {
		return err
	}
	last, err := j.Attempts(ctx, journal.Query{After: max(c.seq-recovered, 0), NoEffect: true, Limit: recovered, MaxBody: -1})
	if err != nil {
		return err
	}
	open := map[int64]*journal.Attempt{}
	for i := range last {
		open[last[i].Seq] = &last[i]
	}
	var rows []journal.Row
	for _, e := range events {
		a := open[e.Seq]
		if a == nil || a.Endpoint != e.Endpoint {
			continue
		}
		row := journal.Row{Record: recoveredEffect(a, e)}
		if row.Text, err = journal.Encode(row.Record); err != nil {
			return err
		}
		rows = append(rows, row)
	}
	return c.writeRecovered(ctx, rows)
}

// recoveredEffect is dated when the request was there: no later time is known.
func recoveredEffect(a *journal.Attempt, e business.Received) *evidence.Effect {
	result := evidence.EffectCommitted
	if e.Mode == business.Inbox {
		result = evidence.EffectQueued
	}
	return &evidence.Effect{
		Of: a.Seq, Scenario: a.Scenario, Endpoint: a.Endpoint, Key: e.Event, Result: result,
		Detail: "found in the database when the receiver was started again",
		At:     cmp.Or(a.BodyEnd, a.FirstByte), Dedupe: e.Dedupe, Rows: e.Rows, Reason: a.Reason,
	}
}

func (c *committer) writeRecovered(ctx context.Context, rows []journal.Row) error {
	if len(rows) == 0 {
		return nil
	}
	if err := c.journal.Begin(ctx); err != nil {
		return fmt.Errorf("recover effects: %w", err)
	}
	err := c.journal.Write(ctx, rows)
	if err == nil {
		err = c.journal.Commit(ctx)
	}
	if err != nil {
		return fmt.Errorf("recover effects: %w", errors.Join(err, c.journal.Rollback(ctx)))
	}
	return nil
}
