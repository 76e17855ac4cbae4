package mockreceiver

import (
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// recallRows bounds how many of an endpoint's latest requests tell its backlog after a restart: some 100 ms of reading, and as many as
// the backlog can have.
const recallRows = maxUnsettled

// recallBacklog notes which events an earlier run left without a success. It is called before the endpoint gets requests.
func (r *Receiver) recallBacklog(e *endpoint) error {
	const page = 500 // heads of 2 KiB, which few requests have, are a megabyte
	left := map[string]*recalledEvent{}
	before := int64(0)
	for range recallRows / page {
		rows, err := r.journal.Attempts(r.ctx, journal.Query{Endpoint: e.Name, Before: before, Newest: true, Limit: page, MaxBody: -1})
		if err != nil {
			return fmt.Errorf("recall what was not delivered: %w", err)
		}
		for i := range rows {
			before = rows[i].Seq
			recallAttempt(left, &rows[i])
		}
		if len(rows) < page {
			break
		}
	}
	now := time.Now()
	for key, event := range left {
		if !event.first.IsZero() {
			e.meter.recalled(r.meter.hash(key), r.now()-now.Sub(event.first))
		}
	}
	return nil
}

// recalledEvent is an event as its latest requests have it.
type recalledEvent struct {
	settled bool      // a success was met; what was before it does not matter
	first   time.Time // the oldest attempt after the last success; zero: there is none
}

// recallAttempt takes in one request; they come newest first. One whose outcome is unknown is a success if the business side has its
// event.
func recallAttempt(left map[string]*recalledEvent, a *journal.Attempt) {
	if !a.Handled() || a.Origin == evidence.OriginHarness {
		return
	}
	event := left[a.Key]
	if event == nil {
		event = &recalledEvent{}
		left[a.Key] = event
	}
	switch o := a.Outcome; {
	case event.settled:
	case o != nil && succeeded(o), o == nil && a.Effect != nil && a.Effect.Dedupe:
		event.settled = true
	default:
		event.first = a.Wall
	}
}
