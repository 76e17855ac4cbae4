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

func TestStatusIsAnsweredAsPlanned(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", `429(retry-after=7, header="X-Odd: a b", body="no", delay=50ms), 204`)
	w := r.dial()
	w.send(request("/hooks/e", `{"id":"1"}`))
	resp, err := http.ReadResponse(w.r, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "7" || resp.Header.Get("X-Odd") != "a b" {
		t.Errorf("got %d %v", resp.StatusCode, resp.Header)
	}
	w.send(request("/hooks/e", `{"id":"1"}`))
	if status, body := w.answer(); status != 204 || body != "" {
		t.Errorf("second answer: got %d %q, want 204", status, body)
	}
	a, o := r.arrivals(2), r.outcomes(2)
	if a[0].Attempt != 1 || a[1].Attempt != 2 || a[0].Conn.ID != a[1].Conn.ID || a[1].Conn.Request != 2 {
		t.Errorf("attempts: %+v, %+v", a[0], a[1])
	}
	if o[0].Status != 429 || o[0].End != evidence.EndComplete || string(o[0].Body) != "no" || o[0].Fault != "status" {
		t.Errorf("outcome: %+v", o[0])
	}
	if got := (evidence.Head{Fields: o[0].Header}).Get("Retry-After"); got != "7" {
		t.Errorf("recorded Retry-After: got %q, want 7", got)
	}
	if o[0].Delay < 50*time.Millisecond || o[0].ReplyStart-a[0].BodyEnd < 50*time.Millisecond || o[0].ReplyEnd < o[0].ReplyStart {
		t.Errorf("times: %+v after %s", o[0], a[0].BodyEnd)
	}
	if len(r.effects(1)) != 1 {
		t.Error("want an effect of the 204 only")
	}
}

func TestResetIsSeenAsReset(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "reset")
	w := r.dial()
	w.send(request("/hooks/e", strings.Repeat("x", 100_000)))
	got, err := w.rest()
	if !errors.Is(err, syscall.ECONNRESET) || len(got) != 0 {
		t.Errorf("got %d bytes and %v, want none and ECONNRESET", len(got), err)
	}
	a, o := r.arrivals(1)[0], r.outcomes(1)[0]
	if o.End != evidence.EndReset || o.Fault != "reset" || o.Status != 0 || o.Closed == 0 || a.BodySize != 100_000 {
		t.Errorf("outcome: %+v", o)
	}
}

func TestTimeoutSendsNothingUntilThePeerHangsUp(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "timeout")
	w := r.dial()
	w.send(request("/hooks/e", "x") + request("/hooks/e", "pipelined behind it"))
	r.arrivals(1)
	const patient, least = time.Second, 150 * time.Millisecond // the receiver may begin to count a little later
	if err := w.SetReadDeadline(time.Now().Add(patient)); err != nil {
		t.Fatal(err)
	}
	got, err := w.rest()
	var timeout net.Error
	if !errors.As(err, &timeout) || !timeout.Timeout() || len(got) != 0 {
		t.Fatalf("got %q and %v, want silence", got, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, o := range r.outcomes(2) {
		want := map[int64]string{1: "timeout", 2: "refused"}[o.Of]
		if o.Fault != want || o.End != evidence.EndPeerGone || o.Closed == 0 || o.ReplyStart != 0 {
			t.Errorf("outcome: %+v", o)
		}
		if o.Of == 1 && o.Delay < least {
			t.Errorf("held for %s, want at least %s", o.Delay, least)
		}
	}
}

func TestTimeoutWithATimeCloses(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "timeout(100ms)")
	w := r.dial()
	w.send(request("/hooks/e", "x"))
	got, err := w.rest()
	if err != nil || len(got) != 0 {
		t.Fatalf("got %q and %v, want an orderly close without a byte", got, err)
	}
	a, o := r.arrivals(1)[0], r.outcomes(1)[0]
	if o.End != evidence.EndClosed || o.Closed-a.BodyEnd < 100*time.Millisecond {
		t.Errorf("outcome: %+v", o)
	}
}

func TestHangUpDuringADelayIsSeen(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "502(delay=1h)")
	w := r.dial()
	w.send(request("/hooks/e", "x"))
	r.arrivals(1)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if o := r.outcomes(1)[0]; o.End != evidence.EndPeerGone || o.Closed == 0 || o.Status != 0 {
		t.Errorf("outcome: %+v", o)
	}
}

func TestLostAckCommitsAndResets(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "lost-ack, 200")
	w := r.dial()
	w.send(request("/hooks/e", `{"id":"evt_1"}`))
	if got, err := w.rest(); !errors.Is(err, syscall.ECONNRESET) || len(got) != 0 {
		t.Errorf("got %q and %v, want ECONNRESET", got, err)
	}
	if e := r.effects(1)[0]; e.Result != evidence.EffectCommitted || !e.Dedupe || e.Rows != 1 || e.Key != "evt_1" {
		t.Errorf("first effect: %+v", e)
	}
	if o := r.outcomes(1)[0]; o.Fault != "lost-ack" || o.End != evidence.EndReset {
		t.Errorf("outcome: %+v", o)
	}
	w = r.dial()
	w.send(request("/hooks/e", `{"id":"evt_1"}`))
	if status, _ := w.answer(); status != 200 {
		t.Errorf("redelivery: got %d, want 200", status)
	}
	if e := r.effects(2)[1]; e.Result != evidence.EffectAbsorbed || !e.Dedupe || e.Rows != 1 {
		t.Errorf("second effect: %+v", e)
	}
}

