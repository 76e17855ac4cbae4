// Package h2 is the server's side of HTTP/2 (RFC 9113) for a receiver that must misbehave: it shows each request's fields as
// they came, in order and case, and lets its caller end a stream or a connection in any way that frames can express. What
// net/http's server would decide by itself (when to say GOAWAY, which code a stream is reset with) is the caller's here.
//
// Frames and header compression are those of golang.org/x/net/http2; streams, flow control and limits are this package's.
package h2

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	// streamWindow is how much of a body a peer may send before we have read any of it: four times a usual payload's 64 KiB.
	streamWindow = 256 << 10
	// connWindow bounds what all streams of a connection hold unread.
	connWindow = 1 << 20
	// specWindow is what a connection begins with (RFC 9113, 6.9.2).
	specWindow = 65535
	// frameSize is the largest frame that is sent or taken: the least that every peer takes, and the most that it may send
	// to one that has not said otherwise (RFC 9113, 4.2).
	frameSize = 16 << 10
	// farewell is how long a peer may take to close after our last frame. Closed at once, what it is still sending would turn
	// the end into a reset, which can take our last frames with it.
	farewell = 500 * time.Millisecond
)

// Config are the settings of a connection. The functions must be set; limits of 0 are none, except MaxHead.
type Config struct {
	// MaxHead bounds the decoded fields of a request; more are dropped, and Stream.Truncated says so.
	MaxHead int
	// MaxStreams is how many streams may be served at once; the peer is told. One beyond is refused with REFUSED_STREAM.
	MaxStreams int
	// First bounds the time until the first request is there, Idle that without any stream. Write bounds how long a peer
	// may take none of our bytes.
	First, Idle, Write time.Duration
	// Serve handles a stream, in a goroutine of its own. A stream that it leaves open is reset with CANCEL.
	Serve func(*Stream)
	// Unserved is called, in the reading goroutine, with each request that is not served: why says so in one sentence.
	Unserved func(h *Head, why string)
	// Ended is called with the reason before the connection is closed.
	Ended func(err error)
}

// Conn is a connection that is being served.
type Conn struct {
	nc  net.Conn
	cfg Config
	ctx context.Context //nolint:containedctx // the life of the server, which every deadline must yield to

	in  *timedReader
	fr  *http2.Framer // reads in the one reading goroutine, writes under wmu
	dec *hpack.Decoder

	wmu  sync.Mutex
	out  *bufio.Writer
	enc  *hpack.Encoder
	encB bytes.Buffer

	mu       sync.Mutex
	changed  *sync.Cond // a window grew, or a stream or the connection ended
	streams  map[uint32]*Stream
	serving  int    // handlers that have not returned
	lastID   uint32 // highest stream that the peer has opened
	sendWin  int64
	peerWin  int64 // initial window of streams towards the peer
	recvWin  int64 // how much the peer may still send
	goaway   bool
	goneUpTo uint32 // with goaway: streams beyond it are not served
	handlers sync.WaitGroup
}

// Serve serves a connection on which the peer's preface is the next thing to come. It returns when the connection is closed
// and every handler has returned. The end of ctx ends it, once something makes pending reads and writes return.
func Serve(ctx context.Context, nc net.Conn, cfg Config) {
	in := &timedReader{Reader: nc}
	c := &Conn{
		nc: nc, cfg: cfg, ctx: ctx, in: in, out: bufio.NewWriterSize(nc, frameSize),
		streams: map[uint32]*Stream{}, sendWin: specWindow, peerWin: specWindow, recvWin: connWindow,
	}
	in.buf = bufio.NewReaderSize(in, frameSize)
	c.changed = sync.NewCond(&c.mu)
	c.fr = http2.NewFramer(c.out, in.buf)
	c.fr.SetReuseFrames()
	c.fr.SetMaxReadFrameSize(frameSize) // else a frame of 16 MB is held whole before its kind is looked at
	c.dec = hpack.NewDecoder(4096, nil) // the table's size that peers may assume (RFC 9113, 6.5.2)
	c.dec.SetMaxStringLength(max(cfg.MaxHead, 1))
	c.enc = hpack.NewEncoder(&c.encB)
	stop := context.AfterFunc(ctx, c.wake) // writers that wait for a window
	defer stop()
	c.end(c.serve())
	c.handlers.Wait()
}

func (c *Conn) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changed.Broadcast()
}

