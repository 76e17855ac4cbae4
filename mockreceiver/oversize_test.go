package mockreceiver_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/mockreceiver"
)

// TestLargeBodyOverTheLimit sends more than is kept of a body that is refused, with and without a declared length.
func TestLargeBodyOverTheLimit(t *testing.T) {
	const limit, kept = 2 << 20, 1 << 20
	r := start(t, mockreceiver.Config{MaxBody: limit, MaxInFlight: limit})
	url := r.endpoint("e", "200")
	body := strings.Repeat("0123456789abcdef", 3<<20/16)
	for i, sent := range []io.Reader{strings.NewReader(body), io.MultiReader(strings.NewReader(body))} {
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, sent)
		if err != nil {
			t.Fatal(err)
		}
		// The answer can come before the body is sent to its end, and the client may then lose it.
		if resp, err := client(t).Do(req); err == nil {
			if resp.StatusCode != http.StatusRequestEntityTooLarge {
				t.Errorf("got %d, want 413", resp.StatusCode)
			}
			_ = resp.Body.Close()
		}
		a := r.arrivals(i + 1)[i]
		if len(a.Body) != kept || string(a.Body) != body[:kept] || a.BodySize <= limit || a.BodySize > int64(len(body)) {
			t.Errorf("kept %d of %d bytes, want the first %d of more than %d", len(a.Body), a.BodySize, kept, limit)
		}
		if sum := sha256.Sum256([]byte(body[:a.BodySize])); a.BodySHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("the sum is not that of the %d bytes received", a.BodySize)
		}
		r.outcomes(i + 1)
	}
	r.untilInFlight("all are done with", func(held float64) bool { return held == 0 })
	// The budget is whole again: a body that uses all of it is taken.
	if status, _ := post(t, client(t), url, body[:limit]); status != http.StatusOK {
		t.Errorf("got %d for a body at the limit", status)
	}
	if a := r.arrivals(3)[2]; string(a.Body) != body[:limit] {
		t.Errorf("kept %d bytes of a body at the limit", len(a.Body))
	}
}

// TestTwoBodiesOfTheLargestSizeFit holds one in memory while the other comes: what grows takes no more of the budget than a whole body.
func TestTwoBodiesOfTheLargestSizeFit(t *testing.T) {
	const limit = 1 << 20
	r := start(t, mockreceiver.Config{MaxBody: limit, MaxInFlight: 2 * limit})
	r.endpoint("held", "timeout")
	url := r.endpoint("e", "200")
	body := strings.Repeat("0123456789abcdef", limit/16)
	w := r.dial()
	w.send(request("/hooks/held", body))
	r.arrivals(1)
	if status, _ := post(t, client(t), url, body); status != http.StatusOK {
		t.Errorf("got %d for the second body, want 200", status)
	}
	r.untilInFlight("the second body is done with", func(held float64) bool { return held <= limit })
	if status, _ := post(t, client(t), url, "x"); status != http.StatusOK {
		t.Errorf("got %d once the budget has room again, want 200", status)
	}
}

// TestLargeBodiesTakeTheirRoomFromTheBudget sends a body that is to grow: what it has room for counts, not only what has come.
func TestLargeBodiesTakeTheirRoomFromTheBudget(t *testing.T) {
	const limit = 1 << 20
	r := start(t, mockreceiver.Config{MaxBody: limit, MaxInFlight: limit})
	r.endpoint("held", "timeout")
	w := r.dial()
	w.send("POST /hooks/held HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n" + strings.Repeat("x", 250_000))
	// What has come stops at a quarter of it, and so does what is taken where only that counts.
	r.untilInFlight("more is taken from the budget than has come", func(held float64) bool { return held > 250_000 })
}

// untilInFlight waits until the bytes of bodies in flight are as they are to become. A request gives its own back a moment after its answer.
func (r *rig) untilInFlight(what string, enough func(held float64) bool) {
	r.t.Helper()
	for deadline := time.Now().Add(patience); !enough(r.scrape()["hookassay_body_bytes_in_flight"]); {
		if time.Now().After(deadline) {
			r.t.Fatalf("waited in vain until %s", what)
		}
	}
}
