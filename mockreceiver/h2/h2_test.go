package h2_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/hookassay/hookassay/mockreceiver/h2"
)

// patience is how long a test waits for what must happen.
const patience = time.Minute

// peer is the other side of a connection that is being served over a pipe of TCP.
type peer struct {
	net.Conn
	t      *testing.T
	fr     *http2.Framer
	enc    *hpack.Encoder
	buf    bytes.Buffer
	ended  chan error // Serve has returned
	reason chan error
}

func serve(t *testing.T, cfg h2.Config) *peer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{Conn: c, t: t, fr: http2.NewFramer(c, c), ended: make(chan error, 1), reason: make(chan error, 1)}
	p.enc = hpack.NewEncoder(&p.buf)
	cfg.MaxHead = max(cfg.MaxHead, 1<<10)
	cfg.Ended = func(err error) { p.reason <- err }
	if cfg.Unserved == nil {
		cfg.Unserved = func(*h2.Head, string) {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		h2.Serve(ctx, s, cfg)
		p.ended <- nil
	}()
	t.Cleanup(func() {
		cancel()
		_ = c.Close()
		select {
		case <-p.ended:
		case <-time.After(patience):
			t.Error("Serve does not return")
		}
	})
	p.must(c.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(c, http2.ClientPreface)
	p.must(err)
	p.must(p.fr.WriteSettings())
	return p
}

func (p *peer) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// block encodes fields after those that every request has.
func (p *peer) block(more ...string) []byte {
	p.buf.Reset()
	fields := append([]string{":method", "POST", ":scheme", "https", ":path", "/"}, more...)
	for i := 0; i < len(fields); i += 2 {
		p.must(p.enc.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]}))
	}
	return p.buf.Bytes()
}

func (p *peer) open(id uint32, end bool, more ...string) {
	p.t.Helper()
	p.must(p.fr.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: p.block(more...), EndHeaders: true, EndStream: end}))
}

// goaway reads to the GOAWAY frame and returns its code.
func (p *peer) goaway() http2.ErrCode {
	p.t.Helper()
	for {
		f, err := p.fr.ReadFrame()
		if err != nil {
			p.t.Fatalf("no GOAWAY came: %v", err)
		}
		if g, ok := f.(*http2.GoAwayFrame); ok {
			return g.ErrCode
		}
	}
}

// reset reads to the RST_STREAM frame of a stream and returns its code.
func (p *peer) reset(id uint32) http2.ErrCode {
	p.t.Helper()
	for {
		f, err := p.fr.ReadFrame()
		if err != nil {
			p.t.Fatalf("no RST_STREAM came: %v", err)
		}
		if r, ok := f.(*http2.RSTStreamFrame); ok && r.StreamID == id {
			return r.ErrCode
		}
	}
}

// answers is a handler that reads the body and answers 204.
func answers(s *h2.Stream) {
	_, _ = io.Copy(io.Discard, s)
	_ = s.WriteFields([][2]string{{":status", "204"}}, true)
}

func TestPeersThatBreakTheRules(t *testing.T) {
	for name, tc := range map[string]struct {
		act  func(p *peer)
		want http2.ErrCode
	}{
		"headers without an end": {func(p *peer) {
			p.must(p.fr.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: p.block()}))
			for range 20 {
				if p.fr.WriteContinuation(1, false, bytes.Repeat([]byte{0x82}, 1<<10)) != nil { // :method: GET, again and again
					return
				}
			}
		}, http2.ErrCodeEnhanceYourCalm},
		"a frame within headers": {func(p *peer) {
			p.must(p.fr.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: p.block()}))
			p.must(p.fr.WritePing(false, [8]byte{}))
		}, http2.ErrCodeProtocol},
		"nonsense for headers": {func(p *peer) {
			p.must(p.fr.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, EndHeaders: true}))
		}, http2.ErrCodeCompression},
		"an even stream":          {func(p *peer) { p.open(2, true) }, http2.ErrCodeProtocol},
		"data before its headers": {func(p *peer) { p.must(p.fr.WriteData(1, true, []byte("x"))) }, http2.ErrCodeProtocol},
		"a push": {func(p *peer) {
			p.must(p.fr.WritePushPromise(http2.PushPromiseParam{StreamID: 1, PromiseID: 2, BlockFragment: p.block(), EndHeaders: true}))
		}, http2.ErrCodeProtocol},
		"a frame larger than we take": {func(p *peer) {
			_, err := p.Write([]byte{0xff, 0xff, 0xff, 0x63, 0, 0, 0, 0, 1}) // 16 MB of a kind that nobody knows
			p.must(err)
		}, http2.ErrCodeFrameSize},
		"a window beyond all bounds": {func(p *peer) {
			p.must(p.fr.WriteWindowUpdate(0, 1<<31-1))
		}, http2.ErrCodeFlowControl},
		"a setting twice": {func(p *peer) {
			p.must(p.fr.WriteSettings(http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1 << 14}, http2.Setting{ID: http2.SettingMaxFrameSize, Val: 1 << 15}))
		}, http2.ErrCodeProtocol},
	} {
		t.Run(name, func(t *testing.T) {
			p := serve(t, h2.Config{Serve: answers})
			tc.act(p)
			if got := p.goaway(); got != tc.want {
				t.Errorf("GOAWAY with %s, want %s", got, tc.want)
			}
			if err := <-p.reason; err == nil || errors.Is(err, io.EOF) {
				t.Errorf("ended for %v", err)
			}
		})
	}
}

