package mockreceiver

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
)

// probes are requests of our own that show how long the receiver takes from the connection to the answer. They leave no record.
type probes struct {
	path string // random, so that nobody else asks for it

	// dialing is held from before a probe connects until its address is known, so that no connection of ours is counted.
	dialing sync.Mutex

	mu   sync.Mutex
	open map[ownAddr]bool // local addresses of probes whose connection the receiver has not ended
}

func newProbes() *probes { return &probes{path: "/" + rand.Text(), open: map[ownAddr]bool{}} }

// Probe sends a request over a new connection to the first listener and returns when it is answered, after a commit of the journal as
// other requests are. It takes as long as a request that is answered at once, and leaves no trace: no record, no event, no number.
// The listener's connections must have no plan.
func (r *Receiver) Probe(ctx context.Context) error {
	l := r.listeners.named("")
	switch {
	case l == nil:
		return fmt.Errorf("probe: %w", unknownListenerError(""))
	case l.plan.Load() != nil:
		return errors.New("probe: the plan of the first listener counts its connections, and would count this one")
	}
	raw, err := r.probes.dial(ctx, l)
	if err != nil {
		return fmt.Errorf("probe: connect: %w", err)
	}
	defer raw.Close()
	defer context.AfterFunc(ctx, func() { _ = raw.Close() })() // to end the read below
	c, err := l.encrypted(ctx, raw, &evidence.Arrival{})
	if err != nil {
		return fmt.Errorf("probe: connect: %w", err)
	}
	if _, err := io.WriteString(c, "GET "+r.probes.path+" HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n"); err != nil {
		return fmt.Errorf("probe: send: %w", err)
	}
	if err := readFinal(c); err != nil {
		return fmt.Errorf("probe: read the answer: %w", err)
	}
	return nil
}

func (p *probes) dial(ctx context.Context, l *listener) (net.Conn, error) {
	p.dialing.Lock()
	defer p.dialing.Unlock()
	c, err := l.dial(ctx)
	if err == nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.open[ownAddr{l.Name, c.LocalAddr().String()}] = true
	}
	return c, err
}

// ours tells whether a connection from an address is a probe's.
func (p *probes) ours(remote ownAddr) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open[remote]
}

// ended forgets a connection. It tells whether it was a probe's.
func (p *probes) ended(remote ownAddr) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	ours := p.open[remote]
	delete(p.open, remote)
	return ours
}

// probed answers a probe once what was received before it is written.
func (r *Receiver) probed(w http.ResponseWriter, req *http.Request) {
	if c, err := connOf(req); err == nil {
		c.claim() // else its head would be recorded as one that nobody handled
	}
	status := http.StatusNoContent
	if err := r.commits.do(&job{task: func(context.Context, *sql.Conn) error { return nil }}); err != nil {
		status = http.StatusInternalServerError // told by the records of others: nothing of this one is lost
	}
	w.WriteHeader(status)
}
