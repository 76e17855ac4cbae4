package h2

import (
	"fmt"
	"math"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// Head is a request's fields as they came: pseudo-header fields among them, order and case kept.
type Head struct {
	ID     uint32
	Fields [][2]string
	// First is when the first byte of the frame came, Whole when the last did.
	First, Whole time.Time
	// Truncated tells that fields beyond Config.MaxHead were dropped.
	Truncated bool
	// Bodiless tells that no body follows.
	Bodiless bool
}

// Get is the first value of a field; the name is in lower case, as HTTP/2 wants it.
func (h *Head) Get(name string) string {
	for _, f := range h.Fields {
		if f[0] == name {
			return f[1]
		}
	}
	return ""
}

// take acts on one frame. An error ends the connection.
func (c *Conn) take(f http2.Frame, at time.Time) error {
	switch f := f.(type) {
	case *http2.HeadersFrame:
		return c.takeHeaders(f, at)
	case *http2.DataFrame:
		return c.takeData(f, at)
	case *http2.SettingsFrame:
		return c.takeSettings(f)
	case *http2.WindowUpdateFrame:
		return c.takeWindow(f)
	case *http2.RSTStreamFrame:
		c.takeReset(f)
	case *http2.PingFrame:
		if f.IsAck() {
			return nil
		}
		data := f.Data
		return c.frames(func() error { return c.fr.WritePing(true, data) })
	case *http2.PushPromiseFrame:
		return http2.ConnectionError(http2.ErrCodeProtocol) // only servers push (RFC 9113, 8.4)
	}
	return nil // what is not known is ignored (RFC 9113, 5.5); a peer's GOAWAY changes nothing for what it has sent
}

// readFields decodes a header block that may go on in CONTINUATION frames.
func (c *Conn) readFields(f *http2.HeadersFrame, h *Head) error {
	left, coded := c.cfg.MaxHead, 0
	c.dec.SetEmitEnabled(true)
	c.dec.SetEmitFunc(func(hf hpack.HeaderField) {
		if left -= int(hf.Size()); left < 0 {
			h.Truncated = true
			c.dec.SetEmitEnabled(false) // the table must still be kept up
			return
		}
		h.Fields = append(h.Fields, [2]string{hf.Name, hf.Value})
	})
	block, ended := f.HeaderBlockFragment(), f.HeadersEnded()
	for {
		// Compressed bytes that are more than twice what the fields may have are an attack on our time.
		if coded += len(block); coded > 2*c.cfg.MaxHead {
			return http2.ConnectionError(http2.ErrCodeEnhanceYourCalm)
		}
		if _, err := c.dec.Write(block); err != nil {
			return http2.ConnectionError(http2.ErrCodeCompression)
		}
		if ended {
			break
		}
		next, err := c.fr.ReadFrame()
		if err != nil {
			return err
		}
		cf, ok := next.(*http2.ContinuationFrame) // the framer refuses others here
		if !ok {
			return http2.ConnectionError(http2.ErrCodeProtocol)
		}
		block, ended = cf.HeaderBlockFragment(), cf.HeadersEnded()
	}
	if err := c.dec.Close(); err != nil {
		return http2.ConnectionError(http2.ErrCodeCompression)
	}
	return nil
}

func (c *Conn) takeHeaders(f *http2.HeadersFrame, at time.Time) error {
	h := &Head{ID: f.StreamID, First: at, Bodiless: f.StreamEnded()} // the frame's memory is used again
	if err := c.readFields(f, h); err != nil {
		return err
	}
	h.Whole = c.in.at
	c.mu.Lock()
	s, last := c.streams[h.ID], c.lastID
	c.mu.Unlock()
	switch {
	case s != nil: // trailers
		s.ended(h)
		return nil
	case h.ID%2 == 0:
		return http2.ConnectionError(http2.ErrCodeProtocol)
	case h.ID <= last:
		return nil // of a stream that has ended here while they were on their way
	}
	return c.open(h)
}

// open begins a stream, or says why not.
func (c *Conn) open(h *Head) error {
	c.mu.Lock()
	c.lastID = h.ID
	if why, code := c.refusal(h); why != "" {
		c.mu.Unlock()
		return c.unserved(h, why, code)
	}
	s := newStream(c, h)
	c.streams[h.ID] = s
	c.serving++
	c.readBy(0) // what is served may take its time
	c.mu.Unlock()
	c.handlers.Go(func() {
		defer c.done(s)
		c.cfg.Serve(s)
	})
	return nil
}

// refusal says why a stream is not served, and with which code it is reset: with none after GOAWAY, when such streams are
// ignored (RFC 9113, 6.8). why is empty if it is served. c.mu is held.
func (c *Conn) refusal(h *Head) (why string, code http2.ErrCode) {
	switch {
	case c.goaway && h.ID > c.goneUpTo:
		return "the stream was opened after GOAWAY", http2.ErrCodeNo
	case c.cfg.MaxStreams > 0 && c.serving >= c.cfg.MaxStreams:
		return "the stream was beyond those allowed at once", http2.ErrCodeRefusedStream
	case h.Get(":method") == "" || h.Get(":path") == "":
		return "the request has no method or no path", http2.ErrCodeProtocol
	default:
		return "", http2.ErrCodeNo
	}
}

func (c *Conn) unserved(h *Head, why string, code http2.ErrCode) error {
	var err error
	if code != http2.ErrCodeNo {
		err = c.frames(func() error { return c.fr.WriteRSTStream(h.ID, code) })
	}
	c.cfg.Unserved(h, why)
	return err
}

// done forgets a stream whose handler has returned.
func (c *Conn) done(s *Stream) {
	s.finish()
	c.mu.Lock()
	delete(c.streams, s.ID)
	c.serving--
	credit, bye := s.drop(), c.serving == 0 && c.goaway
	if c.serving == 0 {
		c.readBy(c.cfg.Idle)
	}
	c.mu.Unlock()
	c.credit(nil, credit)
	if bye {
		c.sayGoodbye()
	}
}

// sayGoodbye ends a connection of which the peer knows that it ends.
func (c *Conn) sayGoodbye() {
	if half, ok := c.nc.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // else the deadline ends it
	}
	c.readBy(farewell)
}

