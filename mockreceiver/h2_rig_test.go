package mockreceiver_test

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/hookassay/hookassay/mockreceiver"
)

// secure is a receiver whose first listener speaks TLS and HTTP/2.
func secure(t testing.TB) *rig {
	t.Helper()
	return start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: true})
}

// trusting is a client that trusts the receiver's certificates and keeps connections.
func (r *rig) trusting(http2too bool) *http.Client {
	var p http.Protocols
	p.SetHTTP1(true)
	p.SetHTTP2(http2too)
	tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: r.CertPool()}, Protocols: &p}
	r.t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: patience}
}

// tlsDial begins TLS with the listener at base.
func (r *rig) tlsDial(base string, cfg *tls.Config) (*tls.Conn, error) {
	r.t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		r.t.Fatal(err)
	}
	c := r.tcp(u.Host)
	if cfg.RootCAs == nil {
		cfg.RootCAs = r.CertPool()
	}
	cfg.ServerName = u.Hostname()
	t := tls.Client(c, cfg)
	return t, t.Handshake()
}

// peer2 is a client that speaks HTTP/2 in frames.
type peer2 struct {
	t    testing.TB
	conn *tls.Conn
	fr   *http2.Framer
	enc  *hpack.Encoder
	buf  bytes.Buffer
	// settings are what the receiver said at the start.
	settings *http2.SettingsFrame
}

func (r *rig) peer2() *peer2 { return r.peer2At(r.DataURL()) }

func (r *rig) peer2At(base string) *peer2 {
	r.t.Helper()
	c, err := r.tlsDial(base, &tls.Config{NextProtos: []string{"h2"}})
	if err != nil {
		r.t.Fatal(err)
	}
	p := &peer2{t: r.t, conn: c, fr: http2.NewFramer(c, c)}
	p.enc = hpack.NewEncoder(&p.buf)
	p.fr.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if _, err := io.WriteString(c, http2.ClientPreface); err != nil {
		r.t.Fatal(err)
	}
	p.must(p.fr.WriteSettings())
	f := p.frame()
	s, ok := f.(*http2.SettingsFrame)
	if !ok {
		r.t.Fatalf("the first frame is %v, want SETTINGS", f)
	}
	p.settings = s
	p.must(p.fr.WriteSettingsAck())
	return p
}

func (p *peer2) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// headers opens a stream.
func (p *peer2) headers(id uint32, end bool, path string, more ...string) {
	p.t.Helper()
	p.buf.Reset()
	fields := append([]string{":method", "POST", ":scheme", "https", ":authority", "localhost", ":path", path}, more...)
	for i := 0; i < len(fields); i += 2 {
		p.must(p.enc.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]}))
	}
	p.must(p.fr.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: p.buf.Bytes(), EndHeaders: true, EndStream: end}))
}

// post sends a whole request.
func (p *peer2) post(id uint32, path, body string, more ...string) {
	p.t.Helper()
	p.headers(id, false, path, more...)
	p.must(p.fr.WriteData(id, true, []byte(body)))
}

// frame reads the next frame that is not about the connection's upkeep.
func (p *peer2) frame() http2.Frame {
	p.t.Helper()
	for {
		f, err := p.fr.ReadFrame()
		if err != nil {
			p.t.Fatalf("read a frame: %v", err)
		}
		switch f := f.(type) {
		case *http2.WindowUpdateFrame:
			continue
		case *http2.SettingsFrame:
			if f.IsAck() {
				continue
			}
		}
		return f
	}
}

// frames reads n frames and describes them, as "1 HEADERS 200; 1 DATA 3 end".
func (p *peer2) frames(n int) string {
	p.t.Helper()
	var list []string
	for range n {
		list = append(list, frameText(p.frame()))
	}
	return strings.Join(list, "; ")
}

// silent wants no frame for a short look.
func (p *peer2) silent() {
	p.t.Helper()
	p.must(p.conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond)))
	if f, err := p.fr.ReadFrame(); err == nil {
		p.t.Errorf("got %s, want silence", frameText(f))
	}
}

func frameText(f http2.Frame) string {
	head := fmt.Sprintf("%d %s", f.Header().StreamID, f.Header().Type)
	end := ""
	if f.Header().Flags.Has(http2.FlagDataEndStream) {
		end = " end"
	}
	switch f := f.(type) {
	case *http2.MetaHeadersFrame:
		return head + " " + f.PseudoValue("status") + end
	case *http2.DataFrame:
		return head + fmt.Sprintf(" %d", len(f.Data())) + end
	case *http2.RSTStreamFrame:
		return head + " " + f.ErrCode.String()
	case *http2.GoAwayFrame:
		return head + fmt.Sprintf(" %d %s", f.LastStreamID, f.ErrCode)
	}
	return head
}

func clientTLS(protos ...string) *tls.Config { return &tls.Config{NextProtos: protos} }

// over wants the connection to end.
func (p *peer2) over() {
	p.t.Helper()
	for {
		_, err := p.fr.ReadFrame()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			p.t.Fatalf("the connection ended with %v, want its orderly end", err)
		}
	}
}
