package mockreceiver

import (
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
)

const (
	// maxNews is how many outcomes and troubles wait for one reader of the stream. Arrivals need no place: they are read from
	// the journal. 4096 outcomes are more than a reader that keeps up ever leaves waiting, and 32 KiB.
	maxNews = 4096
	// maxReaders bounds the readers of the stream: each costs a goroutine and reads what arrives. A person has a few pages open.
	maxReaders = 16
)

// streams are the readers of the stream of events. The committer hands them what it wrote and never waits for one.
type streams struct {
	mu      sync.Mutex
	readers map[*reader]bool
}

// reader is one reader's mailbox. Its maker takes from it; publish puts in.
type reader struct {
	wake chan struct{} // holds one token while there is something new

	mu        sync.Mutex
	outcomes  []int64 // Seq of requests whose outcome or effect was written
	troubles  []*evidence.Trouble
	endpoints []string // names of endpoints that changed
	lagged    bool     // something did not fit
}

// join makes a reader. It returns nil if there are too many; the caller hands the reader back to leave.
func (s *streams) join() *reader {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.readers) >= maxReaders {
		return nil
	}
	if s.readers == nil {
		s.readers = map[*reader]bool{}
	}
	r := &reader{wake: make(chan struct{}, 1)}
	s.readers[r] = true
	return r
}

// count is how many readers there are.
func (s *streams) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.readers)
}

func (s *streams) leave(r *reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.readers, r)
}

// each calls put for every reader with its mailbox open, and wakes it.
func (s *streams) each(put func(*reader)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.readers {
		r.mu.Lock()
		put(r)
		r.mu.Unlock()
		select {
		case r.wake <- struct{}{}:
		default: // a token is there already
		}
	}
}

// publish tells the readers of a group that was written.
func (s *streams) publish(group []*job) {
	s.each(func(r *reader) {
		for _, j := range group {
			switch rec := j.record.(type) {
			case *evidence.Outcome:
				r.ended(rec.Of)
			case *evidence.Effect:
				r.ended(rec.Of)
			case *evidence.Trouble:
				r.troubled(rec)
			}
		}
	})
}

// changed tells the readers that an endpoint was added, changed, reset or removed.
func (s *streams) changed(endpoint string) {
	s.each(func(r *reader) {
		if len(r.endpoints) >= maxNews {
			r.lagged = true
			return
		}
		r.endpoints = append(r.endpoints, endpoint)
	})
}

func (r *reader) ended(seq int64) {
	switch n := len(r.outcomes); {
	case n > 0 && r.outcomes[n-1] == seq:
	case n >= maxNews:
		r.lagged = true
	default:
		r.outcomes = append(r.outcomes, seq)
	}
}

func (r *reader) troubled(t *evidence.Trouble) {
	if len(r.troubles) >= maxNews {
		r.lagged = true
		return
	}
	r.troubles = append(r.troubles, t)
}

// news is what a reader took from its mailbox.
type news struct {
	outcomes  []int64
	troubles  []*evidence.Trouble
	endpoints []string
	lagged    bool
}

func (r *reader) take() news {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := news{r.outcomes, r.troubles, r.endpoints, r.lagged}
	r.outcomes, r.troubles, r.endpoints = nil, nil, nil
	return n
}
