package h2

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// Send is the client's side of one request on a new connection: it sends fields (pseudo-header fields first) in their order,
// and body, and returns when the answer has ended. It neither opens nor closes the connection.
func Send(conn io.ReadWriter, fields [][2]string, body []byte) error {
	var block bytes.Buffer
	enc := hpack.NewEncoder(&block)
	for _, f := range fields {
		if err := enc.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]}); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		return err
	}
	c := &Conn{fr: http2.NewFramer(conn, conn)}
	// The answer's size is the plan's; no window of ours is to slow it down.
	err := errors.Join(
		c.fr.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: math.MaxInt32}),
		c.fr.WriteWindowUpdate(0, math.MaxInt32-specWindow),
		c.writeBlock(1, block.Bytes(), len(body) == 0),
	)
	if err != nil {
		return err
	}
	s := sending{fr: c.fr, body: body, all: specWindow, own: specWindow, initial: specWindow}
	for !s.answered {
		if err := s.send(); err != nil {
			return err
		}
		f, err := c.fr.ReadFrame()
		if err != nil {
			return err
		}
		if err := s.take(f); err != nil {
			return err
		}
	}
	return nil
}

// sending is a body on its way, with what the server's windows leave.
type sending struct {
	fr                *http2.Framer
	body              []byte
	all, own, initial int64
	answered          bool
}

// send sends what the windows take.
func (s *sending) send() error {
	for len(s.body) > 0 {
		n := min(int64(len(s.body)), s.all, s.own, frameSize)
		if n <= 0 {
			return nil
		}
		part := s.body[:n]
		s.body, s.all, s.own = s.body[n:], s.all-n, s.own-n
		if err := s.fr.WriteData(1, len(s.body) == 0, part); err != nil {
			return err
		}
	}
	return nil
}

func (s *sending) take(f http2.Frame) error {
	switch f := f.(type) {
	case *http2.SettingsFrame:
		if f.IsAck() {
			return nil
		}
		if v, ok := f.Value(http2.SettingInitialWindowSize); ok {
			s.own += int64(v) - s.initial
			s.initial = int64(v)
		}
		return s.fr.WriteSettingsAck()
	case *http2.WindowUpdateFrame:
		if f.StreamID == 0 {
			s.all += int64(f.Increment)
		} else {
			s.own += int64(f.Increment)
		}
	case *http2.PingFrame:
		if !f.IsAck() {
			return s.fr.WritePing(true, f.Data)
		}
	case *http2.HeadersFrame:
		s.answered = f.StreamEnded()
	case *http2.DataFrame:
		s.answered = f.StreamEnded()
	case *http2.RSTStreamFrame:
		return fmt.Errorf("the stream was reset: %s", f.ErrCode)
	case *http2.GoAwayFrame:
		if f.LastStreamID == 0 {
			return fmt.Errorf("the request was turned down: GOAWAY with %s", f.ErrCode)
		}
	}
	return nil
}
