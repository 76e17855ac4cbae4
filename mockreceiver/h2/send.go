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
// and body and the fields behind it, if there are any, and returns when the answer has ended. It neither opens nor closes the connection.
func Send(conn io.ReadWriter, fields [][2]string, body []byte, trailer [][2]string) error {
	head, behind, err := blocks(fields, trailer)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(conn, http2.ClientPreface); err != nil {
		return err
	}
	c := &Conn{fr: http2.NewFramer(conn, conn)}
	// The answer's size is the plan's; no window of ours is to slow it down.
	err = errors.Join(
		c.fr.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: math.MaxInt32}),
		c.fr.WriteWindowUpdate(0, math.MaxInt32-specWindow),
		c.writeBlock(1, head, len(body) == 0 && len(behind) == 0),
	)
	if err != nil {
		return err
	}
	s := sending{fr: c.fr, c: c, body: body, behind: behind, all: specWindow, own: specWindow, initial: specWindow}
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

// blocks are the header blocks before and behind a body, in the order in which the peer's table learns from them.
func blocks(fields, trailer [][2]string) (head, behind []byte, err error) {
	var b bytes.Buffer
	enc := hpack.NewEncoder(&b)
	n := 0
	for i, list := range [][][2]string{fields, trailer} {
		for _, f := range list {
			if err := enc.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]}); err != nil {
				return nil, nil, err
			}
		}
		if i == 0 {
			n = b.Len()
		}
	}
	return b.Bytes()[:n], b.Bytes()[n:], nil
}

// sending is a body on its way, with what the server's windows leave.
type sending struct {
	fr                *http2.Framer
	c                 *Conn
	body              []byte
	behind            []byte // the header block of the trailer, until it is sent
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
		if err := s.fr.WriteData(1, len(s.body) == 0 && len(s.behind) == 0, part); err != nil {
			return err
		}
	}
	if len(s.behind) == 0 {
		return nil
	}
	block := s.behind
	s.behind = nil
	return s.c.writeBlock(1, block, true)
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
