package drive

import (
	"context"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

const (
	// tick is how often the harness measures its own lateness, unless it is told otherwise.
	tick = 10 * time.Millisecond
	// probe is how often a driver asks the sender's process for a sign of life.
	probe = sender.ProbeEvery
	// chunk is how many samples go into one record: a second of ticks, so that a crash loses no more than that.
	chunk = 100
)

// series collects samples of lateness into noise records.
type series struct {
	source string
	step   time.Duration
	add    func(evidence.Record)

	mu   sync.Mutex
	from time.Duration
	late []int64
}

// sample notes that what was due came late by so much. A gap in the series, or a full chunk, starts a new record.
func (s *series) sample(due, late time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.from + time.Duration(len(s.late))*s.step
	if len(s.late) >= chunk || len(s.late) > 0 && (due-next).Abs() > s.step/2 {
		s.flushLocked()
	}
	if len(s.late) == 0 {
		s.from = due
	}
	s.late = append(s.late, late.Microseconds())
}

func (s *series) flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flushLocked()
}

func (s *series) flushLocked() {
	if len(s.late) == 0 {
		return
	}
	s.add(&evidence.Noise{Source: s.source, From: s.from, Step: s.step, LateUS: s.late})
	s.late = nil
}

// listen measures until ctx ends. A tick that was missed altogether counts with the lateness that it would have had.
func (s *series) listen(ctx context.Context, started time.Time) {
	defer s.flush()
	due := started.Add(time.Since(started).Truncate(s.step) + s.step)
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		for now := time.Now(); !due.After(now); due = due.Add(s.step) {
			s.sample(due.Sub(started), now.Sub(due))
		}
		timer.Reset(time.Until(due))
	}
}
