package refsender_test

import (
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/internal/refsender"
)

// TestSignatureInTheBody: a scheme without a header of its own signs each attempt inside its body, and the newest key alone.
func TestSignatureInTheBody(t *testing.T) {
	t.Parallel()
	c := standard(t)
	c.Signature.Scheme = "mailgun"
	r := newRig(t, refsender.Config{Contract: c})
	r.plan("/a", status(503), status(200))
	ep, issued := r.registerAs(map[string]any{"url": r.URL + "/a"})
	r.ended(r.emit(ep, map[string]int{"n": 1}), ep, "delivered")
	scheme, err := signature.Lookup("mailgun")
	if err != nil {
		t.Fatal(err)
	}
	var times []time.Time
	for i, h := range r.at("/a") {
		f := scheme.Verify(h.head, h.body, issued)
		if !f.OK() {
			t.Errorf("request %d: %s (%s): %s", i+1, f.Reason, f.Detail, h.body)
		}
		times = append(times, f.SignedAt)
	}
	if len(times) != 2 || !times[1].After(times[0]) {
		t.Errorf("signed at %v: not anew on each attempt", times)
	}
}