// TestBodyNobodyReads is not taken in beyond its window, and a peer that goes on all the same loses the stream.
func TestBodyNobodyReads(t *testing.T) {
	held := make(chan struct{})
	p := serve(t, h2.Config{Serve: func(*h2.Stream) { <-held }})
	defer close(held)
	p.open(1, false)
	for range 17 { // 16 frames fill the window of 256 KiB
		p.must(p.fr.WriteData(1, false, make([]byte, 16<<10)))
	}
	if got := p.reset(1); got != http2.ErrCodeFlowControl {
		t.Errorf("reset with %s, want FLOW_CONTROL_ERROR", got)
	}
}

// TestManyLargeBodies go over one connection: what is read or dropped is given back to its window.
func TestManyLargeBodies(t *testing.T) {
	p := serve(t, h2.Config{Serve: func(s *h2.Stream) {
		if s.ID%4 == 1 {
			_, _ = io.Copy(io.Discard, s)
		}
		_ = s.WriteFields([][2]string{{":status", "204"}}, true)
	}})
	window := 65535
	data := func(id uint32, end bool, n int) {
		for window < n { // a peer that keeps the rules waits
			f, err := p.fr.ReadFrame()
			p.must(err)
			if w, ok := f.(*http2.WindowUpdateFrame); ok && w.StreamID == 0 {
				window += int(w.Increment)
			}
		}
		window -= n
		p.must(p.fr.WriteData(id, end, make([]byte, n)))
	}
	for i := range uint32(40) { // 10 MB, ten times the window of the connection
		id := 2*i + 1
		p.open(id, false)
		for range 15 {
			data(id, false, 16<<10)
		}
		data(id, true, 0)
	}
}

// TestStreamsResetAtOnce: handlers, not open streams, are counted, so that resets do not get a peer more of them.
func TestStreamsResetAtOnce(t *testing.T) {
	held := make(chan struct{})
	refused := make(chan string, 100)
	p := serve(t, h2.Config{
		MaxStreams: 2, Serve: func(*h2.Stream) { <-held },
		Unserved: func(_ *h2.Head, why string) { refused <- why },
	})
	defer close(held)
	for i := range uint32(10) {
		p.open(2*i+1, true)
		p.must(p.fr.WriteRSTStream(2*i+1, http2.ErrCodeCancel))
	}
	if got := p.reset(19); got != http2.ErrCodeRefusedStream {
		t.Errorf("the last is reset with %s", got)
	}
	if n := len(refused); n != 8 {
		t.Errorf("%d were refused, want 8", n)
	}
}

func TestHeadIsKeptAndBounded(t *testing.T) {
	heads := make(chan *h2.Head, 2)
	p := serve(t, h2.Config{MaxHead: 1 << 10, Serve: func(s *h2.Stream) { heads <- s.Head; answers(s) }})
	p.open(1, true, "X-Upper", "1", "x-a", "2", "x-a", "3")
	h := <-heads
	if got := h.Fields[3:]; len(got) != 3 || got[0] != [2]string{"X-Upper", "1"} || got[2] != [2]string{"x-a", "3"} || h.Truncated || !h.Bodiless {
		t.Errorf("%+v", h)
	}
	var many []string
	for range 30 {
		many = append(many, "x-long", strings.Repeat("x", 60))
	}
	p.open(3, true, many...)
	if h := <-heads; !h.Truncated || len(h.Fields) > 12 {
		t.Errorf("%d fields, truncated %v", len(h.Fields), h.Truncated)
	}
}

func TestIdleConnectionIsSaidGoodbye(t *testing.T) {
	p := serve(t, h2.Config{Idle: 20 * time.Millisecond, Serve: answers})
	p.open(1, true)
	if got := p.goaway(); got != http2.ErrCodeNo {
		t.Errorf("GOAWAY with %s", got)
	}
}

// TestPeerThatTakesNothing loses the connection, and the handler that waits for it goes on.
func TestPeerThatTakesNothing(t *testing.T) {
	wrote := make(chan error, 1)
	p := serve(t, h2.Config{Write: time.Second, Serve: func(s *h2.Stream) {
		err := s.WriteFields([][2]string{{":status", "200"}}, false)
		for err == nil {
			_, err = s.Write(make([]byte, 1<<20))
		}
		wrote <- err
	}})
	p.must(p.fr.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1<<31 - 1}))
	p.must(p.fr.WriteWindowUpdate(0, 1<<30))
	p.open(1, true)
	select {
	case <-wrote:
	case <-time.After(patience):
		t.Error("the write hangs")
	}
}

func TestSendReadsItsAnswer(t *testing.T) {
	got := make(chan string, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		h2.Serve(context.Background(), c, h2.Config{
			MaxHead: 1 << 10, Unserved: func(*h2.Head, string) {}, Ended: func(error) {},
			Serve: func(s *h2.Stream) {
				b, _ := io.ReadAll(s)
				got <- s.Get(":path") + " " + s.Get("x-a") + " " + string(b[:3])
				_ = s.WriteFields([][2]string{{":status", "200"}}, false)
				_, _ = s.Write(make([]byte, 200_000))
				_ = s.End()
			},
		})
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	err = h2.Send(c, [][2]string{{":method", "POST"}, {":scheme", "http"}, {":path", "/a"}, {"x-a", "1"}}, bytes.Repeat([]byte("b"), 1<<20), nil)
	if text := <-got; err != nil || text != "/a 1 bbb" {
		t.Errorf("got %q and %v", text, err)
	}
}
