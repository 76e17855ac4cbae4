package mockreceiver_test

import (
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

func TestEarlyAnswersWithoutTheBody(t *testing.T) {
	for name, sent := range map[string]string{
		"nothing of it sent": "",
		"in the middle":      strings.Repeat("x", 300_000),
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			r.endpoint("e", `early(header="X-A: 1")`)
			w := r.dial()
			w.send("POST /hooks/e HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" + sent)
			got, err := w.rest()
			if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 413 ") || !strings.Contains(string(got), "\r\nConnection: close\r\n") {
				t.Errorf("got %q and %v, want a whole 413 and an orderly close", got, err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			a, o := r.arrivals(1)[0], r.outcomes(1)[0]
			if a.BodyErr == "" || a.BodyEnd != 0 || a.BodySize != 0 || a.Attempt != 1 || a.KeyFrom != "endpoint" {
				t.Errorf("arrival: %+v", a)
			}
			if o.Fault != "early" || o.Status != 413 || o.End != evidence.EndComplete || o.Closed < o.ReplyEnd {
				t.Errorf("outcome: %+v", o)
			}
		})
	}
}

func TestEarlyStepsKeepTheirOrder(t *testing.T) {
	r := start(t, mockreceiver.Config{IDHeader: "X-Id"})
	url, c := r.endpoint("e", "early(status=503), 201, early(status=401)"), client(t)
	for i, want := range []int{503, 201, 401, 401} {
		if got, _ := post(t, c, url, `{"id":"known from the body only"}`); got != want {
			t.Errorf("request %d: got %d, want %d", i+1, got, want)
		}
	}
	if err := r.SetPlan("e", "evt_1", mustPlan(t, "early(status=429), 202")); err != nil {
		t.Fatal(err)
	}
	w := r.dial()
	w.send("POST /hooks/e HTTP/1.1\r\nHost: h\r\nX-Id: evt_1\r\nContent-Length: 5\r\n\r\n")
	if status, _ := w.answer(); status != 429 {
		t.Errorf("by its id: got %d, want 429", status)
	}
	if got, _ := post(t, c, url, "the only planned event"); got != 202 {
		t.Errorf("the only planned event: got %d, want 202", got)
	}
	var from []string
	for _, a := range r.arrivals(6) {
		from = append(from, a.KeyFrom)
	}
	if got, want := strings.Join(from, " "), "endpoint endpoint endpoint endpoint header:X-Id only-event"; got != want {
		t.Errorf("keys from %s, want %s", got, want)
	}
	if len(r.effects(2)) != 2 {
		t.Error("want effects of the two 2xx")
	}
}

func TestEarlyThatComesTooLateIsATrouble(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("e", "200")
	for _, key := range []string{"evt_1", "evt_2"} {
		if err := r.SetPlan("e", key, mustPlan(t, "early")); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := post(t, client(t), url, `{"id":"evt_1"}`); got != 413 {
		t.Errorf("got %d, want 413", got)
	}
	r.until("a trouble", func(l []evidence.Record) bool { return len(of[*evidence.Trouble](l)) == 1 })
	if a, o := r.arrivals(1)[0], r.outcomes(1)[0]; o.Fault != "status" || a.BodyEnd == 0 {
		t.Errorf("arrival %+v, outcome: %+v", a, o)
	}
}

const expecting = "POST /hooks/e HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"

func TestContinueNeverComes(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "continue(never), 200")
	w := r.dial()
	w.send(expecting)
	if err := w.SetReadDeadline(time.Now().Add(150 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	var late net.Error
	if got, err := w.r.ReadByte(); !errors.As(err, &late) || !late.Timeout() {
		t.Fatalf("got %q and %v, want silence", got, err)
	}
	if err := w.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	w.send("body")
	if status, _ := w.answer(); status != 200 {
		t.Errorf("after the body: got %d, want 200", status)
	}
	if a, o := r.arrivals(1)[0], r.outcomes(1)[0]; string(a.Body) != "body" || o.Fault != "continue" || o.End != evidence.EndComplete {
		t.Errorf("arrival %+v, outcome: %+v", a, o)
	}
	w.send(expecting)
	if status, _ := w.answer(); status != http.StatusContinue {
		t.Errorf("the next request on the connection: got %d, want 100", status)
	}
	w.send("body")
	if status, _ := w.answer(); status != 200 {
		t.Errorf("then: got %d, want 200", status)
	}
}

func TestContinueComesLate(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "continue(60ms, status=503)")
	w := r.dial()
	begun := time.Now()
	w.send(expecting)
	if status, _ := w.answer(); status != http.StatusContinue || time.Since(begun) < 60*time.Millisecond {
		t.Errorf("got %d after %s, want 100 after at least 60ms", status, time.Since(begun))
	}
	w.send("body")
	if status, _ := w.answer(); status != 503 {
		t.Errorf("then: got %d, want 503", status)
	}
	if o := r.outcomes(1)[0]; o.Fault != "continue" || o.Status != 503 || o.Delay < 60*time.Millisecond {
		t.Errorf("outcome: %+v", o)
	}
}

func TestContinueWithoutExpectIsAPlainAnswer(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	if got, _ := post(t, client(t), r.endpoint("e", "continue(1h)"), "x"); got != 200 {
		t.Errorf("got %d, want 200", got)
	}
	if o := r.outcomes(1)[0]; o.Fault != "status" {
		t.Errorf("outcome: %+v", o)
	}
}

func TestContinueNeverAndNoBody(t *testing.T) {
	r := start(t, mockreceiver.Config{BodyTimeout: 100 * time.Millisecond})
	r.endpoint("e", "continue(never)")
	w := r.dial()
	w.send(expecting)
	if status, _ := w.answer(); status != http.StatusRequestTimeout {
		t.Errorf("got %d, want 408", status)
	}
	if o := r.outcomes(1)[0]; o.Fault != "continue" || o.Status != http.StatusRequestTimeout {
		t.Errorf("outcome: %+v", o)
	}
}
