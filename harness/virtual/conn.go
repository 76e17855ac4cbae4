package virtual

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// window is how many bytes one end may have sent and the other not yet read. It is as much as a fresh TCP connection over
// loopback holds, so that a sender of a large body waits for a receiver that does not read.
const window = 256 << 10

// carrying is how long a window of bytes takes on its way: with it a connection has the pace of a good line, 32 MB/s. Were bytes to take
// no time, a receiver that answers without end and a sender that reads on for ever would make time stand still.
const carrying = 8 * time.Millisecond

// conn is one end of a connection in memory. It ends as a TCP connection does: Close lets the peer read what was sent and then
// the end; SetLinger(0) and Close, or a Close while something is unread, is a reset, at which the peer reads what had arrived and
// then ECONNRESET. What is sent to a peer that has closed is lost, and the next call fails with EPIPE.
//
// Whoever waits waits on a condition of the bubble, so that virtual time goes on.
type conn struct {
	wire          *wire
	peer          *conn
	local, remote *net.TCPAddr
	ended         func() // called once, when this end closes

	// Guarded by wire.mu.
	in      []byte // arrived and not read
	fin     bool   // nothing more will arrive
	dead    bool   // it was reset
	failure error  // why, until somebody is told
	closed  bool   // by us
	shut    bool   // we send nothing more
	sent    int    // bytes since time last went on for them
	linger  bool   // Close resets
	reading deadline
	writing deadline
}

// wire is what both ends of a connection share.
type wire struct {
	mu      sync.Mutex
	changed sync.Cond // anything of either end
}

// deadline is a time after which a call fails; zero is none.
type deadline struct {
	at    time.Time
	timer *time.Timer
}

func (d *deadline) passed() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
}

// newPair makes a connection.
func newPair(client, server *net.TCPAddr) (*conn, *conn) {
	w := &wire{}
	w.changed.L = &w.mu
	c := &conn{wire: w, local: client, remote: server}
	s := &conn{wire: w, local: server, remote: client, peer: c}
	c.peer = s
	return c, s
}

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	for {
		switch {
		case c.closed:
			return 0, c.failed("read", net.ErrClosed)
		case c.reading.passed():
			return 0, c.failed("read", os.ErrDeadlineExceeded)
		case len(c.in) > 0 || len(p) == 0:
			n := copy(p, c.in)
			if c.in = c.in[n:]; len(c.in) == 0 {
				c.in = nil
			}
			c.wire.changed.Broadcast()
			return n, nil
		case c.failure != nil:
			return 0, c.failed("read", c.told())
		case c.fin || c.dead:
			return 0, io.EOF
		}
		c.wire.changed.Wait()
	}
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (n int, err error) {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	for {
		switch {
		case c.closed:
			return n, c.failed("write", net.ErrClosed)
		case c.writing.passed():
			return n, c.failed("write", os.ErrDeadlineExceeded)
		case c.failure != nil:
			return n, c.failed("write", c.told())
		case c.shut || c.dead:
			return n, c.failed("write", syscall.EPIPE)
		case c.peer.closed:
			c.reset() // what the peer's system answers
			return len(p), nil
		}
		k := min(len(p)-n, window-len(c.peer.in), window-c.sent)
		if k > 0 {
			c.peer.in = append(c.peer.in, p[n:n+k]...)
			n += k
			c.sent += k
			c.wire.changed.Broadcast()
		}
		if c.sent == window {
			c.carry()
		}
		if n == len(p) {
			return n, nil
		}
		if k == 0 {
			c.wire.changed.Wait()
		}
	}
}

// carry lets the time pass that a window of bytes takes.
func (c *conn) carry() {
	c.sent = 0
	c.wire.mu.Unlock()
	time.Sleep(carrying)
	c.wire.mu.Lock()
}

// told returns why the connection was reset. The system says it once; from then on there is only an end.
func (c *conn) told() error {
	err := c.failure
	c.failure = nil
	return err
}

// reset makes this end one that the peer has reset. A half that had ended in order already breaks as a pipe does.
func (c *conn) reset() {
	if c.closed || c.dead {
		return
	}
	c.dead, c.failure = true, syscall.ECONNRESET
	if c.fin {
		c.failure = syscall.EPIPE
	}
	c.wire.changed.Broadcast()
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.wire.mu.Lock()
	if c.closed {
		defer c.wire.mu.Unlock()
		return c.failed("close", net.ErrClosed)
	}
	c.closed = true
	c.reading.stop()
	c.writing.stop()
	if c.linger || len(c.in) > 0 {
		c.peer.reset()
	}
	c.peer.fin = true
	c.in = nil
	c.wire.changed.Broadcast()
	c.wire.mu.Unlock()
	c.ended()
	return nil
}

// CloseWrite sends the end and goes on reading.
func (c *conn) CloseWrite() error {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	if c.closed {
		return c.failed("close", net.ErrClosed)
	}
	c.shut, c.peer.fin = true, true
	c.wire.changed.Broadcast()
	return nil
}

// SetLinger says how Close ends the connection: 0 makes it a reset, as for a *net.TCPConn; every other value makes it an end in
// order.
func (c *conn) SetLinger(sec int) error {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	if c.closed {
		return c.failed("set", net.ErrClosed)
	}
	c.linger = sec == 0
	return nil
}

// LocalAddr implements net.Conn.
func (c *conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn.
func (c *conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error { return c.limit(t, &c.reading, &c.writing) }

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error { return c.limit(t, &c.reading) }

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error { return c.limit(t, &c.writing) }

func (c *conn) limit(t time.Time, ds ...*deadline) error {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	if c.closed {
		return c.failed("set", net.ErrClosed)
	}
	for _, d := range ds {
		d.stop()
		d.at = t
		if !t.IsZero() && !d.passed() {
			d.timer = time.AfterFunc(time.Until(t), c.wake)
		}
	}
	c.wire.changed.Broadcast()
	return nil
}

func (c *conn) wake() {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	c.wire.changed.Broadcast()
}

// failed is an error in the form that package net gives it.
func (c *conn) failed(op string, err error) error {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		err = os.NewSyscallError(op, number)
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
}
