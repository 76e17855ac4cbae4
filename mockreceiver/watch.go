package mockreceiver

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

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

// News returns a channel that is closed when something more is recorded: a request, what became of one, an effect or a
// trouble. Ask for it before you read, so that nothing comes between.
func (r *Receiver) News() <-chan struct{} { return r.commits.watch.wait() }

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
	return r.WaitFor(ctx, journal.Query{Endpoint: endpoint, After: after, Limit: count})
}

// WaitFor does the same for any query, such as one for an event: it returns when so many requests as q's Limit were recorded.
func (r *Receiver) WaitFor(ctx context.Context, q journal.Query) (int, error) {
	return r.waitFor(ctx, q, r.journal.Count)
}

// waitFor waits until count tells so many as q's Limit.
func (r *Receiver) waitFor(ctx context.Context, q journal.Query, count func(context.Context, journal.Query) (int, error)) (int, error) {
	for {
		written := r.commits.watch.wait()
		n, err := count(context.WithoutCancel(ctx), q)
		if err != nil || n >= q.Limit {
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

// WaitOver returns when q's Limit requests to its endpoint, or of its event, have taken a step of a plan and are over, or when
// ctx ends. Those of an earlier run whose outcome was never recorded are over as well. It tells how many there are, at most
// the limit; fewer is no error.
func (r *Receiver) WaitOver(ctx context.Context, q journal.Query) (int, error) {
	return r.waitFor(ctx, q, r.stepsOver)
}

// steps counts requests that took a step, at most q's Limit.
func (r *Receiver) steps(ctx context.Context, q journal.Query) (int, error) {
	return r.countSteps(ctx, q, func(journal.Query) int { return 0 })
}

// stepsOver counts those of them that are over.
func (r *Receiver) stepsOver(ctx context.Context, q journal.Query) (int, error) {
	return r.countSteps(ctx, q, r.activity.openSteps)
}

// countSteps counts what indexes hold, and takes off what does not count: an index alone tells neither what took a step nor
// what is over. less tells how many of those that took a step do not count.
func (r *Receiver) countSteps(ctx context.Context, q journal.Query, less func(journal.Query) int) (int, error) {
	limit := q.Limit
	if q.Before == 0 {
		q.Before = r.activity.lastSeq() + 1 // of what is committed beyond, activity does not know yet whether it is open
	}
	none := q
	none.Stepless, none.Limit = true, math.MaxInt32 // few, as copies are
	off, err := r.journal.Count(ctx, none)
	if err != nil {
		return 0, err
	}
	off += less(q)
	q.Limit = limit + off
	n, err := r.journal.Count(ctx, q)
	return min(n-off, limit), err
}

// WaitSettled returns true when, from the call on, nothing was recorded about an endpoint for quiet, and no request to it is
// open: each was read to its end and has its outcome. It returns false when ctx ends before.
func (r *Receiver) WaitSettled(ctx context.Context, endpoint string, quiet time.Duration) (bool, error) {
	e, err := r.endpoints.named(endpoint)
	if err != nil {
		return false, fmt.Errorf("wait until settled: %w", err)
	}
	called := r.now()
	for {
		written := r.commits.watch.wait()
		now := r.activity.of(endpoint)
		rest := quiet - (r.now() - max(now.last, called))
		if rest <= 0 && now.open == 0 && e.inside.Load() == 0 {
			return true, nil
		}
		if !r.pause(ctx, written, rest) {
			return false, nil
		}
	}
}

// pause returns true when something was written, or after rest; where no time is left to wait for, only what is written can
// change anything. It returns false when ctx or the receiver ends.
func (r *Receiver) pause(ctx context.Context, written <-chan struct{}, rest time.Duration) bool {
	var over <-chan time.Time
	if rest > 0 {
		t := time.NewTimer(rest)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-written:
	case <-over:
	case <-ctx.Done():
		return false
	case <-r.ctx.Done():
		return false
	}
	return true
}

// LastSeq is the number of the request that was recorded last; 0: none.
func (r *Receiver) LastSeq() int64 { return r.activity.lastSeq() }
