package virtual

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// tcpLike is what both kinds of connection can do.
type tcpLike interface {
	net.Conn
	SetLinger(sec int) error
	CloseWrite() error
}

// ends is both ends of a connection, the network that it belongs to and its listener.
type ends struct {
	near, far tcpLike
	dial      func(ctx context.Context, network, addr string) (net.Conn, error)
	listener  net.Listener
}

// arrives is how long a segment takes over loopback, at the very most: what a peer has done must be seen by then.
const arrives = 50 * time.Millisecond

// behaviours are what a peer sees, as text. In memory each must be as over TCP.
func behaviours() map[string]func(e ends) string {
	return map[string]func(e ends) string{
		"end in order": func(e ends) string {
			return said(write(e.near, "hello"), e.near.Close(), pause(), read(e.far, 9), read(e.far, 9))
		},
		"half an end": func(e ends) string {
			return said(write(e.near, "hello"), e.near.CloseWrite(), pause(), read(e.far, 9), read(e.far, 9), write(e.far, "yes"), pause(),
				read(e.near, 9), write(e.near, "more"))
		},
		"reset": func(e ends) string {
			return said(e.near.SetLinger(0), e.near.Close(), pause(), read(e.far, 9), read(e.far, 9), write(e.far, "x"))
		},
		"reset behind data": func(e ends) string {
			return said(write(e.near, "hello"), pause(), e.near.SetLinger(0), e.near.Close(), pause(), read(e.far, 9), read(e.far, 9))
		},
		"reset seen by a write": func(e ends) string {
			return said(e.near.SetLinger(0), e.near.Close(), pause(), write(e.far, "x"), write(e.far, "x"))
		},
		"end with something unread": func(e ends) string {
			return said(write(e.far, "unread"), pause(), e.near.Close(), pause(), read(e.far, 9), read(e.far, 9))
		},
		"write to a closed peer": func(e ends) string {
			return said(e.near.Close(), pause(), write(e.far, "lost"), pause(), write(e.far, "x"), read(e.far, 9))
		},
		"closed by us": func(e ends) string {
			return said(e.near.Close(), read(e.near, 9), write(e.near, "x"), e.near.Close(), e.near.SetDeadline(time.Now()), e.near.CloseWrite(),
				e.near.SetLinger(0))
		},
		"deadlines": func(e ends) string {
			soon := time.Now().Add(arrives)
			return said(e.near.SetReadDeadline(soon), read(e.near, 9), write(e.near, "still"), pause(), read(e.far, 9),
				e.near.SetDeadline(time.Unix(1, 0)), write(e.near, "x"), e.near.SetDeadline(time.Time{}), write(e.near, "again"))
		},
		"a peer that does not read": func(e ends) string {
			big := strings.Repeat("x", 64<<20) // more than any system's buffers hold
			return said(e.near.SetWriteDeadline(time.Now().Add(arrives)), cause(io.WriteString(e.near, big)))
		},
		"a read waits for a write": func(e ends) string {
			go func() { _ = said(pause(), write(e.far, "late")) }()
			return said(read(e.near, 9))
		},
		"a read waits, and we close": func(e ends) string {
			go func() { _ = said(pause(), e.near.Close()) }()
			return said(read(e.near, 9))
		},
		"nobody listens any more": func(e ends) string {
			addr := e.listener.Addr().String()
			return said(e.listener.Close(), e.listener.Close(), cause(e.dial(context.Background(), "tcp", addr)), cause(e.listener.Accept()))
		},
		"not yet accepted": func(e ends) string {
			c, err := e.dial(context.Background(), "tcp", e.listener.Addr().String())
			return said(err, e.listener.Close(), pause(), read(c, 9))
		},
	}
}

// said joins what was seen: of an error only what a program can tell it by.
func said(seen ...any) string {
	words := make([]string, len(seen))
	for i, s := range seen {
		err, failed := s.(error)
		words[i] = fmt.Sprint(s)
		if failed {
			words[i] = named(err)
		}
	}
	return strings.Join(words, ", ")
}

func named(err error) string {
	for _, known := range []error{io.EOF, net.ErrClosed, os.ErrDeadlineExceeded, syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNREFUSED} {
		if errors.Is(err, known) {
			op, _ := errors.AsType[*net.OpError](err)
			return fmt.Sprintf("%v (%t)", known, op != nil && op.Timeout())
		}
	}
	return err.Error()
}

func cause[T any](_ T, err error) error { return err }

func pause() string {
	time.Sleep(arrives)
	return "then"
}

func write(c net.Conn, text string) any {
	if _, err := io.WriteString(c, text); err != nil {
		return err
	}
	return "written"
}

func read(c net.Conn, most int) any {
	p := make([]byte, most)
	n, err := c.Read(p)
	if err != nil {
		return err
	}
	return string(bytes.TrimRight(p[:n], "\x00"))
}

func TestConnectionsEndAsOverTCP(t *testing.T) {
	for name, behave := range behaviours() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			overTCP := meet(t, (&net.ListenConfig{}).Listen, (&net.Dialer{}).DialContext, behave)
			var inMemory string
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				defer n.close()
				inMemory = meet(t, n.Listen, n.DialContext, behave)
			})
			if overTCP != inMemory {
				t.Errorf("over TCP: %s\nin memory: %s", overTCP, inMemory)
			}
		})
	}
}

// meet connects two ends and tells what they see.
func meet(
	t *testing.T, listen func(ctx context.Context, network, addr string) (net.Listener, error),
	dial func(ctx context.Context, network, addr string) (net.Conn, error), behave func(ends) string,
) string {
	t.Helper()
	l, err := listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	near, err := dial(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	e := ends{near: near.(tcpLike), far: far.(tcpLike), dial: dial, listener: l}
	if near.LocalAddr().String() != far.RemoteAddr().String() || near.RemoteAddr().String() != far.LocalAddr().String() {
		t.Errorf("%v to %v, and %v to %v", near.LocalAddr(), near.RemoteAddr(), far.LocalAddr(), far.RemoteAddr())
	}
	seen := behave(e)
	_, _, _ = near.Close(), far.Close(), l.Close()
	return seen
}

// TestNoEndTakesTime lets one end write without end and the other read on: time goes on all the same, for a deadline to be reached.
func TestNoEndTakesTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := newPair(&net.TCPAddr{}, &net.TCPAddr{})
		near.ended, far.ended = func() {}, func() {}
		began := time.Now()
		var writer sync.WaitGroup
		writer.Go(func() {
			defer near.Close()
			for chunk := make([]byte, 32<<10); ; {
				if _, err := near.Write(chunk); err != nil {
					return
				}
			}
		})
		_ = far.SetReadDeadline(began.Add(time.Second))
		n, err := io.Copy(io.Discard, far)
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %v, want a deadline after 1s", err, time.Since(began))
		}
		if want := int64(time.Second / carrying * window); n < want-window || n > want+window {
			t.Errorf("%d bytes in a second, want about %d", n, want)
		}
		_ = far.Close()
		writer.Wait()
	})
}
