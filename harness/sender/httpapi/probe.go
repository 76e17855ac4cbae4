package httpapi

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
)

const (
	// probeEvery is the step of the probe's time series.
	probeEvery = 100 * time.Millisecond
	// probeLimit ends a probe that gets no answer, so that a series of samples is out by then; the next one goes on.
	probeLimit = 10 * time.Second
)

// prober asks a launched sender for something cheap every 100 ms and tells the watcher how late the answers are: a sender
// that was paused, or got no CPU time, shows nowhere else.
//
// A probe is due every 100 ms. Its lateness is how long after that its answer was there, minus the shortest such time seen
// since the start, which stands for the usual. A probe that is still open when the next is due answers for that one too.
type prober struct {
	client  *client
	watcher sender.Watcher

	mu     sync.Mutex
	closed bool
	stop   context.CancelFunc // nil while paused
	done   chan struct{}      // closed when the latest probing has ended
}

func newProber(c *client, w sender.Watcher) *prober {
	return &prober{client: c, watcher: w}
}

// resume begins to probe at base. It does nothing if the adapter has no probe or p is closed.
func (p *prober) resume(base string) {
	if p.client.adapter.probe == nil {
		return
	}
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
		p.run(ctx, base)
	}()
}

// cancel makes the probing end soon.
func (p *prober) cancel() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stop != nil {
		p.stop()
	}
}

// pause ends the probing and waits for its end.
func (p *prober) pause() {
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

func (p *prober) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.pause()
}

func (p *prober) run(ctx context.Context, base string) {
	usual := time.Duration(-1)
	due := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		answered := p.ask(ctx, base)
		now := time.Now()
		took := now.Sub(due)
		// What was asked for as the process ended says nothing, unless it had been open for long by then.
		if answered && (usual < 0 || took < usual) {
			usual = took
		}
		if answered || took > probeEvery {
			for at := due; !at.After(now); at = at.Add(probeEvery) {
				p.watcher.Late(at, max(0, now.Sub(at)-max(0, usual)))
			}
		}
		for !due.After(now) {
			due = due.Add(probeEvery)
		}
		timer.Reset(time.Until(due))
	}
}

// ask tells whether an answer came, of whatever status.
func (p *prober) ask(ctx context.Context, base string) bool {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	c := call{method: http.MethodGet, path: *p.client.adapter.probe}
	req, err := c.request(ctx, base, p.client.adapter, p.client.values)
	if err != nil {
		return false
	}
	res, err := p.client.http.Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	// The connection is used again only if the answer was read; what a health page says fits in far less.
	_, err = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20))
	return err == nil
}
