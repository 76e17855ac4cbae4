package mockreceiver_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// kept reads a whole answer that does not announce the end of its connection.
func (w *wire) kept(status int) {
	w.t.Helper()
	resp, err := http.ReadResponse(w.r, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != status || resp.Close {
		w.t.Errorf("got %d, announces the end: %v; want %d and a connection to be kept", resp.StatusCode, resp.Close, status)
	}
}

func TestCloseIdleEndsAKeptConnection(t *testing.T) {
	for plan, want := range map[string]struct {
		status int
		reset  bool
		rest   time.Duration
	}{
		"close-idle":                         {200, false, 0},
		"close-idle(after=60ms, status=503)": {503, false, 60 * time.Millisecond},
		"close-idle(with=reset, status=204)": {204, true, 0},
	} {
		t.Run(plan, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			r.endpoint("e", plan)
			w := r.dial()
			w.send(request("/hooks/e", "x"))
			w.kept(want.status)
			got, err := w.rest()
			if len(got) != 0 || want.reset != errors.Is(err, syscall.ECONNRESET) || err != nil && !want.reset {
				t.Errorf("got %q and %v, want a reset: %v", got, err, want.reset)
			}
			o := r.outcomes(1)[0]
			if o.Fault != "close-idle" || o.Status != want.status || o.End != evidence.EndComplete || o.Delay != 0 {
				t.Errorf("outcome: %+v", o)
			}
			if o.Closed-o.ReplyEnd < want.rest || o.Closed == 0 {
				t.Errorf("closed %s after the answer, want at least %s", o.Closed-o.ReplyEnd, want.rest)
			}
		})
	}
}

func TestCloseIdleCutsOffWhatComesBefore(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "close-idle(after=1h), 200")
	w := r.dial()
	w.send(request("/hooks/e", `{"id":"1"}`))
	w.kept(200)
	w.send(request("/hooks/e", `{"id":"1"}`))
	if got, err := w.rest(); err != nil || len(got) != 0 {
		t.Errorf("got %q and %v, want an orderly end without an answer", got, err)
	}
	a := r.arrivals(2)
	for _, o := range r.outcomes(2) {
		want := map[int64]string{a[0].Seq: evidence.EndComplete, a[1].Seq: evidence.EndClosed}[o.Of]
		if o.Fault != "close-idle" || o.End != want || o.Closed == 0 {
			t.Errorf("outcome: %+v, want %s", o, want)
		}
	}
}

func TestCloseNextResetsTheNextRequest(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "close-next, 200")
	w := r.dial()
	w.send(request("/hooks/e", `{"id":"1"}`))
	w.kept(200)
	if o := r.outcomes(1)[0]; o.Fault != "close-next" || o.End != evidence.EndComplete || o.Closed != 0 {
		t.Errorf("outcome of the first: %+v", o)
	}
	if err := w.SetReadDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	var still net.Error
	if _, err := w.r.ReadByte(); !errors.As(err, &still) || !still.Timeout() {
		t.Fatalf("an idle connection ended with %v", err)
	}
	if err := w.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	w.send(request("/hooks/e", `{"id":"1"}`))
	if got, err := w.rest(); !errors.Is(err, syscall.ECONNRESET) || len(got) != 0 {
		t.Errorf("got %q and %v, want ECONNRESET", got, err)
	}
	a, o := r.arrivals(2)[1], r.outcomes(2)[1]
	if a.Conn.Request != 2 || a.Attempt != 0 || !strings.HasPrefix(string(a.Head), "POST /hooks/e ") || a.BodyErr == "" {
		t.Errorf("arrival of the second: %+v", a)
	}
	if o.Fault != "close-next" || o.End != evidence.EndReset || o.Closed == 0 || o.Status != 0 {
		t.Errorf("outcome of the second: %+v", o)
	}
}

// TestGoClientAndCloseNext shows what the reset does to a library that sends again by itself, and to one that does not.
func TestGoClientAndCloseNext(t *testing.T) {
	for name, again := range map[string]bool{"Idempotency-Key": true, "X-Other": false} {
		t.Run(name, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			url := r.endpoint("e", "close-next, 200")
			tr := &http.Transport{}
			t.Cleanup(tr.CloseIdleConnections)
			c := &http.Client{Transport: tr, Timeout: patience}
			send := func() error {
				req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(`{"id":"1"}`))
				if err != nil {
					return err
				}
				req.Header.Set(name, "1")
				resp, err := c.Do(req)
				if err != nil {
					return err
				}
				return resp.Body.Close()
			}
			if err := send(); err != nil {
				t.Fatal(err)
			}
			if err := send(); (err == nil) != again {
				t.Errorf("got %v, want it sent again: %v", err, again)
			}
			if !again {
				return
			}
			if last := r.arrivals(3); last[2].Conn.ID == last[0].Conn.ID && last[1].Conn.ID == last[0].Conn.ID {
				t.Error("all three requests came over one connection")
			}
		})
	}
}

func TestCloseEndsRestingConnections(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for name, plan := range map[string]string{"idle": "close-idle(after=1h)", "next": "close-next"} {
		r.endpoint(name, plan)
		w := r.dial()
		w.send(request("/hooks/"+name, "x"))
		w.kept(200)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for _, o := range r.outcomes(2) {
		if o.End != evidence.EndComplete {
			t.Errorf("outcome: %+v", o)
		}
	}
	noGoroutines(t)
}
