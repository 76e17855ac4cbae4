package mockreceiver_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestEndsOfAConnection looks at each fault from the other end of the wire: the bytes, how the connection ends, and whether
// the evidence says the same. The bodies are larger than a socket's buffers, so that a close before they are read would be
// a reset.
func TestEndsOfAConnection(t *testing.T) {
	const reset = "reset"
	for plan, want := range map[string]struct {
		bytes, end string
		fault      string
		status     int
		body       string
		effects    int
	}{
		"close":                         {"", "", "close", 0, "", 0},
		"cut":                           {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", "", "cut", 200, "", 1},
		"cut(after=3, status=500)":      {"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 103\r\n\r\nxxx", "", "cut", 500, "xxx", 0},
		"cut(with=reset, status=429)":   {"HTTP/1.1 429 Too Many Requests\r\nContent-Length: 100\r\n\r\n", reset, "cut", 429, "", 0},
		"cut(after=3, with=reset)":      {"HTTP/1.1 200 OK\r\nContent-Length: 103\r\n\r\nxxx", reset, "cut", 200, "xxx", 1},
		"wrong-length(+10, status=500)": {"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 35\r\n\r\na body of another length\n", "", "wrong-length", 500, "a body of another length\n", 0},
		"wrong-length(-10)":             {"HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\na body of another length\n", "", "wrong-length", 200, "a body of another length\n", 1},
		"malformed(status-line)":        {"HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n", "", "malformed", 0, "", 1},
		"malformed(header)":             {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\na line without a colon\r\n\r\n", "", "malformed", 200, "", 1},
		"malformed(chunk, status=503)":  {"HTTP/1.1 503 Service Unavailable\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nxxx\r\nzz\r\nxxx\r\n0\r\n\r\n", "", "malformed", 503, "3\r\nxxx\r\nzz\r\nxxx\r\n0\r\n\r\n", 0},
	} {
		t.Run(plan, func(t *testing.T) {
			t.Parallel()
			r := start(t, mockreceiver.Config{})
			r.endpoint("e", plan)
			w := r.dial()
			w.send(request("/hooks/e", strings.Repeat("x", 8<<20)))
			got, err := w.rest()
			if want.end == reset != errors.Is(err, syscall.ECONNRESET) || err != nil && want.end != reset {
				t.Errorf("the connection ended with %v, want %q", err, want.end)
			}
			if string(got) != want.bytes {
				t.Errorf("got %q, want %q", got, want.bytes)
			}
			o := r.outcomes(1)[0]
			end := map[string]string{"": evidence.EndClosed, reset: evidence.EndReset}[want.end]
			if o.Fault != want.fault || o.Status != want.status || o.End != end || o.Closed == 0 || string(o.Body) != want.body {
				t.Errorf("outcome: %+v", o)
			}
			if (o.ReplyStart != 0) != (want.bytes != "") || o.ReplyEnd < o.ReplyStart || o.Closed < o.ReplyEnd {
				t.Errorf("times: reply %s to %s, closed %s", o.ReplyStart, o.ReplyEnd, o.Closed)
			}
			r.effects(want.effects)
			if n := len(of[*evidence.Effect](r.sofar())); n != want.effects {
				t.Errorf("%d effects, want %d", n, want.effects)
			}
		})
	}
}

// TestGoClientSeesBrokenAnswers says what a sender on Go's client makes of them.
func TestGoClientSeesBrokenAnswers(t *testing.T) {
	for plan, want := range map[string]string{
		"close":                  "EOF",
		"cut":                    "unexpected EOF",
		"cut(after=3)":           "unexpected EOF",
		"wrong-length(+10)":      "unexpected EOF",
		"wrong-length(-10)":      "",
		"malformed(status-line)": "malformed HTTP status code",
		"malformed(header)":      "malformed MIME header",
		"malformed(chunk)":       "invalid byte in chunk length",
	} {
		r := start(t, mockreceiver.Config{})
		_, _, err := try(client(t), r.endpoint("e", plan), "x")
		if err == nil != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", plan, err, want)
		}
	}
}

// TestLargeCutBodyIsKeptInPart has an answer that is longer than what is kept of it.
func TestLargeCutBodyIsKeptInPart(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, r.endpoint("e", "cut(after=1000000)"), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	if n != 1_000_000 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %d bytes and %v", n, err)
	}
	if o := r.outcomes(1)[0]; len(o.Body) != 64<<10 || o.BodySize != 1_000_000 {
		t.Errorf("%d bytes kept of %d", len(o.Body), o.BodySize)
	}
}