func TestBusinessFailureIsRolledBack(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("e", "business-failure, business-failure(status=503), 200"), client(t)
	for i, want := range []int{500, 503, 200, 200} {
		if got, _ := post(t, c, url, `{"id":"evt_1"}`); got != want {
			t.Errorf("request %d: got %d, want %d", i+1, got, want)
		}
	}
	type effect struct {
		result string
		dedupe bool
		rows   int
	}
	want := []effect{
		{evidence.EffectRolledBack, false, 0},
		{evidence.EffectRolledBack, false, 0},
		{evidence.EffectCommitted, true, 1},
		{evidence.EffectAbsorbed, true, 1},
	}
	for i, e := range r.effects(4) {
		if got := (effect{e.Result, e.Dedupe, e.Rows}); got != want[i] {
			t.Errorf("effect %d: got %+v, want %+v", i+1, got, want[i])
		}
	}
	for _, o := range r.outcomes(4) { // an answer leaves before its outcome is written, so the next one's can come first
		if o.Of == 1 && (o.Fault != "business-failure" || o.Status != 500) {
			t.Errorf("outcome: %+v", o)
		}
	}
}

func TestChanceDependsOnTheSeedOnly(t *testing.T) {
	draw := func(seed uint64) (got []int) {
		r := start(t, mockreceiver.Config{Seed: seed})
		url, c := r.endpoint("e", "chance(0.5)"), client(t)
		for range 24 {
			status, _ := post(t, c, url, `{"id":"evt"}`)
			got = append(got, status)
		}
		return got
	}
	same := func(a, b []int) bool {
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	first := draw(1)
	if !same(first, draw(1)) {
		t.Error("the same seed gave other answers")
	}
	if same(first, draw(2)) {
		t.Error("another seed gave the same 24 answers")
	}
}

func TestUnknownPathIsRecorded(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	if status, body := post(t, client(t), r.DataURL()+"/elsewhere//x", `{"id":"1"}`); status != 404 || body != "not found\n" {
		t.Errorf("got %d %q, want 404", status, body)
	}
	if a := r.arrivals(1)[0]; a.Endpoint != "" || a.Chosen == "" || a.Attempt != 0 {
		t.Errorf("arrival: %+v", a)
	}
}

func TestPlansByEvent(t *testing.T) {
	r := start(t, mockreceiver.Config{IDHeader: "X-Webhook-Id"})
	url, c := r.endpoint("e", "200"), client(t)
	const marker = "hkm0123456789abcdefghij"
	for key, text := range map[string]string{marker: "501, 502", "evt_2": "503"} {
		if err := r.SetPlan("e", key, mustPlan(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		id, body, from string
		want           int
	}{
		{"evt_1", `{"m":"` + marker + `"}`, "marker", 501},
		{"evt_2", `{}`, "header:X-Webhook-Id", 503},
		{"evt_1b", `{"m":"` + marker + `"}`, "marker", 502}, // the id changed, the event is the same
		{"", `{"id": 5}`, "body:/id", 200},
		{"", `none`, "sha256", 200},
		{"", `{"m":"` + marker + `"}`, "marker", 502},
	} {
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		if tc.id != "" {
			req.Header.Set("X-Webhook-Id", tc.id)
		}
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		a := r.arrivals(1)
		last := a[len(a)-1]
		if resp.StatusCode != tc.want || last.KeyFrom != tc.from {
			t.Errorf("%s %s: got %d by %s, want %d by %s", tc.id, tc.body, resp.StatusCode, last.KeyFrom, tc.want, tc.from)
		}
	}
}

func TestOnlyPlannedEvent(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("e", "200"), client(t)
	if err := r.SetPlan("e", "hkm0123456789abcdefghij", mustPlan(t, "418, 419")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{418, 419} {
		if got, _ := post(t, c, url, "the marker is gone"); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
	if a := r.arrivals(2)[1]; a.KeyFrom != "only-event" || a.Attempt != 2 {
		t.Errorf("arrival: %+v", a)
	}
}

func TestLatencyHoldsTheAnswer(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("e", "latency(from=40ms, to=50ms)")
	begun := time.Now()
	if status, _ := post(t, client(t), url, "x"); status != 200 {
		t.Errorf("got %d, want 200", status)
	}
	took, o := time.Since(begun), r.outcomes(1)[0]
	if took < 40*time.Millisecond || o.Delay < 40*time.Millisecond || o.Delay > took || o.Fault != "latency" {
		t.Errorf("answered in %s, outcome: %+v", took, o)
	}
}
