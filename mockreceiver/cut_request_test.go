package mockreceiver_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestCutRequest ends the connection while the peer still has a megabyte to send.
func TestCutRequest(t *testing.T) {
	for _, tc := range []struct {
		form, sent, kept, end string
		want                  error // nil: an orderly end
	}{
		{"cut-request", "", "", evidence.EndReset, syscall.ECONNRESET},
		{"cut-request(after=4)", "abcdef", "abcd", evidence.EndReset, syscall.ECONNRESET},
		{"cut-request(with=close)", "", "", evidence.EndClosed, nil},
		{"cut-request(after=4, with=close)", "abcdef", "abcd", evidence.EndClosed, nil},
	} {
		t.Run(tc.form, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			r.endpoint("e", tc.form)
			w := r.dial()
			w.send("POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" + tc.sent)
			if got, err := w.rest(); len(got) != 0 || !errors.Is(err, tc.want) {
				t.Errorf("got %q and %v, want %v", got, err, tc.want)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			a, o := r.arrivals(1)[0], r.outcomes(1)[0]
			if string(a.Body) != tc.kept || a.BodySize != int64(len(tc.kept)) || a.BodyEnd != 0 || !strings.Contains(a.BodyErr, "on purpose") {
				t.Errorf("arrival: %+v", a)
			}
			if o.Fault != "cut-request" || o.End != tc.end || o.Status != 0 || o.ReplyStart != 0 {
				t.Errorf("outcome: %+v", o)
			}
		})
	}
}

// TestCutRequestWithoutABody acts as soon as the head is there.
func TestCutRequestWithoutABody(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "cut-request(after=4)")
	w := r.dial()
	w.send("GET /hooks/e HTTP/1.1\r\nHost: h\r\n\r\n")
	if got, err := w.rest(); len(got) != 0 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("got %q and %v, want ECONNRESET", got, err)
	}
}

// TestCutRequestInChunks counts the body's bytes and not those of its framing.
func TestCutRequestInChunks(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "cut-request(after=4)")
	w := r.dial()
	w.send("POST /hooks/e HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n")
	if got, err := w.rest(); len(got) != 0 || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("got %q and %v, want ECONNRESET", got, err)
	}
	if a := r.arrivals(1)[0]; string(a.Body) != "abcd" {
		t.Errorf("body: %q", a.Body)
	}
}
