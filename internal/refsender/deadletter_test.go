package refsender_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/refsender"
)

func TestPermanentFailureIsDeadLetteredAtOnce(t *testing.T) {
	r := newRig(t, refsender.Config{})
	r.plan("/a", status(404))
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, map[string]string{"k": "v"})
	log := r.ended(id, ep, "dead-lettered")
	if len(log.Attempts) != 1 || log.LastFailure != "status 404" {
		t.Errorf("log %+v", log)
	}
	d := r.deadLetters(ep)
	if len(d) != 1 {
		t.Fatalf("dead letters %+v", d)
	}
	if d[0].Event != id || d[0].Endpoint != ep || d[0].Attempts != 1 || d[0].LastStatus != 404 ||
		d[0].Reason != "permanent failure: status 404" || !strings.Contains(d[0].Hint, "configuration") ||
		d[0].Payload != string(r.at("/a")[0].body) || d[0].Replays == nil {
		t.Errorf("dead letter %+v", d[0])
	}
}

// TestASuccessfulStatusCanBeAFailure: what a contract takes for a success is its own.
func TestASuccessfulStatusCanBeAFailure(t *testing.T) {
	t.Parallel()
	c := fast(t)
	c.Answers.Success, c.Answers.Retry = contract.Codes{"200"}, contract.Codes{"202"}
	r := newRig(t, refsender.Config{Contract: c})
	r.plan("/a", status(202), status(201))
	ep := r.register(r.URL + "/a")
	log := r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
	if d := r.deadLetters(ep); len(log.Attempts) != 2 || log.LastFailure != "status 201" || len(d) != 1 || d[0].Reason != "permanent failure: status 201" {
		t.Errorf("log %+v, dead letters %+v", log, d)
	}
}

func TestAttemptsUsedUp(t *testing.T) {
	r := newRig(t, refsender.Config{})
	r.plan("/a", status(503))
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, struct{}{})
	r.ended(id, ep, "dead-lettered")
	if n := len(r.at("/a")); n != 4 {
		t.Errorf("%d attempts, want 4", n)
	}
	if got := r.deadLetters(ep)[0].Reason; got != "attempts used up: 4 of 4 failed, the last with status 503" {
		t.Errorf("reason %q", got)
	}
}

func TestDeadlineCutsTheSchedule(t *testing.T) {
	c := fast(t)
	c.Schedule.Waits[2] = 2 * ample // what lies beyond the deadline is not waited for
	c.Schedule.Deadline = ample
	c.RetryAfter.Cap = 2 * ample
	r := newRig(t, refsender.Config{Contract: c})
	r.plan("/a", status(503))
	r.plan("/ra", status(429, "Retry-After", "5"))
	for path, want := range map[string]int{"/a": 2, "/ra": 1} {
		ep := r.register(r.URL + path)
		r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
		if n := len(r.at(path)); n != want {
			t.Errorf("%s: %d attempts, want %d", path, n, want)
		}
		if got := r.deadLetters(ep)[0].Reason; !strings.HasPrefix(got, "deadline: ") || !strings.Contains(got, "status") {
			t.Errorf("%s: reason %q", path, got)
		}
	}
}

func TestDisablingAnswerStopsTheEndpoint(t *testing.T) {
	c := fast(t)
	c.Answers.Disable = contract.Codes{"410"}
	c.Schedule.Waits[1] = patience // it is cancelled before
	r := newRig(t, refsender.Config{Contract: c})
	r.plan("/a", status(503), status(410))
	ep := r.register(r.URL + "/a")
	pending := r.emit(ep, struct{}{})
	r.next(t)
	r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
	if log := r.ended(pending, ep, "dead-lettered"); len(log.Attempts) != 1 {
		t.Errorf("the pending retry was made: %+v", log)
	}
	in := map[string]any{"type": "a.b", "endpoint": ep, "data": struct{}{}}
	if got := r.call("POST", "/v1/events", in, nil); got != 409 {
		t.Errorf("emit to a disabled endpoint: %d, want 409", got)
	}
}

func TestReplay(t *testing.T) {
	r := newRig(t, refsender.Config{})
	r.plan("/a", status(404), status(500), status(200))
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, map[string]int{"n": 1})
	path := "/v1/events/" + id + "/deliveries/" + ep + "/replay"
	r.ended(id, ep, "dead-lettered")

	for i, want := range []string{"dead-lettered", "delivered"} {
		if got := r.call("POST", path, map[string]string{"reason": "mended"}, nil); got != 202 {
			t.Fatalf("replay: %d", got)
		}
		log := r.ended(id, ep, want)
		if len(log.Attempts) != i+2 || log.Attempts[i+1].Trigger != "replay" {
			t.Errorf("log after replay %d: %+v", i+1, log)
		}
	}
	hits := r.at("/a")
	if len(hits) != 3 {
		t.Fatalf("%d requests, want 3: a replay is one attempt", len(hits))
	}
	for _, h := range hits {
		signedAt(t, h)
		if h.id() != id || string(h.body) != string(hits[0].body) {
			t.Errorf("replay changed id or bytes: %q %s", h.id(), h.body)
		}
	}
	d := r.deadLetters(ep)
	if len(d) != 1 || d[0].Reason != "permanent failure: status 404" || d[0].Attempts != 1 {
		t.Fatalf("dead letters %+v", d)
	}
	type record struct {
		Outcome, Error, Reason string
		Status                 int
	}
	var got []record
	for _, p := range d[0].Replays {
		got = append(got, record{p.Outcome, p.Error, p.Reason, p.Status})
	}
	want := []record{{"failed", "status 500", "mended", 500}, {"delivered", "", "mended", 200}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReplayOfDeliveredEventThatFailsLeavesItDelivered(t *testing.T) {
	r := newRig(t, refsender.Config{})
	r.plan("/a", status(200), status(500))
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, struct{}{})
	r.ended(id, ep, "delivered")
	if got := r.call("POST", "/v1/events/"+id+"/deliveries/"+ep+"/replay", map[string]string{"reason": "again"}, nil); got != 202 {
		t.Fatalf("replay: %d", got)
	}
	if log := r.ended(id, ep, "delivered"); len(log.Attempts) != 2 || log.LastFailure != "status 500" {
		t.Errorf("log %+v", log)
	}
}

func TestReplayIsRefusedWhilePendingOrInFlight(t *testing.T) {
	c := fast(t)
	c.Schedule.Waits[1] = patience
	r := newRig(t, refsender.Config{Contract: c})
	release := make(chan struct{})
	r.plan("/flight", hold(release))
	r.plan("/pending", status(500))
	for _, path := range []string{"/flight", "/pending"} {
		ep := r.register(r.URL + path)
		id := r.emit(ep, struct{}{})
		r.next(t)
		if got := r.call("POST", "/v1/events/"+id+"/deliveries/"+ep+"/replay", map[string]string{"reason": "now"}, nil); got != 409 {
			t.Errorf("replay at %s: %d, want 409", path, got)
		}
	}
	close(release)
}
