package mockreceiver_test

import (
	"bufio"
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

func TestEmptyBodyDeclaresItsLength(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", `200(header="Connection: close")`)
	w := r.dial()
	w.send(request("/hooks/e", "x"))
	got, err := w.rest()
	if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 200 OK\r\n") || !strings.Contains(string(got), "Content-Length: 0\r\n") ||
		!strings.HasSuffix(string(got), "\r\n\r\n") {
		t.Errorf("got %q and %v, want a head that declares no body", got, err)
	}
}

func TestLargeBodyIsWhole(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "large(300000), 204")
	w := r.dial()
	w.send(request("/hooks/e", `{"id":"1"}`))
	if status, body := w.answer(); status != 200 || len(body) != 300_000 {
		t.Errorf("got %d with %d bytes, want 200 with 300000", status, len(body))
	}
	w.send(request("/hooks/e", `{"id":"1"}`))
	if status, _ := w.answer(); status != 204 {
		t.Errorf("the same connection afterwards: got %d, want 204", status)
	}
	o := r.outcomes(1)[0]
	if o.Fault != "large" || o.End != evidence.EndComplete || o.BodySize != 300_000 || len(o.Body) != 64<<10 {
		t.Errorf("outcome: %s, %s, %d bytes of which %d are kept", o.Fault, o.End, o.BodySize, len(o.Body))
	}
	if len(r.effects(1)) != 1 {
		t.Error("a 2xx without its effect")
	}
}

func TestEndlessBodyEndsWithThePeer(t *testing.T) {
	for name, hangUp := range map[string]func(*wire) error{
		"closed":      func(w *wire) error { return w.Close() },
		"half closed": func(w *wire) error { return w.Conn.(*net.TCPConn).CloseWrite() },
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			r.endpoint("e", "endless(status=503)")
			w := r.dial()
			w.send(request("/hooks/e", "x"))
			resp, err := http.ReadResponse(w.r, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if n, err := io.CopyN(io.Discard, resp.Body, 1<<20); err != nil || resp.ContentLength != -1 {
				t.Fatalf("got %d bytes and %v, length %d; want more than a megabyte of undeclared length", n, err, resp.ContentLength)
			}
			if err := hangUp(w); err != nil {
				t.Fatal(err)
			}
			if name == "half closed" {
				if _, err := io.Copy(io.Discard, resp.Body); err == nil {
					t.Error("the body came to an end")
				}
			}
			o := r.outcomes(1)[0]
			if o.Fault != "endless" || o.Status != 503 || o.End != evidence.EndPeerGone || o.Closed == 0 || o.BodySize < 1<<20 {
				t.Errorf("outcome: %s %d %s, closed %s, %d bytes", o.Fault, o.Status, o.End, o.Closed, o.BodySize)
			}
		})
	}
}

func TestCloseEndsAnEndlessBody(t *testing.T) {
	for name, plan := range map[string]string{"full speed": "endless", "drip": "drip(1, every=1h)"} {
		t.Run(name, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			r.endpoint("e", plan)
			w := r.dial()
			w.send(request("/hooks/e", "x"))
			if _, err := w.r.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			if o := r.outcomes(1)[0]; o.Status != 200 || o.End != evidence.EndShutdown || o.Closed == 0 {
				t.Errorf("outcome: %d %s, closed %s", o.Status, o.End, o.Closed)
			}
			if _, err := io.Copy(io.Discard, bufio.NewReader(w.r)); err != nil && !errors.Is(err, io.EOF) {
				t.Logf("the peer saw %v", err) // a reset or an end: what is in flight decides
			}
		})
	}
}

func TestDripComesInPieces(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "drip(2, every=40ms, size=5)")
	w := r.dial()
	sent := time.Now() // the head may be read late, when pieces have come already
	w.send(request("/hooks/e", "x"))
	resp, err := http.ReadResponse(w.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var pieces []int
	for buf := make([]byte, 100); ; {
		n, err := resp.Body.Read(buf)
		if n > 0 {
			pieces = append(pieces, n)
		}
		if err != nil {
			break
		}
	}
	// Pieces may meet on the way, so only their sum and the least time are certain.
	if took := time.Since(sent); took < 120*time.Millisecond {
		t.Errorf("three pieces came within %s of the request", took)
	}
	o := r.outcomes(1)[0]
	if len(pieces) == 0 || resp.ContentLength != 5 || string(o.Body) != "xxxxx" || o.BodySize != 0 || o.End != evidence.EndComplete {
		t.Errorf("pieces %v of %d, outcome: %+v", pieces, resp.ContentLength, o)
	}
	if o.ReplyEnd-o.ReplyStart < 120*time.Millisecond || o.Delay < 120*time.Millisecond {
		t.Errorf("written in %s with a delay of %s, want three intervals of 40ms", o.ReplyEnd-o.ReplyStart, o.Delay)
	}
}

func TestDripStopsWhenThePeerGoes(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "drip(1, every=5ms)")
	w := r.dial()
	w.send(request("/hooks/e", "x"))
	resp, err := http.ReadResponse(w.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 3)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	o := r.outcomes(1)[0]
	if o.Fault != "drip" || o.Status != 200 || o.End != evidence.EndPeerGone || len(o.Body) < 3 {
		t.Errorf("outcome: %+v", o)
	}
}
