package mockreceiver_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestStallIsSilentInTheMiddleOfTheBody sees the head and so many bytes, and then nothing.
func TestStallIsSilentInTheMiddleOfTheBody(t *testing.T) {
	// The receiver may begin to count a little after the last byte was read here.
	const look, least = time.Second, 150 * time.Millisecond
	for form, want := range map[string]int{"stall": 0, "stall(after=3)": 3, "stall(after=100000, status=503)": 100_000} {
		r := start(t, mockreceiver.Config{})
		r.endpoint("e", form)
		w := r.dial()
		w.send(request("/hooks/e", "x"))
		resp, err := http.ReadResponse(w.r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, resp.Body, int64(want)); err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		if err := w.SetReadDeadline(time.Now().Add(look)); err != nil {
			t.Fatal(err)
		}
		var silence net.Error
		if n, err := resp.Body.Read(make([]byte, 1)); n != 0 || !errors.As(err, &silence) || !silence.Timeout() {
			t.Errorf("%s: got %d bytes and %v, want silence", form, n, err)
		}
		if resp.ContentLength != int64(want)+100 {
			t.Errorf("%s: declares %d bytes, want %d", form, resp.ContentLength, want+100)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if o := r.outcomes(1)[0]; o.Fault != "stall" || o.End != evidence.EndPeerGone || o.Status != resp.StatusCode || o.Delay < least {
			t.Errorf("%s: outcome %+v", form, o)
		}
	}
}

// TestDelaysInTheBody end, and the answer is whole.
func TestDelaysInTheBody(t *testing.T) {
	for _, form := range []string{"stall(after=3, for=100ms)", "latency(from=100ms, to=101ms, in=body)", "latency(median=100ms, sigma=1e-9, in=body)"} {
		r := start(t, mockreceiver.Config{})
		r.endpoint("e", form)
		w := r.dial()
		w.send(request("/hooks/e", "x"))
		status, body := w.answer()
		if status != 200 || len(body) < 100 || strings.Trim(body, "x") != "" {
			t.Errorf("%s: got %d %q", form, status, body)
		}
		o := r.outcomes(1)[0]
		if o.End != evidence.EndComplete || o.Delay < 99*time.Millisecond || o.ReplyEnd-o.ReplyStart < 99*time.Millisecond {
			t.Errorf("%s: outcome %+v", form, o)
		}
	}
}
