package refsender_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/refsender"
)

type shown struct {
	State, Tenant, Environment string
	Reason                     string `json:"disabled_reason"`
	Types                      []string
}

func (c client) endpoint(id string) shown {
	c.t.Helper()
	var out shown
	if got := c.call("GET", "/v1/endpoints/"+id, nil, &out); got != 200 {
		c.t.Fatalf("read endpoint: %d", got)
	}
	return out
}

// ample is a wait before a second attempt in which a test acts, also where its machine stalls.
const ample = 3 * time.Second

// retrying has one event that waits for its second attempt.
func retrying(t *testing.T, cfg refsender.Config, wait, deadline time.Duration) (r *rig, endpoint, event string) {
	t.Helper()
	c := fast(t)
	c.Schedule.Waits[1] = wait
	c.Schedule.Deadline = deadline
	cfg.Contract = c
	r = newRig(t, cfg)
	r.plan("/a", status(503), status(200))
	endpoint = r.register(r.URL + "/a")
	event = r.emit(endpoint, struct{}{})
	r.waitFor("the first attempt on record", func() bool { return len(r.delivery(event, endpoint).Attempts) == 1 })
	return r, endpoint, event
}

func TestDisabledEndpointGetsNothingUntilEnabled(t *testing.T) {
	t.Parallel()
	r, ep, id := retrying(t, refsender.Config{}, ample, time.Minute)
	planned := *r.delivery(id, ep).NextAttempt
	r.post(ep, "disable", nil, nil, 204)
	r.post(ep, "disable", nil, nil, 204)
	if got := r.endpoint(ep); got.State != "disabled" || got.Reason == "" {
		t.Errorf("endpoint %+v", got)
	}
	if log := r.delivery(id, ep); log.State != "pending" || log.NextAttempt != nil {
		t.Errorf("held delivery: %+v", log)
	}
	if got := r.call("POST", "/v1/events", map[string]any{"type": "a.b", "endpoint": ep, "data": struct{}{}}, nil); got != 409 {
		t.Errorf("emit to a disabled endpoint: %d", got)
	}
	// An event of another endpoint that ends later than the retry was due proves that its time has come and gone.
	other := r.register(r.URL + "/b")
	r.waitFor("the planned time", func() bool { return time.Now().After(planned.Add(50 * time.Millisecond)) })
	r.ended(r.emit(other, struct{}{}), other, "delivered")
	if n := len(r.at("/a")); n != 1 {
		t.Fatalf("%d requests while disabled", n)
	}
	before := time.Now()
	r.post(ep, "enable", nil, nil, 204)
	log := r.ended(id, ep, "delivered")
	if len(log.Attempts) != 2 || log.Attempts[1].At.Before(before) {
		t.Errorf("log %+v", log)
	}
	if got := r.endpoint(ep); got.State != "enabled" || got.Reason != "" {
		t.Errorf("endpoint %+v", got)
	}
}

func TestEnabledInTimeKeepsThePlan(t *testing.T) {
	t.Parallel()
	r, ep, id := retrying(t, refsender.Config{}, ample, time.Minute)
	planned := *r.delivery(id, ep).NextAttempt
	r.post(ep, "disable", nil, nil, 204)
	r.post(ep, "enable", nil, nil, 204)
	if next := r.delivery(id, ep).NextAttempt; next == nil || !next.Equal(planned) {
		t.Errorf("next attempt at %v, was planned for %v", next, planned)
	}
	log := r.ended(id, ep, "delivered")
	if at := log.Attempts[1].At; at.Before(planned) {
		t.Errorf("attempt 2 at %v, planned for %v", at, planned)
	}
}

func TestDeadlineCountsWhileDisabled(t *testing.T) {
	t.Parallel()
	r, ep, id := retrying(t, refsender.Config{}, ample, 2*ample)
	r.post(ep, "disable", nil, nil, 204)
	log := r.ended(id, ep, "dead-lettered")
	if d := r.deadLetters(ep); len(log.Attempts) != 1 || len(d) != 1 ||
		d[0].Reason != "deadline: it passed while the endpoint was disabled; the attempt before failed with status 503" {
		t.Errorf("log %+v, dead letters %+v", log, d)
	}
}

func TestHoldOutlastsARestart(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "sender.db")
	r, ep, id := retrying(t, refsender.Config{DB: db}, ample, time.Minute)
	planned := *r.delivery(id, ep).NextAttempt
	r.post(ep, "disable", nil, nil, 204)
	r.stop()
	next := newRig(t, refsender.Config{DB: db})
	other := next.register(next.URL + "/b")
	next.waitFor("the planned time", func() bool { return time.Now().After(planned.Add(50 * time.Millisecond)) })
	next.ended(next.emit(other, struct{}{}), other, "delivered")
	if log := next.delivery(id, ep); log.State != "pending" || len(r.at("/a")) != 1 {
		t.Fatalf("%d requests, log %+v", len(r.at("/a")), log)
	}
	next.post(ep, "enable", nil, nil, 204)
	next.ended(id, ep, "delivered")
}

