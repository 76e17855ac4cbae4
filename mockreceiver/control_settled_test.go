package mockreceiver_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver"
)

func TestWaitUntilSettled(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("a", "200(delay=1s)") // a busy machine has asked by then
	r.endpoint("b", "timeout")
	if a := r.get(t, "/v1/wait?endpoint=a&settled=10ms"); a["settled"] != true || a["last"] != 0.0 {
		t.Errorf("nothing came: got %v", a)
	}
	hung := r.dial() // a request that is open elsewhere does not matter
	hung.send(request("/hooks/b", "x"))
	r.arrivals(1)
	began := make(chan struct{})
	go func() {
		close(began)
		_, _, _ = try(client(t), url, `{"id":"1"}`)
	}()
	<-began
	r.arrivals(2)
	a := r.get(t, "/v1/wait?endpoint=a&settled=20ms")
	if a["settled"] != true || a["last"] != 2.0 {
		t.Errorf("got %v", a)
	}
	list := r.get(t, "/v1/attempts?endpoint=a")["attempts"].([]any)
	if first := list[0].(map[string]any); first["end"] != "complete" || first["effect"] == nil {
		t.Errorf("settled before all was known: %v", first)
	}
	if status, a := r.api("GET", "/v1/wait?endpoint=b&settled=1ms&timeout=100ms", ""); status != 408 || a["settled"] != false {
		t.Errorf("with an open request: got %v", a)
	}
}

// TestNotSettledWhileABodyArrives: such a request is not in the journal yet.
func TestNotSettledWhileABodyArrives(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("a", "200")
	w := r.dial()
	w.send("POST /hooks/a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
	if status, err := io.ReadAll(io.LimitReader(w.r, int64(len("HTTP/1.1 100 Continue\r\n\r\n")))); err != nil || !strings.Contains(string(status), "100") {
		t.Fatalf("got %q %v", status, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if ok, err := r.WaitSettled(ctx, "a", time.Millisecond); ok || err != nil {
		t.Errorf("got %t %v while a body arrives", ok, err)
	}
	settled := make(chan bool, 1)
	go func() {
		ok, _ := r.WaitSettled(context.Background(), "a", time.Millisecond)
		settled <- ok
	}()
	w.send("{}")
	w.answer()
	select {
	case ok := <-settled:
		if !ok {
			t.Error("not settled after the answer")
		}
	case <-time.After(patience):
		t.Fatal("the wait did not end")
	}
}

// TestSettledAfterAnEndAtTheNextRequest: such a fault keeps its handler waiting, but its own request has ended.
func TestSettledAfterAnEndAtTheNextRequest(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("a", "close-next")
	w := r.dial()
	w.send(request("/hooks/a", "x"))
	w.answer()
	if ok, err := r.WaitSettled(context.Background(), "a", time.Millisecond); !ok || err != nil {
		t.Errorf("got %t %v", ok, err)
	}
}

func TestWaitForAnEvent(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("a", "200"), client(t)
	got := make(chan map[string]any, 1)
	go func() {
		_, a := r.api("GET", "/v1/wait?endpoint=a&event=2&count=2&timeout=20s", "")
		got <- a
	}()
	for _, id := range []string{"1", "1", "2", "1", "2"} {
		post(t, c, url, `{"id":"`+id+`"}`)
	}
	select {
	case a := <-got:
		if a["reached"] != true || a["count"] != 2.0 {
			t.Errorf("got %v", a)
		}
	case <-time.After(patience):
		t.Fatal("the wait did not end")
	}
	for _, path := range []string{
		"/v1/wait?endpoint=a&settled=1s&count=3", "/v1/wait?endpoint=a&settled=2h", "/v1/wait?endpoint=a&settled=-1s",
		"/v1/wait?endpoint=a&count=x", "/v1/wait?endpoint=a&frob=1",
	} {
		if status, a := r.api("GET", path, ""); status != 400 {
			t.Errorf("%s: got %d %v", path, status, a)
		}
	}
}
