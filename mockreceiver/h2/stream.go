package h2

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// errEnded is returned by writes on a stream that we have ended.
var errEnded = errors.New("the stream has ended")

// Stream is one request and its answer. Its methods are for its handler's goroutine alone, but for Context and Gone.
type Stream struct {
	*Head
	c      *Conn
	ctx    context.Context //nolint:containedctx // ends when the peer is gone
	cancel context.CancelFunc

	// Guarded by c.mu.
	body     []byte // received and not read
	recvWin  int64
	bodyEnd  time.Time // the last byte of the body came; zero: not yet
	trailer  *Head     // the fields behind the body; nil: there were none, or not yet
	sendWin  int64
	sentEnd  bool // END_STREAM or RST_STREAM was sent
	answered bool // it was END_STREAM
	gone     time.Time
	err      error // why the peer's side ended early
	deadline *time.Timer
	late     bool // the deadline is over
}

func newStream(c *Conn, h *Head) *Stream {
	s := &Stream{Head: h, c: c, sendWin: c.peerWin, recvWin: streamWindow}
	s.ctx, s.cancel = context.WithCancel(c.ctx)
	if h.Bodiless {
		s.bodyEnd = h.Whole
	}
	return s
}

// Conn is the stream's connection.
func (s *Stream) Conn() *Conn { return s.c }

// Context ends when the peer resets the stream, when the connection ends, and when the server does.
func (s *Stream) Context() context.Context { return s.ctx }

// Gone is when the peer ended the stream, or the connection under it; zero: it did not.
func (s *Stream) Gone() time.Time {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	return s.gone
}

// BodyEnd is when the last frame of the body came; zero: it did not yet.
func (s *Stream) BodyEnd() time.Time {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	return s.bodyEnd
}

// peerEnded is called with c.mu held.
func (s *Stream) peerEnded(err error, at time.Time) {
	if s.gone.IsZero() {
		s.gone, s.err = at, err
		s.cancel()
	}
}

// received takes in a piece of the body. It returns false if the peer sent more than it may.
func (s *Stream) received(p []byte, end bool, at time.Time) bool {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if !s.bodyEnd.IsZero() || int64(len(p)) > s.recvWin {
		return false
	}
	s.recvWin -= int64(len(p))
	s.body = append(s.body, p...)
	if end {
		s.bodyEnd = at
	}
	c.changed.Broadcast()
	return true
}

// ended takes in the fields behind the body, which end it. What comes behind its end is none.
func (s *Stream) ended(trailer *Head) {
	c := s.c
	c.mu.Lock()
	if s.bodyEnd.IsZero() {
		s.trailer = trailer
	}
	c.mu.Unlock()
	s.received(nil, true, trailer.Whole)
}

// Trailer is the fields behind the body; nil: there were none, or they did not come yet.
func (s *Stream) Trailer() *Head {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	return s.trailer
}

// drop gives back what was received and never read. It is called with c.mu held.
func (s *Stream) drop() int64 {
	n := int64(len(s.body))
	s.body = nil
	return n
}

// ReadBy makes reads fail with os.ErrDeadlineExceeded from then on; zero: never.
func (s *Stream) ReadBy(d time.Duration) {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.deadline != nil {
		s.deadline.Stop()
		s.deadline = nil
	}
	s.late = false
	if d > 0 {
		s.deadline = time.AfterFunc(d, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			s.late = true
			c.changed.Broadcast()
		})
	}
}

// Read implements io.Reader for the request's body.
func (s *Stream) Read(p []byte) (int, error) {
	c := s.c
	c.mu.Lock()
	for len(s.body) == 0 && s.bodyEnd.IsZero() && s.gone.IsZero() && !s.late && c.ctx.Err() == nil {
		c.changed.Wait()
	}
	n := copy(p, s.body)
	s.body = s.body[n:]
	var err error
	switch {
	case n > 0:
	case !s.bodyEnd.IsZero():
		err = io.EOF
	case !s.gone.IsZero():
		err = s.err
	case s.late:
		err = os.ErrDeadlineExceeded
	default:
		err = context.Cause(c.ctx)
	}
	over := !s.bodyEnd.IsZero()
	c.mu.Unlock()
	if over {
		c.credit(nil, int64(n)) // nothing more comes on the stream itself
	} else {
		c.credit(s, int64(n))
	}
	return n, err
}

