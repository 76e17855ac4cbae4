package mockreceiver_test

import (
	"context"
	"errors"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestRateLimit sends without a pause, so that a limit of two in a second must bite; who waits as long as it is told finds
// room.
func TestRateLimit(t *testing.T) {
	r := start(t, mockreceiver.Config{Memory: true}) // a slow disk would keep the limit by itself
	url, c := r.endpoint("e", "rate-limit(2)"), client(t)
	const requests = 12
	for range requests {
		post(t, c, url, "x")
	}
	var admitted, refused int
	for _, o := range r.outcomes(requests) {
		switch o.Status {
		case 200:
			admitted++
		case 429:
			refused++
			if got := (evidence.Head{Fields: o.Header}).Get("Retry-After"); got != "1" || o.Fault != "rate-limit" {
				t.Errorf("Retry-After %q, want 1; outcome: %+v", got, o)
			}
		}
	}
	if refused == 0 || admitted < 2 || refused+admitted != requests {
		t.Fatalf("%d admitted and %d refused of %d", admitted, refused, requests)
	}
	if other, _ := post(t, c, r.endpoint("other", "rate-limit(2)"), "x"); other != 200 {
		t.Errorf("another endpoint: got %d, want 200", other)
	}
	room := time.NewTimer(time.Second)
	defer room.Stop()
	<-room.C
	if got, _ := post(t, c, url, "x"); got != 200 {
		t.Errorf("after a second: got %d, want 200", got)
	}
}

func TestOutageComesAndGoes(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	before := time.Now() // the outage begins later
	url, c := r.endpoint("e", "outage(to=700ms, with=reset)"), client(t)
	if _, _, err := try(c, url, `{"id":"1"}`); !errors.Is(err, syscall.ECONNRESET) && time.Since(before) < 700*time.Millisecond {
		t.Errorf("during the outage: got %v, want ECONNRESET", err)
	}
	r.until("the end of the outage", func([]evidence.Record) bool {
		status, _, err := try(c, url, `{"id":"2"}`)
		return err == nil && status == 200
	})
	if since := time.Since(before); since < 700*time.Millisecond {
		t.Errorf("the outage ended after %s, want 700ms", since)
	}
	begun := time.Now()
	if err := r.ResetEndpoint(context.Background(), "e"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := try(c, url, `{"id":"3"}`); err == nil && time.Since(begun) < 700*time.Millisecond {
		t.Error("a reset endpoint is not as new: its outage is over")
	}
	down, _ := post(t, c, r.endpoint("down", "outage"), "x")
	if down != http.StatusServiceUnavailable {
		t.Errorf("an outage without an end: got %d, want 503", down)
	}
	if o := r.outcomes(1)[0]; o.Fault != "outage" || o.End != evidence.EndReset {
		t.Errorf("outcome: %+v", o)
	}
}
