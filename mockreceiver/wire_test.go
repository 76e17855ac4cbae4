package mockreceiver_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestRawHeads sends bytes in pieces over one connection and wants each head back exactly as it was sent.
func TestRawHeads(t *testing.T) {
	type sent struct{ head, tail, body string }
	plain := func(head, body string) sent { return sent{head, body, body} }
	for name, requests := range map[string][]sent{
		"odd case and order": {plain("POST /hooks/e HTTP/1.1\r\nhOsT: h\r\nZ-last:  1 \r\nx-webhook-ID:\ta\r\ncontent-LENGTH: 2\r\nA-first: 2\r\n\r\n", "{}")},
		"duplicates":         {plain("POST /hooks/e HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a: 2\r\nX-A: 1\r\nContent-Length: 1\r\n\r\n", "x")},
		"bare line ends":     {plain("POST /hooks/e HTTP/1.1\nHost: h\nContent-Length: 1\n\n", "x")},
		"no body":            {plain("GET /hooks/e?a=%20b HTTP/1.1\r\nHost: h\r\n\r\n", "")},
		"pipelined": {
			plain("POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nX-N: 1\r\n\r\n", "\r\n\r"),
			plain("POST /hooks/e HTTP/1.1\r\nHost: h\r\nX-N: 2\r\nContent-Length: 0\r\n\r\n", ""),
			plain("POST /hooks/e HTTP/1.1\r\nX-N: 3\r\nHost: h\r\nContent-Length: 5\r\n\r\n", "POST "),
		},
		"line ends between requests": {
			plain("POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n", "x"),
			{"\r\nPOST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n", "y", "y"},
		},
		"chunks with extensions and trailers": {
			{
				"POST /hooks/e HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n",
				"3;a=\"b\"\r\nabc\r\nA;q\r\n0123456789\r\n0;last\r\nX-T: POST /hooks/e HTTP/1.1\r\n\r\n", "abc0123456789",
			},
			plain("POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nX-After: chunks\r\n\r\n", "z"),
		},
		"100-continue": {
			plain("POST /hooks/e HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n", "body"),
			plain("POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n", "x"),
		},
		"old version": {plain("POST /hooks/e HTTP/1.0\r\nTransfer-Encoding: gzip\r\nContent-Length: 1\r\n\r\n", "x")},
	} {
		for _, piece := range []int{1, 7, 100_000} {
			t.Run(name, func(t *testing.T) {
				r := start(t, mockreceiver.Config{})
				r.endpoint("e", "200")
				w := r.dial()
				var all string
				for _, q := range requests {
					all += q.head + q.tail
				}
				for len(all) > 0 {
					n := min(piece, len(all))
					w.send(all[:n])
					all = all[n:]
				}
				for i, a := range r.arrivals(len(requests)) {
					if got, want := string(a.Head), strings.TrimLeft(requests[i].head, "\r\n"); got != want {
						t.Errorf("head %d: got %q, want %q", i+1, got, want)
					}
					if string(a.Body) != requests[i].body || a.Conn.Request != i+1 || a.Conn.ID != 1 || a.BodyErr != "" {
						t.Errorf("request %d: %+v", i+1, a)
					}
					if a.FirstByte < a.Conn.Opened || a.BodyEnd < a.FirstByte {
						t.Errorf("times of request %d: opened %s, first byte %s, end %s", i+1, a.Conn.Opened, a.FirstByte, a.BodyEnd)
					}
				}
			})
		}
	}
}

// TestOddRequests are requests that are refused, and leave evidence all the same.
func TestOddRequests(t *testing.T) {
	// As long as a head may be: one byte more would stay unread and turn the end of the connection into a reset.
	const long = "POST /hooks/e HTTP/1.1\r\nHost: h\r\nX: "
	for name, tc := range map[string]struct {
		sent, bodyErr string
		status        int
		endpoint      string
	}{
		"two framings":        {"POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "both frame the body", 400, "e"},
		"two lengths":         {"POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", "before the request was handled", 400, "e"},
		"unknown coding":      {"POST /hooks/e HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\nx", "before the request was handled", 501, "e"},
		"no host":             {"POST /hooks/e HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "before the request was handled", 400, "e"},
		"broken chunks":       {"POST /hooks/e HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "invalid byte in chunk length", 400, "e"},
		"over the body limit": {request("/hooks/e", strings.Repeat("x", 2000)), "over the limit of 1000 bytes", 413, "e"},
		"head without an end": {long + strings.Repeat("x", 64<<10-len(long)), "before the head was complete", 431, "e"},
		"no request at all":   {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n", "before the request was handled", 400, ""},
		"target is no path":   {"OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "", 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, mockreceiver.Config{MaxBody: 1000})
			r.endpoint("e", "200")
			w := r.dial()
			w.send(tc.sent)
			status, _ := w.answer()
			if status != tc.status {
				t.Errorf("got %d, want %d", status, tc.status)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			a, o := r.arrivals(1)[0], r.outcomes(1)[0]
			if !strings.Contains(a.BodyErr, tc.bodyErr) || a.Endpoint != tc.endpoint {
				t.Errorf("arrival: %+v, want %q in the error, endpoint %q", a, tc.bodyErr, tc.endpoint)
			}
			if len(a.Head) == 0 || !strings.HasPrefix(tc.sent, string(a.Head)) {
				t.Errorf("head: got %.80q", a.Head)
			}
			if o.Of != a.Seq || o.Status != tc.status {
				t.Errorf("outcome: %+v", o)
			}
		})
	}
}

func TestHeadersInTheOutcomeAreThoseOnTheWire(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("e", `200(header="X-B: 1", header="X-A: 2", header="X-B: 3", body="{}")`)
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	o := r.outcomes(1)[0]
	got := evidence.Head{Fields: o.Header}.Header()
	for name := range resp.Header {
		if strings.Join(got[name], "|") != strings.Join(resp.Header[name], "|") {
			t.Errorf("%s: recorded %q, received %q", name, got[name], resp.Header[name])
		}
	}
}
