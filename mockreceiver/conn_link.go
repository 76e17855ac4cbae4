package mockreceiver

import (
	"errors"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// link is a connection below TLS. It counts the bytes, reads slowly where that is planned, and lets a handshake be cut.
type link struct {
	net.Conn
	r       *Receiver
	in, out atomic.Int64
	rate    int // bytes per second; 0: no limit. Set before HTTP begins

	// For the goroutine of the handshake alone.
	cut   fault.End // how the connection ends in the middle of the next write; empty: not so
	muted bool      // what is written is dropped
}

// pieces is how many pieces a second of slow reading has: enough to look steady.
const pieces = 10

// Read implements net.Conn.
func (l *link) Read(p []byte) (int, error) {
	if l.rate > 0 {
		p = p[:min(len(p), max(1, l.rate/pieces))]
	}
	n, err := l.Conn.Read(p)
	l.in.Add(int64(n))
	if l.rate > 0 && n > 0 && !l.pause(time.Duration(n)*time.Second/time.Duration(l.rate)) {
		return n, net.ErrClosed
	}
	return n, err
}

// Write implements net.Conn.
func (l *link) Write(p []byte) (int, error) {
	switch {
	case l.muted:
		return len(p), nil
	case l.cut != "":
		n, err := l.Conn.Write(p[:len(p)/2])
		l.out.Add(int64(n))
		return n, errors.Join(errCut, err)
	}
	n, err := l.Conn.Write(p)
	l.out.Add(int64(n))
	return n, err
}

// errCut says that a handshake was cut as its listener's plan wants it.
var errCut = errors.New("cut in the middle of the handshake")

// CloseWrite ends our half of the connection.
func (l *link) CloseWrite() error {
	half, ok := l.Conn.(interface{ CloseWrite() error })
	if !ok {
		return errors.ErrUnsupported
	}
	return half.CloseWrite()
}

// drain reads and drops what comes until the peer ends the connection, or the receiver closes; it says which. Otherwise
// nobody would find out that the peer is gone.
func (l *link) drain() error {
	_ = l.SetReadDeadline(time.Time{}) // a dead connection shows itself at once
	if l.r.ctx.Err() != nil {
		return errEnded
	}
	if _, err := io.Copy(io.Discard, l); err != nil {
		return err
	}
	return io.EOF
}

// isReset tells whether the peer reset the connection.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
