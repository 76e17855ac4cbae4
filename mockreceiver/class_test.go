package mockreceiver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// classes are those of all requests, oldest first, as the API tells them.
func (r *rig) classes(t *testing.T) []string {
	t.Helper()
	out := []string{}
	for _, a := range r.get(t, "/v1/attempts?after=0&limit=100")["attempts"].([]any) {
		out = append(out, a.(map[string]any)["class"].(string))
	}
	return out
}

// TestClassOfWhatGoSendsAgain: Go's client repeats a request by itself when a kept connection dies under it and the request
// says that this is safe. The API must not call that a retry of the sender's.
func TestClassOfWhatGoSendsAgain(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("a", "200")
	if err := r.SetPlan("a", "2", mustPlan(t, "reset, 200")); err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	c := &http.Client{Transport: tr, Timeout: patience}
	for _, id := range []string{"1", "2"} {
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Idempotency-Key", id)
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}
	r.outcomes(3)
	if d := cmp.Diff([]string{"first", "first", "transport-replay"}, r.classes(t)); d != "" {
		t.Error(d)
	}
	detail := r.get(t, "/v1/attempts/3")
	if detail["class_of"] != 2.0 || !strings.Contains(detail["class_because"].(string), "request 2") {
		t.Errorf("got %v of %v", detail["class_because"], detail["class_of"])
	}
}

// TestClassOfWhatTheContractLetsCome: what comes no sooner than the next attempt may come is that attempt.
func TestClassOfWhatTheContractLetsCome(t *testing.T) {
	for want, soonest := range map[string]time.Duration{"retry": 0, "transport-replay": time.Hour} {
		t.Run(want, func(t *testing.T) {
			r := start(t, mockreceiver.Config{Window: func(int, *journal.Attempt) (mockreceiver.Window, bool) {
				return mockreceiver.Window{Min: soonest, Max: 2 * time.Hour}, true
			}})
			r.endpoint("a", "200")
			if err := r.SetPlan("a", "2", mustPlan(t, "reset, 200")); err != nil {
				t.Fatal(err)
			}
			w := r.dial()
			for i, id := range []string{"1", "2", "2"} {
				w.send(fmt.Sprintf("PUT /hooks/a HTTP/1.1\r\nHost: h\r\nwebhook-id: %s\r\nContent-Length: 2\r\n\r\n{}", id))
				if id == "1" {
					w.answer()
				} else if r.outcomes(i + 1); i == 1 {
					w = r.dial()
				}
			}
			if d := cmp.Diff([]string{"first", "first", want}, r.classes(t)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestClassOfWhatGoSendsAgainOverHTTP2(t *testing.T) {
	for _, plan := range []string{"goaway(before), 200", "rst-stream(REFUSED_STREAM), 200"} {
		t.Run(plan, func(t *testing.T) {
			r := secure(t)
			url := r.endpoint("e", plan)
			if status, _ := post(t, r.trusting(true), url, "x"); status != 200 {
				t.Fatalf("got %d, want 200", status)
			}
			r.outcomes(2)
			if d := cmp.Diff([]string{"first", "transport-replay"}, r.classes(t)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestClassOfConcurrentCopies(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{})
	url := r.endpoint("a", "200(delay=2s), 200(delay=2s), 200") // a busy machine has sent both by then
	done := make(chan error, 2)
	for i := range 2 {
		go func() {
			_, _, err := try(client(t), url, `{"id":"1"}`)
			done <- err
		}()
		r.arrivals(i + 1)
	}
	if d := cmp.Diff([]string{"first", "concurrent-duplicate"}, r.classes(t)); d != "" {
		t.Errorf("while both are open: %s", d)
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	r.outcomes(2)
	post(t, client(t), url, `{"id":"1"}`)
	if d := cmp.Diff([]string{"first", "concurrent-duplicate", "duplicate-after-success"}, r.classes(t)); d != "" {
		t.Error(d)
	}
}

func TestClassOfAnOlderEvent(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	fields := mockreceiver.DefaultFields()
	if _, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "a", Fields: &fields}); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{
		`{"id":"2","type":"order.paid","created":200,"data":{"id":"o_1"}}`,
		`{"id":"1","type":"order.made","created":100,"data":{"id":"o_1"}}`,
		`{"id":"3","type":"order.made","created":50,"data":{"id":"o_2"}}`,
	} {
		post(t, client(t), r.DataURL()+"/hooks/a", body)
	}
	r.effects(3)
	if d := cmp.Diff([]string{"first", "reordered", "first"}, r.classes(t)); d != "" {
		t.Error(d)
	}
}
