package refsender_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/internal/refsender"
)

// run delivers one event of an object that changes before the second attempt, with a signed second between the attempts,
// then replays it; every promise but the defect's own must hold.
func run(t *testing.T, defect string) []hit {
	t.Helper()
	c := fast(t)
	c.Schedule.Waits[1] = 1100 * time.Millisecond
	r := newRig(t, refsender.Config{Contract: c, Defect: defect})
	r.plan("/a", status(502), status(200))
	ep := r.register(r.URL + "/a")
	id := r.emitAs(map[string]any{"type": "order.updated", "endpoint": ep, "object": "order/1", "data": map[string]int{"v": 1}})
	r.next(t)
	if got := r.call("PUT", "/v1/objects/order%2F1", `{"data":{"v":2}}`, nil); got != 204 {
		t.Fatalf("change object: %d", got)
	}
	r.ended(id, ep, "delivered")
	if got := r.call("POST", "/v1/events/"+id+"/deliveries/"+ep+"/replay", `{"reason":"again"}`, nil); got != 202 {
		t.Fatalf("replay: %d", got)
	}
	r.ended(id, ep, "delivered")
	hits := r.at("/a")
	if len(hits) != 3 {
		t.Fatalf("%d requests, want 3", len(hits))
	}
	if hits[0].id() != id || hits[2].id() != id || string(hits[2].body) != string(hits[0].body) {
		t.Errorf("first attempt or replay is not of the event: %q %q", hits[0].id(), hits[2].id())
	}
	for _, h := range hits {
		signedAt(t, h)
	}
	if !signedAt(t, hits[2]).After(signedAt(t, hits[0])) {
		t.Error("the replay's signature is not fresh")
	}
	return hits
}

func TestDefectsOfTheRequest(t *testing.T) {
	for _, tc := range []struct {
		defect                    string
		sameID, sameBody, resigns bool
	}{
		{"", true, true, true},
		{"id-new-on-retry", false, false, true},
		{"body-rebuilt-on-retry", true, false, true},
		{"ts-stale-on-retry", true, true, false},
	} {
		t.Run("defect "+tc.defect, func(t *testing.T) {
			t.Parallel()
			hits := run(t, tc.defect)
			if got := hits[0].id() == hits[1].id(); got != tc.sameID {
				t.Errorf("same id on retry: %v, want %v", got, tc.sameID)
			}
			if got := string(hits[0].body) == string(hits[1].body); got != tc.sameBody {
				t.Errorf("same bytes on retry: %v, want %v", got, tc.sameBody)
			}
			if got := signedAt(t, hits[1]).After(signedAt(t, hits[0])); got != tc.resigns {
				t.Errorf("signed anew on retry: %v, want %v", got, tc.resigns)
			}
			if !strings.Contains(string(hits[1].body), `"id":"`+hits[1].id()+`"`) {
				t.Errorf("ids in header and body differ: %q, %s", hits[1].id(), hits[1].body)
			}
		})
	}
}

func TestRebuiltBodyOfAnUnchangedObjectIsTheSame(t *testing.T) {
	r := newRig(t, refsender.Config{Defect: "body-rebuilt-on-retry"})
	r.plan("/a", status(502), status(200))
	ep := r.register(r.URL + "/a")
	r.ended(r.emit(ep, map[string]string{"text": "<é>", "n": "1"}), ep, "delivered")
	hits := r.at("/a")
	if string(hits[0].body) != string(hits[1].body) {
		t.Errorf("%s\n%s", hits[0].body, hits[1].body)
	}
}

func TestNoRetryTimeout(t *testing.T) {
	r := newRig(t, refsender.Config{Defect: "no-retry-timeout"})
	r.plan("/a", hang, status(200))
	r.plan("/b", status(500), status(200))
	a, b := r.register(r.URL+"/a"), r.register(r.URL+"/b")
	r.ended(r.emit(a, struct{}{}), a, "dead-lettered")
	r.ended(r.emit(b, struct{}{}), b, "delivered")
	if n := len(r.at("/a")); n != 1 {
		t.Errorf("%d attempts, want 1", n)
	}
}

func TestRetryAfterIgnored(t *testing.T) {
	r := newRig(t, refsender.Config{Defect: "ra-ignored"})
	r.plan("/a", status(429, "Retry-After", "3"), status(200))
	ep := r.register(r.URL + "/a")
	r.ended(r.emit(ep, struct{}{}), ep, "delivered")
	hits := r.at("/a")
	if gap := hits[1].at.Sub(hits[0].at); gap > 2*time.Second {
		t.Errorf("retried after %v: Retry-After was heeded", gap)
	}
}

func TestSilent(t *testing.T) {
	r := newRig(t, refsender.Config{Defect: "silent"})
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, struct{}{})
	r.stop() // everything that was started has ended
	if n := len(r.at("/a")); n != 0 {
		t.Errorf("%d requests for %s", n, id)
	}
}

func TestDefectsHaveWhatTheListShows(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range refsender.Defects() {
		if d.Name == "" || d.Title == "" || d.MustFail == "" || seen[d.Name] {
			t.Errorf("defect %+v is incomplete or twice in the list", d)
		}
		seen[d.Name] = true
	}
}
