package mockreceiver

import (
	"bytes"
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// TestAPeerIsNotLateForOurWaits has a large body wait for the room of another one, longer than a peer may take for a body.
func TestAPeerIsNotLateForOurWaits(t *testing.T) {
	t.Parallel()
	// A machine that stands still for a second must not look like the peer.
	const limit = 3 * time.Second
	r, err := Listen(t.Context(), Config{BodyTimeout: limit}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	url, err := r.AddEndpoint(Endpoint{Name: "e", Plan: fault.OK()})
	if err != nil {
		t.Fatal(err)
	}
	r.budget.growing.Lock()
	answered := make(chan int, 1)
	go func() { answered <- postLarge(t, url) }()
	for r.budget.used(r.cfg.MaxInFlight) <= 2*piece { // it has taken the room that it waits for
		select {
		case got := <-answered:
			t.Fatalf("answered %d, and nothing waits", got)
		case <-time.After(time.Millisecond):
		}
	}
	<-time.After(limit + limit/4)
	r.budget.growing.Unlock()
	if got := <-answered; got != http.StatusOK {
		t.Errorf("answered %d for a delay of our own", got)
	}
}

func postLarge(t *testing.T, url string) int {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(make([]byte, 1<<20)))
	if err != nil {
		t.Error(err)
		return 0
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}
