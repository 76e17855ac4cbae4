package drive

import (
	"context"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Seen is what has reached an endpoint for one event so far. Copies that the harness sent are not counted.
type Seen struct {
	Arrivals  int
	Outcomes  int  // arrivals of which it is known what became of them
	Delivered bool // one of them got a complete 2xx
}

type seenKey struct{ endpoint, key string }

// board keeps what was seen of each event and wakes those who wait for more.
type board struct {
	mu      sync.Mutex
	seen    map[seenKey]Seen
	of      map[int64]seenKey // open arrivals by Seq
	changed chan struct{}     // closed, and replaced, at each change
	total   int
}

func newBoard() *board {
	return &board{seen: map[seenKey]Seen{}, of: map[int64]seenKey{}, changed: make(chan struct{})}
}

func (b *board) note(rec evidence.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch rec := rec.(type) {
	case *evidence.Arrival:
		b.total++
		if !rec.Handled() {
			return
		}
		k := seenKey{rec.Endpoint, rec.Key}
		b.of[rec.Seq] = k
		s := b.seen[k]
		s.Arrivals++
		b.seen[k] = s
	case *evidence.Outcome:
		k, ok := b.of[rec.Of]
		if !ok {
			return
		}
		delete(b.of, rec.Of)
		s := b.seen[k]
		s.Outcomes++
		s.Delivered = s.Delivered || rec.Status/100 == 2 && rec.End == evidence.EndComplete
		b.seen[k] = s
	default:
		return
	}
	close(b.changed)
	b.changed = make(chan struct{})
}

func (b *board) look(k seenKey) (Seen, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.seen[k], b.changed
}

func (b *board) arrivals() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.total
}

// await waits until enough says so, or for at most limit. It tells whether enough was seen.
func (b *board) await(ctx context.Context, k seenKey, limit time.Duration, enough func(Seen) bool) (bool, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		s, changed := b.look(k)
		if enough(s) {
			return true, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return false, nil
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}
