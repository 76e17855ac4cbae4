package mockreceiver

import (
	"context"
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

// readBack makes the effect records of a group's writes from what the database says after the transaction.
func (c *committer) readBack(ctx context.Context, writes []*businessJob, at time.Duration) []*job {
	if len(writes) == 0 {
		return nil
	}
	events := make([]*business.Event, len(writes))
	for i, w := range writes {
		events[i] = &w.Event
	}
	states, err := c.ledger.States(ctx, events)
	list := make([]*job, 0, len(writes))
	for i, w := range writes {
		a := w.arrival
		if err != nil {
			list = append(list, c.troubled(a.Scenario, fmt.Sprintf("effect of request %d is not known: %v", a.Seq, err), 1))
			continue
		}
		list = append(list, &job{scenario: a.Scenario, record: &evidence.Effect{
			Of: a.Seq, Scenario: a.Scenario, Endpoint: a.Endpoint, Key: w.Event.Key, Result: w.Done.Result, Detail: w.Done.Detail,
			At: at, Dedupe: states[i].Dedupe, Rows: states[i].Rows, Reason: a.Reason,
		}})
	}
	return list
}

func (c *committer) troubled(scenario, what string, lost int) *job {
	c.lost.Add(int64(lost))
	return &job{scenario: scenario, record: &evidence.Trouble{Scenario: scenario, At: c.r.now(), What: what, Lost: lost}}
}
