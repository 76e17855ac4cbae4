package mockreceiver

import (
	"errors"
	"io"
	"net"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/h2"
)

const (
	// maxStreams is how many streams an HTTP/2 connection may have at once: what Go's server allows.
	maxStreams = 250
	// slowBuffer is how much the system keeps of what is read slowly: the least that Linux gives.
	slowBuffer = 2304
)

// errEnded says that a connection was ended as its listener's plan wants it.
var errEnded = errors.New("ended as planned")

// prepare does what comes before HTTP in a goroutine of its own, so that a peer which takes its time delays no other, and
// then lets the connection be served.
func (c *wireConn) prepare(o fault.Opening) {
	c.link = &link{Conn: c.raw, r: c.r}
	c.Conn = c.link
	if !c.r.begin(&c.r.carried) {
		_ = c.Close() // the receiver closes
		return
	}
	go func() {
		defer c.r.carried.Done()
		if err := c.begin(o); err != nil {
			c.fail(err)
			return
		}
		if c.h2 {
			c.serveStreams(o.Streams)
			return
		}
		// net/http adds its own goroutine and returns: there is no second connection.
		_ = c.r.data.Serve(&oneConn{c: c})
	}()
}

// begin acts out how a connection begins. With an error it goes no further.
func (c *wireConn) begin(o fault.Opening) error {
	if !c.link.pause(o.Wait) {
		return errEnded
	}
	switch {
	case o.Stall:
		return c.link.drain()
	case o.End != "":
		c.part(o.End)
		return errEnded
	case c.of.tls != nil:
		if err := c.handshake(o.Handshake); err != nil {
			return err
		}
	}
	if o.ReadRate > 0 {
		if b, ok := c.raw.(interface{ SetReadBuffer(n int) error }); ok {
			_ = b.SetReadBuffer(slowBuffer) // else the peer's writes halt later
		}
		c.link.rate = o.ReadRate
	}
	return nil
}

// part ends the connection before HTTP.
func (c *wireConn) part(e fault.End) {
	if e == fault.Aborted {
		if !c.reset() {
			c.r.trouble("", "a connection could not be reset and was closed: it is no TCP connection")
		}
		return
	}
	c.mu.Lock()
	c.ours = true
	c.mu.Unlock()
	_ = c.raw.Close() // past TLS, which would say goodbye first
}

// fail ends a connection that did not get as far as HTTP. What it met stands in its record.
func (c *wireConn) fail(err error) {
	var remote *net.OpError
	peer := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || isReset(err) ||
		errors.As(err, &remote) && remote.Op == "remote error" // how crypto/tls names an alert of the peer
	c.mu.Lock()
	if !errors.Is(err, errEnded) && !errors.Is(err, io.EOF) {
		c.err = err
	}
	if peer && !c.ours && c.gone == 0 {
		c.gone = c.r.now()
	}
	c.mu.Unlock()
	_ = c.raw.Close() // nothing can be said over it
	_ = c.Close()
}

// serveStreams speaks HTTP/2 until the connection ends.
func (c *wireConn) serveStreams(limit int) {
	if limit == 0 {
		limit = maxStreams
	}
	h2.Serve(c.r.ctx, c, h2.Config{
		MaxHead: maxHead, MaxStreams: limit,
		First: c.r.cfg.HeaderTimeout, Idle: c.r.cfg.IdleTimeout, Write: c.r.cfg.BodyTimeout,
		Serve:    func(s *h2.Stream) { c.r.receiveStream(c, s) },
		Unserved: func(h *h2.Head, why string) { c.r.unserved(c, h, why) },
		Ended: func(err error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			if !errors.Is(err, io.EOF) {
				c.err = err
			}
		},
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

// pause lets d pass. It returns false if the receiver closes before.
func (l *link) pause(d time.Duration) bool {
	if d <= 0 {
		return l.r.ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-l.r.ctx.Done():
		return false
	}
}
