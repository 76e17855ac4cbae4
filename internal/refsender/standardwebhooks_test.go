package refsender_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/refsender"
)

const standardScheme = "standard-webhooks-v1"

// standard is a contract by the Standard Webhooks specification: the id only in a header, the event time as timestamp.
func standard(t *testing.T) *contract.Contract {
	t.Helper()
	c := fast(t)
	c.Name = "standard-webhooks"
	c.Signature.Scheme = standardScheme
	c.Identity = &contract.Identity{Header: "webhook-id"}
	c.Envelope = &contract.Envelope{Type: "/type", Created: "/timestamp", Data: "/data"}
	c.Schedule.Waits[1] = 1100 * time.Millisecond // more than the unit of the signed time
	return c
}

func TestStandardWebhooks(t *testing.T) {
	r := newRig(t, refsender.Config{Contract: standard(t)})
	r.plan("/a", status(503), status(200))
	ep, issued := r.registerAs(map[string]any{"url": r.URL + "/a"})
	if !strings.HasPrefix(issued, "whsec_") {
		t.Fatal("the issued key has not the scheme's form")
	}
	id := r.emit(ep, map[string]int{"n": 1})
	r.ended(id, ep, "delivered")
	var rotated struct{ Secret string }
	r.post(ep, "rotate", nil, &rotated, 200)
	if got := r.call("POST", "/v1/events/"+id+"/deliveries/"+ep+"/replay", `{"reason":"r"}`, nil); got != 202 {
		t.Fatalf("replay: %d", got)
	}
	r.ended(id, ep, "delivered")

	hits := r.at("/a")
	if len(hits) != 3 {
		t.Fatalf("%d requests, want 3", len(hits))
	}
	var times []int
	for i, want := range [][]int{{0}, {0}, {0, 1}} {
		h := hits[i]
		if diff := cmp.Diff(want, verifies(t, standardScheme, h, issued, rotated.Secret)); diff != "" {
			t.Errorf("keys of request %d: %s", i+1, diff)
		}
		if got := h.head.Values("webhook-id"); !slices.Equal(got, []string{id}) {
			t.Errorf("webhook-id of request %d: %q", i+1, got)
		}
		if string(h.body) != string(hits[0].body) {
			t.Errorf("request %d has other bytes", i+1)
		}
		at, err := strconv.Atoi(h.head.Get("webhook-timestamp"))
		if err != nil {
			t.Errorf("webhook-timestamp of request %d: %v", i+1, err)
		}
		times = append(times, at)
	}
	if times[1] <= times[0] {
		t.Errorf("signed at %v: not anew on each attempt", times)
	}
	var body map[string]any
	if err := json.Unmarshal(hits[0].body, &body); err != nil {
		t.Fatal(err)
	}
	at, _ := body["timestamp"].(string)
	if _, err := time.Parse(time.RFC3339, at); err != nil {
		t.Error(err)
	}
	delete(body, "timestamp")
	if diff := cmp.Diff(map[string]any{"type": "payment.succeeded", "data": map[string]any{"n": 1.0}}, body); diff != "" {
		t.Error(diff)
	}
}
