package refsender_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/internal/refsender"
)

const (
	scheme = "timestamp-v1"
	second = "canary-second-9a1b"
	third  = "canary-third-77c0"
)

// rotation is a sender whose contract has a short overlap, with one endpoint.
func rotation(t *testing.T, defect string, overlap time.Duration) (r *rig, endpoint string) {
	t.Helper()
	c := fast(t)
	c.Keys.Overlap = overlap
	r = newRig(t, refsender.Config{Contract: c, Defect: defect})
	return r, r.register(r.URL + "/a")
}

// signers emits an event and tells which of the secrets signed its first request, by index.
func (r *rig) signers(endpoint string) []int {
	r.t.Helper()
	r.ended(r.emit(endpoint, struct{}{}), endpoint, "delivered")
	hits := r.at("/a")
	return verifies(r.t, scheme, hits[len(hits)-1], secret, second, third)
}

func TestRotationOverlapsOldAndNew(t *testing.T) {
	r, ep := rotation(t, "", time.Hour)
	var out struct {
		Ends time.Time `json:"overlap_ends_at"`
	}
	before := time.Now()
	r.post(ep, "rotate", map[string]string{"secret": second}, &out, 200)
	if d := out.Ends.Sub(before); d < time.Hour || d > time.Hour+patience {
		t.Errorf("the overlap ends %v after the rotation, promised 1 h", d)
	}
	if diff := cmp.Diff([]int{0, 1}, r.signers(ep)); diff != "" {
		t.Error(diff)
	}
	r.post(ep, "rotate", map[string]string{"secret": third}, nil, 200)
	if diff := cmp.Diff([]int{0, 1, 2}, r.signers(ep)); diff != "" {
		t.Errorf("after a second rotation inside the first overlap: %s", diff)
	}
}

func TestOldKeySignsNoMoreAfterTheOverlap(t *testing.T) {
	r, ep := rotation(t, "", time.Millisecond)
	var out struct {
		Ends time.Time `json:"overlap_ends_at"`
	}
	r.post(ep, "rotate", map[string]string{"secret": second}, &out, 200)
	r.waitFor("the end of the overlap", func() bool { return time.Now().After(out.Ends) })
	if diff := cmp.Diff([]int{1}, r.signers(ep)); diff != "" {
		t.Error(diff)
	}
}

func TestRevokedKeySignsNothingMore(t *testing.T) {
	t.Parallel()
	c := fast(t)
	c.Schedule.Waits[1] = ample
	r := newRig(t, refsender.Config{Contract: c})
	r.plan("/a", status(404), status(503), status(200))
	ep := r.register(r.URL + "/a")
	dead := r.emit(ep, struct{}{})
	r.ended(dead, ep, "dead-lettered")
	pending := r.emit(ep, struct{}{})
	r.waitFor("the second event's first attempt", func() bool { return len(r.at("/a")) == 2 })
	r.post(ep, "rotate", map[string]string{"secret": second}, nil, 200)
	r.post(ep, "revoke", map[string]string{"secret": third}, nil, 200)
	r.ended(pending, ep, "delivered")
	if got := r.call("POST", "/v1/events/"+dead+"/deliveries/"+ep+"/replay", `{"reason":"r"}`, nil); got != 202 {
		t.Fatalf("replay: %d", got)
	}
	r.ended(dead, ep, "delivered")
	hits := r.at("/a")
	if len(hits) != 4 {
		t.Fatalf("%d requests, want 4", len(hits))
	}
	for _, h := range hits[2:] {
		if diff := cmp.Diff([]int{2}, verifies(t, scheme, h, secret, second, third)); diff != "" {
			t.Errorf("queued retry or replay: %s", diff)
		}
	}
}

func TestIssuedKeysAreShownOnce(t *testing.T) {
	r := newRig(t, refsender.Config{})
	id, first := r.registerAs(map[string]any{"url": r.URL + "/a"})
	var rotated, revoked struct{ Secret string }
	r.post(id, "rotate", nil, &rotated, 200)
	r.post(id, "revoke", nil, &revoked, 200)
	if first == "" || rotated.Secret == "" || revoked.Secret == "" || first == rotated.Secret || rotated.Secret == revoked.Secret {
		t.Error("a key is missing, or issued twice")
	}
	r.ended(r.emit(id, struct{}{}), id, "delivered")
	if diff := cmp.Diff([]int{2}, verifies(t, scheme, r.at("/a")[0], first, rotated.Secret, revoked.Secret)); diff != "" {
		t.Error(diff)
	}
	var shown map[string]any
	if got := r.call("GET", "/v1/endpoints/"+id, nil, &shown); got != 200 {
		t.Fatalf("read endpoint: %d", got)
	}
	want := map[string]any{
		"id": id, "url": r.URL + "/a", "types": []any{}, "tenant": "", "environment": "", "headers": map[string]any{}, "state": "enabled",
		"disabled_reason": "",
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
}

func TestKeysOfAnUnsignedContract(t *testing.T) {
	c := fast(t)
	c.Signature = nil
	r := newRig(t, refsender.Config{Contract: c})
	id, issued := r.registerAs(map[string]any{"url": r.URL + "/a"})
	if issued != "" {
		t.Error("a key is issued although nothing is signed")
	}
	r.post(id, "rotate", nil, nil, 409)
	r.ended(r.emit(id, struct{}{}), id, "delivered")
}