func TestHeldReplayGoesOn(t *testing.T) {
	c := fast(t)
	c.Workers = 2 // one request at a time for each endpoint, so that the replay waits behind the held request
	r := newRig(t, refsender.Config{Contract: c})
	release := make(chan struct{})
	r.plan("/a", status(404), hold(release), status(200))
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, struct{}{})
	r.ended(id, ep, "dead-lettered")
	blocker := r.emit(ep, struct{}{})
	r.waitFor("the blocking request", func() bool { return len(r.at("/a")) == 2 })
	if got := r.call("POST", "/v1/events/"+id+"/deliveries/"+ep+"/send-again", nil, nil); got != 202 {
		t.Fatalf("send again: %d", got)
	}
	r.post(ep, "disable", nil, nil, 204)
	close(release)
	r.ended(blocker, ep, "delivered")
	r.post(ep, "enable", nil, nil, 204)
	log := r.ended(id, ep, "delivered")
	if log.Attempts[1].Trigger != "replay" {
		t.Errorf("log %+v", log)
	}
	if got := r.deadLetters(ep)[0].Replays[0].Reason; got != "sent again at the subscriber's wish" {
		t.Errorf("reason %q", got)
	}
}

func TestDeletedEndpointGetsNothing(t *testing.T) {
	t.Parallel()
	r, ep, id := retrying(t, refsender.Config{}, ample, time.Minute)
	planned := *r.delivery(id, ep).NextAttempt
	if got := r.call("DELETE", "/v1/endpoints/"+ep, nil, nil); got != 204 {
		t.Fatalf("delete: %d", got)
	}
	d := r.deadLetters(ep)
	if len(d) != 1 || d[0].Event != id || d[0].LastStatus != 503 || d[0].Attempts != 1 ||
		d[0].Reason != "endpoint deleted: attempt 2 was cancelled; the attempt before failed with status 503" {
		t.Errorf("dead letters %+v", d)
	}
	for method, path := range map[string]string{
		"GET": "/v1/endpoints/" + ep, "DELETE": "/v1/endpoints/" + ep, "POST": "/v1/endpoints/" + ep + "/enable",
	} {
		if got := r.call(method, path, nil, nil); got != 404 {
			t.Errorf("%s %s: %d, want 404", method, path, got)
		}
	}
	if got := r.call("POST", "/v1/events", map[string]any{"type": "a.b", "endpoint": ep, "data": struct{}{}}, nil); got != 404 {
		t.Errorf("emit: %d, want 404", got)
	}
	if got := r.call("POST", "/v1/events/"+id+"/deliveries/"+ep+"/replay", `{"reason":"r"}`, nil); got != 409 {
		t.Errorf("replay: %d, want 409", got)
	}
	other := r.register(r.URL + "/b")
	r.waitFor("the planned time", func() bool { return time.Now().After(planned.Add(50 * time.Millisecond)) })
	r.ended(r.emit(other, struct{}{}), other, "delivered")
	if n := len(r.at("/a")); n != 1 {
		t.Errorf("%d requests, want none after the endpoint was deleted", n)
	}
}

func TestRequestInFlightAtADeletedEndpointIsTheLast(t *testing.T) {
	r := newRig(t, refsender.Config{})
	release := make(chan struct{})
	r.plan("/a", func(w http.ResponseWriter, q *http.Request) { hold(release)(w, q); w.WriteHeader(503) })
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, struct{}{})
	r.next(t)
	if got := r.call("DELETE", "/v1/endpoints/"+ep, nil, nil); got != 204 {
		t.Fatalf("delete: %d", got)
	}
	close(release)
	log := r.ended(id, ep, "dead-lettered")
	if d := r.deadLetters(ep); len(log.Attempts) != 1 || len(d) != 1 || !strings.HasPrefix(d[0].Reason, "endpoint deleted: attempt 2 was cancelled") ||
		d[0].LastStatus != 503 {
		t.Errorf("log %+v, dead letters %+v", log, d)
	}
}

func TestGoneEndpointCanBeEnabledAgain(t *testing.T) {
	c := fast(t)
	c.Answers.Disable = contract.Codes{"410"}
	r := newRig(t, refsender.Config{Contract: c})
	r.plan("/a", status(410), status(200))
	ep := r.register(r.URL + "/a")
	id := r.emit(ep, struct{}{})
	r.ended(id, ep, "dead-lettered")
	if got := r.endpoint(ep); got.State != "disabled" || !strings.Contains(got.Reason, "410") || !strings.Contains(got.Reason, id) {
		t.Errorf("endpoint %+v", got)
	}
	r.post(ep, "enable", nil, nil, 204)
	r.ended(r.emit(ep, struct{}{}), ep, "delivered")
}
