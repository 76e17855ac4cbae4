package journal

import (
	"context"
	"slices"
)

// lastAttempts is how many attempts of one event LastEvents reads: several times any schedule.
const lastAttempts = 64

// Attempter reads requests, as a Journal does.
type Attempter interface {
	Attempts(ctx context.Context, q Query) ([]Attempt, error)
}

// LastEvents reads the first attempts of the last n events, oldest first, without their bodies: of one endpoint, or of all if it is
// empty.
func LastEvents(ctx context.Context, j Attempter, endpoint string, n int) ([][]Attempt, error) {
	firsts, err := j.Attempts(ctx, Query{Endpoint: endpoint, First: true, Newest: true, Limit: n, MaxBody: -1})
	if err != nil {
		return nil, err
	}
	slices.Reverse(firsts)
	events := make([][]Attempt, 0, len(firsts))
	for i := range firsts {
		a := &firsts[i]
		rows, err := j.Attempts(ctx, Query{Endpoint: a.Endpoint, ByKey: true, Key: a.Key, Limit: lastAttempts, MaxBody: -1})
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 { // else it was forgotten just now
			events = append(events, rows)
		}
	}
	return events, nil
}
