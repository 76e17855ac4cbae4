package mockreceiver

import (
	"io"
	"net"

	"github.com/hookassay/hookassay/mockreceiver/h2"
)

// maxStreams is how many streams an HTTP/2 connection may have at once: what Go's server allows.
const maxStreams = 250

// prepares tells whether a connection needs something done before HTTP can be spoken over it.
func (l *listener) prepares(*wireConn) bool { return l.tls != nil }

// prepare does what comes before HTTP in a goroutine of its own, so that a peer which takes its time delays no other, and
// then lets the connection be served.
func (c *wireConn) prepare() {
	if !c.r.begin(&c.r.carried) {
		_ = c.Close() // the receiver closes
		return
	}
	go func() {
		defer c.r.carried.Done()
		c.r.deadline(c, c.r.cfg.HeaderTimeout)
		if err := c.handshake(c.r.ctx, c.of.tls.base); err != nil {
			_ = c.Close() // nothing can be said over it
			return
		}
		c.r.deadline(c, 0)
		if c.h2 {
			c.serveStreams()
			return
		}
		// net/http adds its own goroutine and returns.
		_ = c.r.data.Serve(&oneConn{c: c}) // it ends because there is no second connection
	}()
}

// serveStreams speaks HTTP/2 until the connection ends.
func (c *wireConn) serveStreams() {
	_ = h2.Serve(c.r.ctx, c, h2.Config{ // the requests have their own records of how they ended
		MaxHead: maxHead, MaxStreams: maxStreams,
		First: c.r.cfg.HeaderTimeout, Idle: c.r.cfg.IdleTimeout, Write: c.r.cfg.BodyTimeout,
		Serve:    func(s *h2.Stream) { c.r.receiveStream(c, s) },
		Unserved: func(h *h2.Head, why string) { c.r.unserved(c, h, why) },
	})
}

// oneConn is a listener that has one connection.
type oneConn struct {
	c     *wireConn
	taken bool
}

func (o *oneConn) Accept() (net.Conn, error) {
	if o.taken {
		return nil, io.EOF
	}
	o.taken = true
	return o.c, nil
}

func (o *oneConn) Addr() net.Addr { return o.c.of.addr }

// Close closes a connection that net/http did not take, because it is closing.
func (o *oneConn) Close() error {
	if o.taken {
		return nil
	}
	o.taken = true
	return o.c.Close()
}
