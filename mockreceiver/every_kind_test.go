package mockreceiver_test

import (
	"cmp"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// What a peer sees after the first line of the answer, or instead of it.
const (
	ends  = "an orderly end"
	reset = "a reset"
	late  = "no answer in time"
	stays = "an open connection"
)

// TestEveryKindOnTheWire sends a request to each kind in the form that the list shows, and says what a peer sees. A kind
// without a row fails.
func TestEveryKindOnTheWire(t *testing.T) {
	want := map[string][2]string{
		"status":           {"HTTP/1.1 502 Bad Gateway", stays},
		"redirect":         {"HTTP/1.1 302 Found", stays},
		"large":            {"HTTP/1.1 200 OK", stays},
		"endless":          {"HTTP/1.1 200 OK", stays},
		"drip":             {"HTTP/1.1 200 OK", stays},
		"early":            {"HTTP/1.1 413 Request Entity Too Large", ends},
		"early-hints":      {"HTTP/1.1 103 Early Hints", stays},
		"continue":         {"HTTP/1.1 200 OK", stays}, // to a peer that does not ask
		"latency":          {"HTTP/1.1 200 OK", stays},
		"timeout":          {"", stays},
		"reset":            {"", reset},
		"close":            {"", ends},
		"close-idle":       {"HTTP/1.1 200 OK", ends},
		"close-next":       {"HTTP/1.1 200 OK", stays},
		"cut":              {"HTTP/1.1 200 OK", ends},
		"wrong-length":     {"HTTP/1.1 200 OK", ends},
		"malformed":        {"HTTP/1.1 2x0 OK", ends},
		"business-failure": {"HTTP/1.1 500 Internal Server Error", stays},
		"lost-ack":         {"", reset},
		"rate-limit":       {"HTTP/1.1 200 OK", stays},
		"outage":           {"HTTP/1.1 200 OK", stays}, // before it begins
		"goaway":           {"", ends},                 // what stands in for it over HTTP/1
		"rst-stream":       {"", reset},                // the same
		"chance":           {"HTTP/1.1 200 OK", stays}, // with seed 0
		"mix":              {"HTTP/1.1 200 OK", stays}, // with seed 0
		"stall":            {"HTTP/1.1 200 OK", stays},
		"slow-read":        {"HTTP/1.1 200 OK", stays},
		"cut-request":      {"", reset},
		"interim":          {"HTTP/1.1 102 Processing", stays},
	}
	for _, k := range fault.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			r := start(t, mockreceiver.Config{})
			r.endpoint("e", k.Form)
			w := r.dial()
			w.send(request("/hooks/e", "x"))
			r.arrivals(1)
			line, then := w.seen(want[k.Name])
			if got := [2]string{line, then}; got != want[k.Name] {
				t.Errorf("got %q, want %q", got, want[k.Name])
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			o := r.outcomes(1)[0]
			said := map[string]string{"continue": "status", "mix": "status", "goaway": "close", "rst-stream": "reset"}[k.Name]
			if o.Fault != cmp.Or(said, k.Name) {
				t.Errorf("the evidence says %s", o.Fault)
			}
			if said := o.Status != 0; said != (line != "") && k.Name != "malformed" && k.Name != "interim" {
				t.Errorf("the evidence says status %d, the peer saw %q", o.Status, line)
			}
		})
	}
}

// seen reads the first line and what follows. Where nothing more is expected, a short look must do.
func (w *wire) seen(want [2]string) (line, then string) {
	w.t.Helper()
	const look = 100 * time.Millisecond
	var err error
	if want[0] != "" {
		if line, err = w.r.ReadString('\n'); err != nil {
			w.t.Fatal(err)
		}
	}
	if want[1] == stays {
		if err := w.SetReadDeadline(time.Now().Add(look)); err != nil {
			w.t.Fatal(err)
		}
	}
	n, err := io.Copy(io.Discard, w.r)
	if want[0] == "" && n > 0 {
		w.t.Errorf("got %d bytes, want none", n)
	}
	var still net.Error
	switch {
	case err == nil:
		then = ends
	case errors.Is(err, syscall.ECONNRESET):
		then = reset
	case errors.As(err, &still) && still.Timeout():
		then = stays
	default:
		then = err.Error()
	}
	return strings.TrimRight(line, "\r\n"), then
}