func (c *Conn) takeData(f *http2.DataFrame, at time.Time) error {
	n := int64(f.Length)
	c.mu.Lock()
	c.recvWin -= n
	over := c.recvWin < 0
	s := c.streams[f.StreamID]
	idle := f.StreamID > c.lastID
	c.mu.Unlock()
	if over {
		return http2.ConnectionError(http2.ErrCodeFlowControl)
	}
	if idle {
		return http2.ConnectionError(http2.ErrCodeProtocol)
	}
	padding := n - int64(len(f.Data()))
	if s == nil {
		c.credit(nil, n)
		return nil
	}
	if !s.received(f.Data(), f.StreamEnded(), at) {
		c.credit(nil, n)
		return c.resetBadly(f.StreamID, http2.ErrCodeFlowControl)
	}
	c.credit(s, padding)
	return nil
}

// credit lets the peer send n more bytes, on the stream too if there is one.
func (c *Conn) credit(s *Stream, n int64) {
	if n <= 0 {
		return
	}
	c.mu.Lock()
	c.recvWin += n
	if s != nil {
		s.recvWin += n
	}
	c.mu.Unlock()
	_ = c.frames(func() error { // who is gone needs no more
		if s != nil {
			if err := c.fr.WriteWindowUpdate(s.ID, uint32(n)); err != nil {
				return err
			}
		}
		return c.fr.WriteWindowUpdate(0, uint32(n))
	})
}

func (c *Conn) takeSettings(f *http2.SettingsFrame) error {
	if f.IsAck() {
		return nil
	}
	if f.HasDuplicates() {
		return http2.ConnectionError(http2.ErrCodeProtocol)
	}
	table := int64(-1)
	err := f.ForeachSetting(func(s http2.Setting) error {
		if err := s.Valid(); err != nil {
			return err
		}
		switch s.ID {
		case http2.SettingInitialWindowSize:
			return c.initialWindow(int64(s.Val))
		case http2.SettingHeaderTableSize:
			table = int64(min(s.Val, 4096))
		default: // the others bound what we never send
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.frames(func() error {
		if table >= 0 {
			c.enc.SetMaxDynamicTableSize(uint32(table))
		}
		return c.fr.WriteSettingsAck()
	})
}

func (c *Conn) initialWindow(size int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.streams {
		s.sendWin += size - c.peerWin
		if s.sendWin > math.MaxInt32 {
			return http2.ConnectionError(http2.ErrCodeFlowControl)
		}
	}
	c.peerWin = size
	c.changed.Broadcast()
	return nil
}

func (c *Conn) takeWindow(f *http2.WindowUpdateFrame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.changed.Broadcast()
	if f.StreamID == 0 {
		if c.sendWin += int64(f.Increment); c.sendWin > math.MaxInt32 {
			return http2.ConnectionError(http2.ErrCodeFlowControl)
		}
		return nil
	}
	if s := c.streams[f.StreamID]; s != nil {
		s.sendWin = min(s.sendWin+int64(f.Increment), math.MaxInt32)
	}
	return nil
}

func (c *Conn) takeReset(f *http2.RSTStreamFrame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.streams[f.StreamID]; s != nil {
		s.peerEnded(fmt.Errorf("the peer reset the stream: %s", f.ErrCode), c.in.at)
		c.changed.Broadcast()
	}
}

// resetBadly resets a stream on which the peer broke a rule.
func (c *Conn) resetBadly(id uint32, code http2.ErrCode) error {
	c.mu.Lock()
	if s := c.streams[id]; s != nil {
		s.peerEnded(fmt.Errorf("the peer broke a rule of HTTP/2: %s", code), c.in.at)
		s.sentEnd = true
		c.changed.Broadcast()
	}
	c.mu.Unlock()
	return c.frames(func() error { return c.fr.WriteRSTStream(id, code) })
}
