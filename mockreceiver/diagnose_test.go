package mockreceiver_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/mockreceiver"
)

// TestAttemptDetailNamesTheCause: a request tells its mistake, also where the key is that of another endpoint, and shows no key.
func TestAttemptDetailNamesTheCause(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	verify := func(key string) *mockreceiver.Verify {
		return &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{key}}
	}
	url := r.add(mockreceiver.Endpoint{Name: "orders", Verify: verify(keyOne)})
	r.add(mockreceiver.Endpoint{Name: "billing", Verify: verify(keyTwo)})
	upper := signed(t, url, "x", 0, keyOne)
	tag, sum, ok := strings.Cut(upper.Header.Get("X-Webhook-Signature"), "v1=")
	if !ok {
		t.Fatal("the header has no signature")
	}
	upper.Header.Set("X-Webhook-Signature", tag+"v1="+strings.ToUpper(sum))
	requests := []*http.Request{
		signed(t, url, "x", 0, keyOne), signed(t, url, "x", 0, keyTwo), signed(t, url, "x", 0, keyOne+"\n"), signed(t, url, "x", 3*time.Hour, keyOne),
		signed(t, url, "x", 47*time.Minute, keyOne), signed(t, url, "x", 0, "stranger"), upper,
	}
	for _, req := range requests {
		send(t, req)
	}
	r.arrivals(len(requests))
	for seq, want := range [][]any{{}, {"key-of-another-endpoint"}, {"key-line-end"}, {"stale-by-time-zone"}, {"stale"}, {}, {"value-case"}} {
		d, ok := r.get(t, "/v1/attempts/"+string(rune('1'+seq)))["signature_detail"].(map[string]any)
		if !ok {
			t.Fatalf("request %d has no signature detail", seq+1)
		}
		if diff := cmp.Diff(any(want), d["causes"]); diff != "" {
			t.Errorf("request %d: %s (%v)", seq+1, diff, d["detail"])
		}
		if text, _ := d["detail"].(string); strings.Contains(text, keyOne) || strings.Contains(text, keyTwo) {
			t.Errorf("request %d shows a key: %s", seq+1, text)
		}
	}
}
