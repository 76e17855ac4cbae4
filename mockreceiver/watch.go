package mockreceiver

import (
	"context"
	"fmt"
	"sync"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// watchers are those who wait for something to be written.
type watchers struct {
	mu   sync.Mutex
	next chan struct{} // closed at the next commit; nil while nobody waits
}

// wait returns a channel that is closed at the next commit.
func (w *watchers) wait() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.next == nil {
		w.next = make(chan struct{})
	}
	return w.next
}

func (w *watchers) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.next != nil {
		close(w.next)
		w.next = nil
	}
}

// Attempts returns recorded requests by ascending Seq, with what is known of them. q.Limit must be positive.
func (r *Receiver) Attempts(ctx context.Context, q journal.Query) ([]journal.Attempt, error) {
	if q.Limit <= 0 {
		return nil, fmt.Errorf("read attempts: limit %d: want a positive one", q.Limit)
	}
	return r.journal.Attempts(ctx, q)
}

// Wait returns when an endpoint has got count requests with a Seq beyond after, or when ctx ends. It tells how many there
// are, at most count; fewer than count is no error.
func (r *Receiver) Wait(ctx context.Context, endpoint string, after int64, count int) (int, error) {
	for {
		written := r.commits.watch.wait()
		n, err := r.journal.Count(context.WithoutCancel(ctx), journal.Query{Endpoint: endpoint, After: after, Limit: count})
		if err != nil || n >= count {
			return n, err
		}
		select {
		case <-written:
		case <-ctx.Done():
			return n, nil
		case <-r.ctx.Done():
			return n, nil
		}
	}
}
