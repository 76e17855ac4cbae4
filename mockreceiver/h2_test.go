package mockreceiver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestTLS covers both versions of HTTP with Go's client, and what the evidence says of the connection.
func TestTLS(t *testing.T) {
	for name, tc := range map[string]struct {
		offered, wanted bool
		proto, alpn     string
	}{
		"HTTP/2":                {true, true, "HTTP/2.0", "h2"},
		"a client without":      {true, false, "HTTP/1.1", ""},
		"a listener without":    {false, true, "HTTP/1.1", "http/1.1"},
		"neither client nor we": {false, false, "HTTP/1.1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: tc.offered})
			url := strings.Replace(r.endpoint("e", `503(body="no"), 200`), "127.0.0.1", "localhost", 1)
			c := r.trusting(tc.wanted)
			for i, want := range []int{503, 200} {
				body := `{"id":"1","x":"` + strings.Repeat("ä", 100_000*i) + `"}`
				if status, _ := post(t, c, url, body); status != want {
					t.Errorf("got %d, want %d", status, want)
				}
				a := r.arrivals(i + 1)[i]
				if string(a.Body) != body || a.BodyEnd < a.FirstByte || a.Conn.Request != i+1 || a.Conn.Proto != tc.proto {
					t.Errorf("arrival: %d bytes, %+v", len(a.Body), a.Conn)
				}
				if f := a.Conn.TLS; f == nil || f.Version != "TLS 1.3" || f.ALPN != tc.alpn || f.SNI != "localhost" || f.Cipher == "" {
					t.Errorf("TLS: %+v", f)
				}
				o := r.outcomes(i + 1)[i]
				if o.Status != want || o.End != evidence.EndComplete || o.ReplyEnd < o.ReplyStart || o.ReplyStart == 0 {
					t.Errorf("outcome: %+v", o)
				}
			}
		})
	}
}

func TestHTTP2HeadIsKeptAsItCame(t *testing.T) {
	r := secure(t)
	r.endpoint("e", "200")
	p := r.peer2()
	p.post(1, "/hooks/e", `{"id":"1"}`, "x-b", "1", "x-a", "2", "x-b", "3\r\nforged: 1")
	if got, want := p.frames(1), "1 HEADERS 200 end"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	a := r.arrivals(1)[0]
	want := "POST /hooks/e HTTP/2.0\r\n:method: POST\r\n:scheme: https\r\n:authority: localhost\r\n:path: /hooks/e\r\n" +
		"x-b: 1\r\nx-a: 2\r\nx-b: 3\\r\\nforged: 1\r\n\r\n"
	if d := cmp.Diff(want, string(a.Head)); d != "" {
		t.Error(d)
	}
	h, err := evidence.ParseHead(a.Head)
	if err != nil || h.Proto != "HTTP/2.0" || h.Get(":authority") != "localhost" || h.Get("X-A") != "2" {
		t.Errorf("parsed: %+v %v", h, err)
	}
	if a.Conn.Stream != 1 || a.Conn.Request != 1 || a.Attempt != 1 {
		t.Errorf("arrival: %+v", a)
	}
}

// TestStreamsDoNotDisturbEachOther: what a fault does to a stream, its siblings do not notice.
func TestStreamsDoNotDisturbEachOther(t *testing.T) {
	for plan, want := range map[string]string{
		"reset":                   "3 RST_STREAM INTERNAL_ERROR",
		"lost-ack":                "3 RST_STREAM INTERNAL_ERROR",
		"close":                   "3 RST_STREAM CANCEL",
		"timeout(1ms)":            "3 RST_STREAM CANCEL",
		"cut(after=3)":            "3 HEADERS 200; 3 DATA 3; 3 RST_STREAM CANCEL",
		"cut(with=reset)":         "3 HEADERS 200; 3 RST_STREAM INTERNAL_ERROR",
		"early-hints(status=204)": "3 HEADERS 103; 3 HEADERS 204 end",
		"large(20000)":            "3 HEADERS 200; 3 DATA 16384; 3 DATA 3616; 3 DATA 0 end",
		"drip(2, size=3)":         "3 HEADERS 200; 3 DATA 2; 3 DATA 1; 3 DATA 0 end",
		"malformed(status-line)":  "3 HEADERS 2x0; 3 DATA 0 end",
		"business-failure":        "3 HEADERS 500 end",
		"stall(after=3, for=1ms)": "3 HEADERS 200; 3 DATA 3; 3 DATA 100; 3 DATA 0 end",
		"slow-read(1, every=1ms)": "3 HEADERS 200 end",
		"cut-request(after=1)":    "3 RST_STREAM INTERNAL_ERROR",
		"cut-request":             "3 RST_STREAM INTERNAL_ERROR",
		"cut-request(with=close)": "3 RST_STREAM CANCEL",
		"interim(with=close)":     "3 HEADERS 102; 3 RST_STREAM CANCEL",
		"mix(reset=0, 404)":       "3 HEADERS 404 end",
		"malformed(chunk)":        "3 HEADERS 200; 3 DATA 22; 3 DATA 0 end",
		"wrong-length(+10)":       "3 HEADERS 200; 3 DATA 25; 3 DATA 0 end",
		"rst-stream":              "3 RST_STREAM REFUSED_STREAM",
		"rst-stream(cancel)":      "3 RST_STREAM CANCEL",
	} {
		t.Run(plan, func(t *testing.T) {
			t.Parallel()
			r := secure(t)
			r.endpoint("held", "timeout, 200")
			r.endpoint("e", plan)
			p := r.peer2()
			p.post(1, "/hooks/held", "a")
			r.arrivals(1)
			p.post(3, "/hooks/e", "b")
			if got := p.frames(strings.Count(want, ";") + 1); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			r.outcomes(1)
			p.post(5, "/hooks/held", "a")
			if got, want := p.frames(1), "5 HEADERS 200 end"; got != want {
				t.Errorf("the connection afterwards: got %s, want %s", got, want)
			}
			p.must(p.fr.WriteRSTStream(1, 8))
			for _, o := range r.outcomes(3) {
				if o.Of == 1 && (o.End != evidence.EndPeerGone || o.Closed == 0 || o.Fault != "timeout") {
					t.Errorf("the stream that the peer reset: %+v", o)
				}
			}
		})
	}
}