// serve reads frames until the connection ends, and says why it did.
func (c *Conn) serve() error {
	c.readBy(c.cfg.First)
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(c.in.buf, preface); err != nil {
		return err
	}
	if string(preface) != http2.ClientPreface {
		return errors.New("the peer does not speak HTTP/2")
	}
	settings := []http2.Setting{
		{ID: http2.SettingInitialWindowSize, Val: streamWindow},
		{ID: http2.SettingMaxHeaderListSize, Val: uint32(c.cfg.MaxHead)},
	}
	if c.cfg.MaxStreams > 0 {
		settings = append(settings, http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: uint32(c.cfg.MaxStreams)})
	}
	err := c.frames(func() error {
		return errors.Join(c.fr.WriteSettings(settings...), c.fr.WriteWindowUpdate(0, connWindow-specWindow))
	})
	for err == nil {
		err = c.next()
	}
	return err
}

// next takes one frame in.
func (c *Conn) next() error {
	at, err := c.in.first()
	if err != nil {
		return err
	}
	f, err := c.fr.ReadFrame()
	if err != nil {
		if se, ok := errors.AsType[http2.StreamError](err); ok {
			return c.resetBadly(se.StreamID, se.Code)
		}
		if errors.Is(err, http2.ErrFrameTooLarge) {
			return http2.ConnectionError(http2.ErrCodeFrameSize)
		}
		return err
	}
	return c.take(f, at)
}

// end closes the connection and lets everybody who waits know. A peer that broke the rules is told which.
func (c *Conn) end(err error) {
	code := http2.ErrCodeNo
	if ce, ok := errors.AsType[http2.ConnectionError](err); ok {
		code = http2.ErrCode(ce)
	}
	c.mu.Lock()
	last, said := c.lastID, c.goaway
	c.mu.Unlock()
	if peerEnded := errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed); !peerEnded && (!said || code != http2.ErrCodeNo) {
		_ = c.frames(func() error { return c.fr.WriteGoAway(last, code, nil) }) // it may be gone
	}
	c.mu.Lock()
	if c.ctx.Err() == nil { // else it is we who go
		for _, s := range c.streams {
			s.peerEnded(fmt.Errorf("the connection ended: %w", err), time.Now())
		}
	}
	c.changed.Broadcast()
	c.mu.Unlock()
	c.cfg.Ended(err)
	_ = c.nc.Close() // there is nobody left to tell
}

// frames writes frames in one piece. A peer that takes nothing for too long loses the connection.
func (c *Conn) frames(write func() error) error {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	if c.cfg.Write > 0 {
		_ = c.nc.SetWriteDeadline(c.yielding(c.cfg.Write)) // a dead connection shows itself in the write
	}
	err := write()
	if err == nil {
		err = c.out.Flush()
	}
	if err != nil {
		_ = c.nc.SetReadDeadline(time.Unix(1, 0)) // any time in the past: the reading goroutine ends the connection
	}
	return err
}

func (c *Conn) readBy(d time.Duration) {
	var at time.Time
	if d > 0 {
		at = c.yielding(d)
	}
	_ = c.nc.SetReadDeadline(at) // a dead connection shows itself in the read
	if c.ctx.Err() != nil {
		_ = c.nc.SetReadDeadline(time.Unix(1, 0))
	}
}

// yielding is a deadline that lies in the past once the server closes.
func (c *Conn) yielding(d time.Duration) time.Time {
	if c.ctx.Err() != nil {
		return time.Unix(1, 0)
	}
	return time.Now().Add(d)
}

// Goaway tells the peer that the streams from without on, or those opened after now if it is nil, are not served, so that it
// may send them again elsewhere. The connection is closed when the others are done.
func (c *Conn) Goaway(without *Stream, code http2.ErrCode) error {
	c.mu.Lock()
	last := c.lastID
	if without != nil {
		last = max(without.ID, 2) - 2 // a peer's streams have odd numbers; 0 stands for none
	}
	c.goaway, c.goneUpTo = true, last
	c.mu.Unlock()
	return c.frames(func() error { return c.fr.WriteGoAway(last, code, nil) })
}

// timedReader knows when the bytes of a frame came.
type timedReader struct {
	io.Reader
	buf *bufio.Reader // reads through us
	at  time.Time     // of the last read
}

func (t *timedReader) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	t.at = time.Now()
	return n, err
}

// first waits for the next frame's first byte and tells when it came.
func (t *timedReader) first() (time.Time, error) {
	_, err := t.buf.Peek(1)
	return t.at, err
}
