package mockreceiver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver"
)

// streamed is one server-sent event.
type streamed struct {
	name, id string
	data     map[string]any
	comment  string
}

// stream opens the stream of events and hands over what comes.
func (r *rig) stream(t *testing.T, lastEventID string) <-chan streamed {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.ControlURL()+"/v1/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.Token())
	if lastEventID != "" {
		req.Header.Set("Last-Event-ID", lastEventID)
	}
	tr := &http.Transport{}
	resp, err := (&http.Client{Transport: tr}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || got != "text/event-stream" {
		t.Fatalf("stream: got %d %q", resp.StatusCode, got)
	}
	events := make(chan streamed, 100)
	done := make(chan struct{})
	t.Cleanup(func() {
		cancel()
		<-done
		_ = resp.Body.Close()
		tr.CloseIdleConnections()
	})
	go func() {
		defer close(done)
		defer close(events)
		e := streamed{}
		for in := bufio.NewScanner(resp.Body); in.Scan(); {
			field, value, _ := strings.Cut(in.Text(), ": ")
			switch field {
			case "event":
				e.name = value
			case "id":
				e.id = value
			case "data":
				_ = json.Unmarshal([]byte(value), &e.data) // the test sees what is missing
			case "":
				if value != "" {
					e.comment = value
				}
				if in.Text() == "" {
					select {
					case events <- e:
					case <-ctx.Done():
						return
					}
					e = streamed{}
				}
			}
		}
	}()
	if e := nextOf(t, events); e.comment == "" {
		t.Fatalf("the stream opens with %+v, want a comment", e)
	}
	return events
}

func nextOf(t *testing.T, events <-chan streamed) streamed {
	t.Helper()
	select {
	case e, ok := <-events:
		if !ok {
			t.Fatal("the stream ended")
		}
		return e
	case <-time.After(patience):
		t.Fatal("nothing came over the stream")
		return streamed{}
	}
}

// untilEvent skips events until one is as wanted.
func untilEvent(t *testing.T, events <-chan streamed, want func(streamed) bool) streamed {
	t.Helper()
	for {
		if e := nextOf(t, events); want(e) {
			return e
		}
	}
}

func attemptDone(seq float64) func(streamed) bool {
	return func(e streamed) bool { return e.name == "attempt" && e.data["seq"] == seq && e.data["end"] != "" }
}

func TestStream(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("a", "502, 200")
	post(t, client(t), url, `{"id":"0"}`)
	r.outcomes(1)
	events := r.stream(t, "") // what was before it is not shown
	post(t, client(t), url, `{"id":"1"}`)
	e := untilEvent(t, events, func(e streamed) bool { return e.name == "attempt" })
	if e.data["seq"] != 2.0 || e.data["class"] != "first" || e.data["key"] != "1" {
		t.Errorf("got %+v", e)
	}
	if e.data["end"] == "" { // else its outcome was there already
		e = untilEvent(t, events, attemptDone(2))
	}
	if e.data["status"] != 502.0 || e.id != "2" {
		t.Errorf("outcome: got %+v", e)
	}
	r.endpoint("b", "200")
	if e := untilEvent(t, events, func(e streamed) bool { return e.name == "endpoint" }); e.data["name"] != "b" {
		t.Errorf("endpoint: got %+v", e)
	}
	post(t, client(t), url, `{"id":"1"}`)
	untilEvent(t, events, func(e streamed) bool { return e.name == "attempt" && e.data["seq"] == 3.0 && e.data["effect"] != nil })
}

func TestStreamShowsARequestBeforeItsEnd(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("a", "timeout")
	events := r.stream(t, "")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"id":"1"}`))
		if err == nil {
			if resp, err := client(t).Do(req); err == nil {
				_ = resp.Body.Close()
			}
		}
	}()
	e := untilEvent(t, events, func(e streamed) bool { return e.name == "attempt" })
	if e.data["open"] != true || e.data["end"] != "" || e.id != "0" {
		t.Errorf("open request: got %+v, want to resume before it", e)
	}
	cancel()
	<-gone
	if e := untilEvent(t, events, attemptDone(1)); e.data["end"] != "peer-gone" || e.data["open"] != false || e.id != "1" {
		t.Errorf("its end: got %+v", e)
	}
}

func TestStreamResumes(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("a", "200"), client(t)
	for i := range 5 {
		post(t, c, url, fmt.Sprintf(`{"id":"%d"}`, i))
	}
	r.effects(5)
	events := r.stream(t, "2")
	for want := 3.0; want <= 5; want++ {
		if e := untilEvent(t, events, func(e streamed) bool { return e.name == "attempt" }); e.data["seq"] != want {
			t.Errorf("got %v, want %v", e.data["seq"], want)
		}
	}
	post(t, c, url, `{"id":"new"}`)
	untilEvent(t, events, attemptDone(6))
	for _, id := range []string{"x", "-1", "99999999999999999999"} {
		if status, a := r.api("GET", "/v1/stream", "", "Last-Event-ID", id); status != 400 {
			t.Errorf("Last-Event-ID %q: got %d %v", id, status, a)
		}
	}
}

// TestStreamOutlivesTheReadTimeout: the control listener bounds how long a request may take to be read, not to be answered.
func TestStreamOutlivesTheReadTimeout(t *testing.T) {
	t.Parallel()
	const timeout = time.Second // a busy machine has sent a request by then
	r := start(t, mockreceiver.Config{BodyTimeout: timeout})
	url := r.endpoint("a", "200")
	events := r.stream(t, "")
	waited := make(chan map[string]any, 1)
	go func() {
		_, a := r.api("GET", "/v1/wait?endpoint=a&count=1&timeout=60s", "")
		waited <- a
	}()
	<-time.After(2 * timeout) // twice the timeout, which must have no effect
	post(t, client(t), url, `{"id":"1"}`)
	untilEvent(t, events, attemptDone(1))
	if a := <-waited; a["reached"] != true {
		t.Errorf("wait: got %v", a)
	}
}

func TestStreamReadersAreBounded(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for range 16 {
		r.stream(t, "")
	}
	if status, a := r.api("GET", "/v1/stream", ""); status != 503 || !strings.Contains(fmt.Sprint(a["error"]), "16 readers") {
		t.Errorf("got %d %v", status, a)
	}
}

func TestCloseEndsTheStreamOfEvents(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	events := r.stream(t, "")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for {
		select {
		case _, ok := <-events:
			if !ok {
				return
			}
		case <-time.After(patience):
			t.Fatal("the stream outlives the receiver")
		}
	}
}
