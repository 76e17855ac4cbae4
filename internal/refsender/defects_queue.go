package refsender

import (
	"context"
	"time"
)

// shares names the worker that a customer's endpoints have in common; empty if each has its own. Events of no customer never share, so
// that the rest of a run goes on as it should.
func (d defect) shares(tenant string) string {
	if d != holSingleWorker || tenant == "" {
		return ""
	}
	return "tenant " + tenant
}

// perEndpoint is how many requests to one endpoint may be in flight.
func (d defect) perEndpoint(limit, workers int) int {
	if d == concurrencyUnlimited {
		return workers
	}
	return limit
}

// lookEvery is how often a lingering emit looks for the end of its first attempt: no matter beside the time that a stalled one takes.
const lookEvery = 5 * time.Millisecond

// linger waits until the first attempt of each of a customer's deliveries is on record, or for a request's timeout.
func (d defect) linger(ctx context.Context, s *Sender, tenant string, open []*delivery) {
	if d != emitWaitsForDelivery || tenant == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, s.c.Schedule.Wait(1).Max+s.c.Schedule.Timeout)
	defer cancel()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for _, dl := range open {
		made := 0
		for made == 0 {
			err := s.store.reader.QueryRowContext(ctx, "SELECT count(*) FROM attempts WHERE event = ? AND endpoint = ?", dl.event, dl.endpoint).Scan(&made)
			if err != nil {
				return
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}
}