func TestHTTP2NeedsTLS(t *testing.T) {
	if _, err := mockreceiver.Listen(t.Context(), mockreceiver.Config{HTTP2: true}, "", ""); err == nil || !strings.Contains(err.Error(), "needs TLS") {
		t.Errorf("got %v", err)
	}
}

func TestOwnCertificate(t *testing.T) {
	_, err := mockreceiver.Listen(t.Context(), mockreceiver.Config{TLS: &mockreceiver.TLS{CertFile: "none.pem"}}, "", "")
	if err == nil || !strings.Contains(err.Error(), "none.pem") {
		t.Errorf("got %v", err)
	}
}

func TestCopiesTravelAsTheirOriginalDid(t *testing.T) {
	for name, http2too := range map[string]bool{"HTTP/1 over TLS": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			r := secure(t)
			url := r.endpoint("e", "200(copies=2)")
			post(t, r.trusting(http2too), url, strings.Repeat("x", 400_000))
			list := r.arrivals(3)
			r.outcomes(3)
			for _, a := range list {
				if len(a.Body) != 400_000 || a.Conn.Proto != list[0].Conn.Proto || a.Conn.TLS == nil {
					t.Errorf("%d bytes over %+v", len(a.Body), a.Conn)
				}
			}
			if list[1].Origin != evidence.OriginHarness || list[0].Origin != "" {
				t.Errorf("origins %q and %q", list[0].Origin, list[1].Origin)
			}
			if n := len(of[*evidence.Trouble](r.sofar())); n != 0 {
				t.Errorf("%d troubles", n)
			}
		})
	}
}

func TestExpectOverHTTP2(t *testing.T) {
	r := secure(t)
	r.endpoint("e", "200")
	r.endpoint("never", "continue(never)")
	r.endpoint("early", "early")
	p := r.peer2()
	p.headers(1, false, "/hooks/e", "expect", "100-continue")
	if got, want := p.frames(1), "1 HEADERS 100"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.must(p.fr.WriteData(1, true, []byte("x")))
	if got, want := p.frames(1), "1 HEADERS 200 end"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.headers(3, false, "/hooks/never", "expect", "100-continue")
	p.must(p.fr.WriteData(3, true, []byte("x")))
	if got, want := p.frames(1), "3 HEADERS 200 end"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	p.headers(5, false, "/hooks/early")
	if got, want := p.frames(2), "5 HEADERS 413 end; 5 RST_STREAM NO_ERROR"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestEndlessObeysTheWindow: a peer that opens no window gets no more than it allowed.
func TestEndlessObeysTheWindow(t *testing.T) {
	r := secure(t)
	r.endpoint("e", "endless")
	p := r.peer2()
	p.post(1, "/hooks/e", "x")
	if got, want := p.frames(1), "1 HEADERS 200"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	for n := 0; n < 65535; {
		n += int(p.frame().Header().Length)
	}
	p.silent()
	if err := p.conn.Close(); err != nil {
		t.Fatal(err)
	}
	if o := r.outcomes(1)[0]; o.End != evidence.EndPeerGone || o.BodySize+int64(len(o.Body)) < 65535 || o.Status != http.StatusOK {
		t.Errorf("outcome: %s %d, %d and %d bytes", o.End, o.Status, len(o.Body), o.BodySize)
	}
}

func TestCloseEndsStreams(t *testing.T) {
	r := secure(t)
	for name, plan := range map[string]string{"hang": "timeout", "hold": "502(delay=1h)", "endless": "endless"} {
		r.endpoint(name, plan)
	}
	p := r.peer2()
	p.post(1, "/hooks/hang", "x")
	p.post(3, "/hooks/hold", "x")
	p.post(5, "/hooks/endless", "x")
	p.headers(7, false, "/hooks/hang")
	r.arrivals(3)
	if _, err := r.tlsDial(r.DataURL(), clientTLS("h2")); err != nil { // sends nothing
		t.Fatal(err)
	}
	r.tcp(strings.TrimPrefix(r.DataURL(), "https://")) // not even a handshake
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	noGoroutines(t)
	for _, o := range r.outcomes(4) {
		if o.End != evidence.EndShutdown {
			t.Errorf("outcome of %d: %s %s", o.Of, o.Fault, o.End)
		}
	}
}

// TestGoSeesWhatIsMalformed: what Go's client says of answers that break the rules of HTTP/2.
func TestGoSeesWhatIsMalformed(t *testing.T) {
	for plan, want := range map[string]string{
		"malformed(status-line)": "malformed",
		"malformed(header)":      "PROTOCOL_ERROR",
		"wrong-length(+10)":      "unexpected EOF",
		"wrong-length(-10)":      "more than declared Content-Length",
		"reset":                  "INTERNAL_ERROR",
		"cut":                    "CANCEL",
	} {
		r := secure(t)
		url := r.endpoint("e", plan)
		if _, _, err := try(r.trusting(true), url, "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", plan, err, want)
		}
	}
}
