package mockreceiver_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestSlowReadTakesItsTime, and the body is whole.
func TestSlowReadTakesItsTime(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "slow-read(100, every=20ms), 200")
	w := r.dial()
	body := strings.Repeat("0123456789", 50)
	w.send(request("/hooks/e", body))
	if status, _ := w.answer(); status != 200 {
		t.Errorf("got %d, want 200", status)
	}
	a, o := r.arrivals(1)[0], r.outcomes(1)[0]
	const least = 5 * 20 * time.Millisecond // five pieces
	if string(a.Body) != body || a.BodyErr != "" || a.BodyEnd-a.FirstByte < least {
		t.Errorf("arrival: %+v", a)
	}
	if o.Fault != "slow-read" || o.Delay < least || o.End != evidence.EndComplete {
		t.Errorf("outcome: %+v", o)
	}
	w.send(request("/hooks/e", body))
	if status, _ := w.answer(); status != 200 {
		t.Errorf("the next request: got %d, want 200", status)
	}
	if o := r.outcomes(2)[1]; o.Delay != 0 || o.Fault != "status" {
		t.Errorf("the next request: %+v", o)
	}
}

// TestSlowReadHoldsUpAWriter with more than the operating system keeps.
func TestSlowReadHoldsUpAWriter(t *testing.T) {
	const size = 30 << 20
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "slow-read(1, every=1h)")
	w := r.dial()
	w.send("POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 31457280\r\n\r\n")
	if err := w.SetWriteDeadline(time.Now().Add(500 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := io.WriteString(w.Conn, strings.Repeat("x", size)); err == nil || n == size {
		t.Errorf("wrote %d bytes and %v, want to be held up", n, err)
	}
}

// TestSlowReadLeavesNoDeadline behind, which would end the delay after it.
func TestSlowReadLeavesNoDeadline(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{BodyTimeout: time.Second}) // a busy machine has read the body by then
	r.endpoint("e", "slow-read(1000, every=1ms, delay=2s)")
	w := r.dial()
	w.send(request("/hooks/e", "here as soon as the head"))
	if status, _ := w.answer(); status != 200 {
		t.Errorf("got %d, want 200", status)
	}
}
