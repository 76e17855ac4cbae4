package sender

import (
	"context"
	"sync"
	"time"
)

// ProbeEvery is the step of the time series of a sender's lateness.
const ProbeEvery = 100 * time.Millisecond

// Prober probes a sender every ProbeEvery while it runs, and tells how late the answers are. Whoever makes one calls Close. It is safe
// for concurrent use.
type Prober struct {
	late func(due time.Time, late time.Duration)

	mu     sync.Mutex
	closed bool
	stop   context.CancelFunc // nil while paused
	done   chan struct{}      // closed when the latest probing has ended
}

// NewProber returns a prober that probes nothing yet. What it finds goes to w.
func NewProber(w Watcher) *Prober { return &Prober{late: w.Late} }

// Resume begins to probe by ask, as Probe does. It does nothing while another probing goes on, or when p is closed.
func (p *Prober) Resume(ask func(context.Context) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.stop != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	p.stop, p.done = cancel, done
	go func() {
		defer close(done)
		Probe(ctx, ProbeEvery, ask, p.late)
	}()
}

// Cancel makes the probing end soon.
func (p *Prober) Cancel() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stop != nil {
		p.stop()
	}
}

// Pause ends the probing and waits for its end.
func (p *Prober) Pause() {
	p.mu.Lock()
	stop, done := p.stop, p.done
	p.stop = nil
	p.mu.Unlock()
	if stop != nil {
		stop()
	}
	if done != nil {
		<-done
	}
}

// Close ends the probing for good and waits for its end.
func (p *Prober) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.Pause()
}