// Field lowers a field's name, as HTTP/2 wants it. What is sent through WriteFields is not changed by us.
func Field(name, value string) [2]string { return [2]string{strings.ToLower(name), value} }

// WriteFields sends a header block: an interim answer, an answer's head, or trailers. Nothing is checked or put right.
func (s *Stream) WriteFields(fields [][2]string, end bool) error {
	c := s.c
	c.mu.Lock()
	err := s.mayWrite()
	s.sentEnd, s.answered = s.sentEnd || end, s.answered || end
	c.mu.Unlock()
	if err != nil {
		return err
	}
	return c.frames(func() error {
		c.encB.Reset()
		for _, f := range fields {
			if err := c.enc.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]}); err != nil {
				return err
			}
		}
		return c.writeBlock(s.ID, c.encB.Bytes(), end)
	})
}

// writeBlock cuts a header block into frames.
func (c *Conn) writeBlock(id uint32, block []byte, end bool) error {
	first := block[:min(len(block), frameSize)]
	block = block[len(first):]
	err := c.fr.WriteHeaders(http2.HeadersFrameParam{
		StreamID: id, BlockFragment: first, EndStream: end, EndHeaders: len(block) == 0,
	})
	for len(block) > 0 && err == nil {
		part := block[:min(len(block), frameSize)]
		block = block[len(part):]
		err = c.fr.WriteContinuation(id, len(block) == 0, part)
	}
	return err
}

// mayWrite is called with c.mu held.
func (s *Stream) mayWrite() error {
	switch {
	case !s.gone.IsZero():
		return s.err
	case s.sentEnd:
		return errEnded
	case s.c.ctx.Err() != nil:
		return context.Cause(s.c.ctx)
	default:
		return nil
	}
}

// Write implements io.Writer for the answer's body. It waits for the peer's windows.
func (s *Stream) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		m, err := s.window(len(p))
		if err != nil {
			return n, err
		}
		if err := s.c.frames(func() error { return s.c.fr.WriteData(s.ID, false, p[:m]) }); err != nil {
			return n, err
		}
		n, p = n+m, p[m:]
	}
	return n, nil
}

// window waits until the peer takes data, and takes up to n bytes of its windows.
func (s *Stream) window(n int) (int, error) {
	c := s.c
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if err := s.mayWrite(); err != nil {
			return 0, err
		}
		if m := min(int64(n), s.sendWin, c.sendWin, frameSize); m > 0 {
			s.sendWin -= m
			c.sendWin -= m
			return int(m), nil
		}
		c.changed.Wait()
	}
}

// End ends the answer in order.
func (s *Stream) End() error {
	c := s.c
	c.mu.Lock()
	err := s.mayWrite()
	s.sentEnd, s.answered = true, true
	c.mu.Unlock()
	if err != nil {
		return err
	}
	return c.frames(func() error { return c.fr.WriteData(s.ID, true, nil) })
}

// Reset ends the stream with a code; it does nothing if the stream has ended.
func (s *Stream) Reset(code http2.ErrCode) error {
	c := s.c
	c.mu.Lock()
	over := s.sentEnd || !s.gone.IsZero()
	s.sentEnd = true
	c.mu.Unlock()
	if over {
		return nil
	}
	return c.frames(func() error { return c.fr.WriteRSTStream(s.ID, code) })
}

// Leave ends the stream without a frame: the peer was told by other means, such as GOAWAY.
func (s *Stream) Leave() {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.sentEnd = true
}

// finish ends what the handler left open: an answer that never came, and a body that nobody will read (RFC 9113, 8.1).
func (s *Stream) finish() {
	c := s.c
	c.mu.Lock()
	code, tell := http2.ErrCodeCancel, !s.sentEnd
	if s.sentEnd && s.bodyEnd.IsZero() && s.answered {
		code, tell = http2.ErrCodeNo, true
	}
	tell = tell && s.gone.IsZero()
	s.sentEnd = true
	if s.deadline != nil {
		s.deadline.Stop()
	}
	c.mu.Unlock()
	if tell {
		_ = c.frames(func() error { return c.fr.WriteRSTStream(s.ID, code) }) // who is gone needs no end
	}
	s.cancel()
}
