package mockreceiver

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
)

// connSet holds the open data connections, so that Close can end them and wait for their goroutines.
type connSet struct {
	mu     sync.Mutex
	open   map[*wireConn]bool
	closed bool
	served sync.WaitGroup // net/http's goroutines
}

// adopt gives a new connection its number and its memory.
func (r *Receiver) adopt(c net.Conn, of *listener) *wireConn {
	w := &wireConn{Conn: c, raw: c, r: r, of: of, id: r.lastConn.Add(1), opened: r.now(), local: c.LocalAddr().String(), remote: c.RemoteAddr().String()}
	r.conns.mu.Lock()
	closed := r.conns.closed
	if !closed {
		if r.conns.open == nil {
			r.conns.open = map[*wireConn]bool{}
		}
		r.conns.open[w] = true
	}
	r.conns.mu.Unlock()
	if closed {
		_ = c.Close() // accepted while the receiver closes: net/http finds out at its first read
	}
	return w
}

func (s *connSet) remove(c *wireConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
}

// count is how many are open.
func (s *connSet) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// interrupt ends what waits for a peer on any open connection.
func (s *connSet) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.open {
		c.interrupt()
	}
}

// closeAndWait closes what is open. No listener accepts any more when it is called.
func (s *connSet) closeAndWait() {
	s.mu.Lock()
	s.closed = true
	var open []*wireConn
	for c := range s.open {
		open = append(open, c)
	}
	s.mu.Unlock()
	for _, c := range open {
		_ = c.Close() // it is being thrown away
	}
	s.served.Wait()
}

// stateChanged is net/http's hook: StateNew comes from the Serve loop, before the connection's goroutine starts, and one of
// the other two is the last thing which that goroutine does with the connection.
func (s *connSet) stateChanged(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.served.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.served.Done()
	case http.StateActive, http.StateIdle:
	}
}

// connKey is the context key of a request's wireConn.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

func connOf(req *http.Request) (*wireConn, error) {
	c, ok := req.Context().Value(connKey{}).(*wireConn)
	if !ok {
		return nil, fmt.Errorf("request %s: came over a connection that is not ours", req.URL.Path)
	}
	return c, nil
}
