package mockreceiver

import "sync"

// gates make copies of an event wait for the one whose slow business work is under way.
type gates struct {
	mu   sync.Mutex
	shut map[gateKey]*gate
}

type gateKey struct{ endpoint, event string }

// gate is shut while somebody works on an event. committed is set before open is closed.
type gate struct {
	key       gateKey
	open      chan struct{}
	committed bool
}

// enter returns the gate at which to wait. With work to do and nobody at it, it shuts a new one, and leads is true: the
// caller works and then calls leave. A nil gate means that the way is free.
func (g *gates) enter(endpoint, event string, work bool) (at *gate, leads bool) {
	key := gateKey{endpoint, event}
	g.mu.Lock()
	defer g.mu.Unlock()
	if at := g.shut[key]; at != nil {
		return at, false
	}
	if !work {
		return nil, false
	}
	if g.shut == nil {
		g.shut = map[gateKey]*gate{}
	}
	at = &gate{key: key, open: make(chan struct{})}
	g.shut[key] = at
	return at, true
}

// leave opens the gate. committed tells those who waited whether the work is done.
func (g *gates) leave(at *gate, committed bool) {
	g.mu.Lock()
	delete(g.shut, at.key)
	g.mu.Unlock()
	at.committed = committed
	close(at.open)
}
