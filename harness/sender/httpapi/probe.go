package httpapi

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
)

// probeEvery is the step of the probe's time series.
const probeEvery = 100 * time.Millisecond

// prober asks a launched sender for something cheap every 100 ms and tells the watcher how late the answers are.
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
		sender.Probe(ctx, probeEvery, func(ctx context.Context) bool { return p.ask(ctx, base) }, p.watcher.Late)
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

// ask tells whether an answer came, of whatever status.
func (p *prober) ask(ctx context.Context, base string) bool {
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
