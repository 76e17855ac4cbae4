package mockreceiver

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

const (
	// defaultLast is how many events an acceptance is about, as the tests that people agree on have it.
	defaultLast = 1000
	// acceptedAttempts is how many attempts of one event count: several times any schedule.
	acceptedAttempts = 64
)

// acceptance answers with how the last events fared, as the contract counts that.
func (c control) acceptance(req *http.Request) (int, any, error) {
	q := queryOf(req)
	name, last := q.text("endpoint"), int(q.number("last", defaultLast, maxLimit))
	if last == 0 {
		q.fail("last: want a number from 1 to %d", maxLimit)
	}
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	if _, err := c.r.endpoints.named(name); name != "" && err != nil {
		return 0, nil, err
	}
	if c.r.cfg.Acceptance == nil {
		return 0, nil, apiError{http.StatusNotFound, "acceptance: the receiver was started without a contract to go by: give one with --contract"}
	}
	events, err := c.r.lastEvents(req.Context(), name, last)
	if err != nil {
		return 0, nil, internal(err)
	}
	answer, err := c.r.cfg.Acceptance(req.Context(), time.Now(), events)
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusOK, answer, nil
}

// lastEvents reads the first attempts of the last n events, oldest first, without their bodies.
func (r *Receiver) lastEvents(ctx context.Context, endpoint string, n int) ([][]journal.Attempt, error) {
	firsts, err := r.journal.Attempts(ctx, journal.Query{Endpoint: endpoint, First: true, Newest: true, Limit: n, MaxBody: -1})
	if err != nil {
		return nil, err
	}
	slices.Reverse(firsts)
	events := make([][]journal.Attempt, 0, len(firsts))
	for i := range firsts {
		a := &firsts[i]
		rows, err := r.journal.Attempts(ctx, journal.Query{
			Endpoint: a.Endpoint, ByKey: true, Key: a.Key, Limit: acceptedAttempts, MaxBody: -1,
		})
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 { // else it was forgotten just now
			events = append(events, rows)
		}
	}
	return events, nil
}
