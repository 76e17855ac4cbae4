package refsender_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// asksAtLeast is what both answers of asked ask for, less a clock's rounding: more than two seconds above the schedule's wait, so that a
// sender that ignores them is seen also where the machine stalls.
const asksAtLeast = 3990 * time.Millisecond

// asked are events that are to wait.
func (s *stage) asked() func() {
	date := func(w http.ResponseWriter, q *http.Request) {
		status(429, "Retry-After", time.Now().Add(5*time.Second).UTC().Format(http.TimeFormat))(w, q)
	}
	type one struct{ path, ep, id string }
	var all []one
	for path, answer := range map[string]http.HandlerFunc{"/asked": status(429, "Retry-After", "4"), "/date": date} {
		s.plan(path, answer, status(200))
		ep := s.register(s.URL + path)
		all = append(all, one{path, ep, s.emit(ep, struct{}{})})
	}
	return func() {
		for _, o := range all {
			s.settled(o.id, o.ep)
			h := s.at(o.path)
			if len(h) < 2 {
				s.holds(false, "retry.transient", "429 was not retried")
				continue
			}
			gap := h[1].at.Sub(h[0].at)
			s.holds(gap >= asksAtLeast, "backoff.retry-after", "%s: waited %v", o.path, gap)
		}
	}
}

// unanswered are events whose first attempt gets no answer.
func (s *stage) unanswered() func() {
	type one struct{ path, ep, id string }
	var all []one
	for path, fault := range map[string]http.HandlerFunc{"/hang": hang, "/reset": closeUnanswered} {
		s.plan(path, fault, status(200))
		ep := s.register(s.URL + path)
		all = append(all, one{path, ep, s.emit(ep, struct{}{})})
	}
	return func() {
		for _, o := range all {
			s.waitFor("the first attempt", func() bool { return len(s.at(o.path)) > 0 })
			if s.defective("timeout.request", o.path, o.id, o.ep) {
				continue
			}
			log := s.settled(o.id, o.ep)
			s.holds(log.State == "delivered", "retry.transient", "%s ended as %s", o.path, log.State)
			s.holds(len(log.Attempts) == len(s.at(o.path)), "log.complete", "%s: %d attempts on record for %d", o.path,
				len(log.Attempts), len(s.at(o.path)))
		}
	}
}

// defective tells whether the request at a path is still open long after the timeout, and notes that.
func (s *stage) defective(promise, path, id, ep string) bool {
	over := s.at(path)[0].at.Add(6 * time.Second) // the timeout and twice that for a busy machine
	for {
		if len(s.delivery(id, ep).Attempts) > 0 || len(s.at(path)) > 1 || s.delivery(id, ep).NextAttempt != nil {
			return false
		}
		if time.Now().After(over) {
			s.holds(false, promise, "no end of the request at %s", path)
			return true
		}
		<-time.After(10 * time.Millisecond) // the senders beside this one need the processor
	}
}

// exhausted is an event that always fails.
func (s *stage) exhausted() func() {
	codes := []int{500, 502, 503, 504}
	s.plan("/always", status(codes[0]), status(codes[1]), status(codes[2]), status(codes[3]))
	ep := s.register(s.URL + "/always")
	id := s.emit(ep, struct{}{})
	return func() {
		log := s.settled(id, ep)
		switch n := len(s.at("/always")); {
		case log.State == "delivered":
			s.holds(false, "outcome.failure", "500 is recorded as delivered")
			s.holds(false, "retry.transient", "500 is not retried")
			return
		case n == 1:
			s.holds(false, "retry.transient", "500 is not retried")
		default:
			s.holds(n == 4, "budget.attempts", "%d attempts, promised 4", n)
		}
		last := fmt.Sprintf("status %d", codes[min(len(codes), len(s.at("/always")))-1])
		s.holds(log.State == "dead-lettered" && log.LastFailure == last, "log.state", "%s, last failure %q", log.State, log.LastFailure)
		s.dead(ep, id, last, false)
	}
}

// dead judges the dead letter of an event.
func (s *stage) dead(ep, id, names string, hint bool) {
	i := slices.IndexFunc(s.deadLetters(ep), func(d deadLetter) bool { return d.Event == id })
	if i < 0 {
		s.holds(false, "dlq.entry", "there is none")
		return
	}
	d := s.deadLetters(ep)[i]
	s.holds(strings.Contains(d.Reason, names), "dlq.entry", "reason %q", d.Reason)
	s.holds(!hint || d.Hint != "", "dlq.hint", "there is none")
}

// disabled is an endpoint that is disabled while a retry is pending, and one that is deleted then.
func (s *stage) disabled() func() {
	off := map[string]time.Time{}
	for _, path := range []string{"/off", "/deleted"} {
		s.plan(path, status(503), status(200))
		ep := s.register(s.URL + path)
		id := s.emit(ep, struct{}{})
		s.waitFor("the first attempt's end", func() bool {
			log := s.delivery(id, ep)
			return len(log.Attempts) == 1 && log.NextAttempt != nil || log.State != "pending"
		})
		if path == "/off" {
			s.post(ep, "disable", nil, nil, 204)
		} else if got := s.call("DELETE", "/v1/endpoints/"+ep, nil, nil); got != 204 {
			s.t.Fatalf("delete: %d", got)
		}
		off[path] = time.Now()
	}
	return func() {
		for path, at := range off {
			s.waitFor("the time of a retry", func() bool { return time.Since(at) > stageWait+time.Second })
			for _, h := range s.at(path) {
				late := h.at.Sub(at) // 50 ms for a request that had started but was slow to arrive
				s.holds(late < 50*time.Millisecond, "life.stop", "a request at %s %v after the answer", path, late)
			}
		}
	}
}

// answered are events with an answer that ends them.
func (s *stage) answered() func() {
	s.plan("/dead", status(404), status(200))
	s.plan("/moved", status(302), status(200))
	s.plan("/created", status(201), status(200))
	return func() {
		for _, path := range []string{"/dead", "/moved"} {
			ep := s.register(s.URL + path)
			id := s.emit(ep, struct{}{})
			log := s.settled(id, ep)
			if n := len(s.at(path)); n > 1 {
				s.holds(false, "retry.permanent", "%d requests at %s", n, path)
				continue
			}
			if log.State == "delivered" {
				s.holds(false, "outcome.failure", "%s is recorded as delivered", path)
				continue
			}
			s.holds(log.State == "dead-lettered", "log.state", "%s is %s", path, log.State)
			s.dead(ep, id, "status", true)
		}
		ep := s.register(s.URL + "/created")
		log := s.settled(s.emit(ep, struct{}{}), ep)
		s.holds(len(s.at("/created")) == 1 && log.State == "delivered", "outcome.2xx", "%d requests, %s", len(s.at("/created")), log.State)
		s.settled(s.emit(ep, struct{}{}), ep)
		h := s.at("/created")
		s.holds(h[0].id() == "" || h[0].id() != h[len(h)-1].id(), "id.unique", "two events are sent as %s", h[0].id())
	}
}

// gone is an endpoint that answers 410.
func (s *stage) gone() func() {
	s.plan("/gone", status(410))
	return func() {
		ep := s.register(s.URL + "/gone")
		log := s.settled(s.emit(ep, struct{}{}), ep)
		if log.State == "delivered" {
			s.holds(false, "outcome.failure", "410 is recorded as delivered")
			return
		}
		if got := s.call("POST", "/v1/events", map[string]any{"type": "a.b", "endpoint": ep, "data": struct{}{}}, nil); got == 202 {
			s.waitFor("the second request", func() bool { return len(s.at("/gone")) > 1 })
			s.holds(false, "life.stop", "another event is sent after 410")
		}
		s.holds(s.endpoint(ep).State == "disabled", "life.stop", "the endpoint is not disabled")
	}
}

// scoped are events that an endpoint must not get.
func (s *stage) scoped() func() {
	return func() {
		id, _ := s.registerAs(map[string]any{"url": s.URL + "/paid", "types": []string{"invoice.paid"}, "tenant": "scoped"})
		s.emitAs(map[string]any{"type": "invoice.created", "tenant": "scoped", "data": struct{}{}})
		s.call("POST", "/v1/events", map[string]any{"type": "invoice.paid", "tenant": "scoped", "data": struct{}{}, "rolled_back": true}, nil)
		last := s.emitAs(map[string]any{"type": "invoice.paid", "tenant": "scoped", "data": struct{}{}})
		s.settled(last, id)
		for _, h := range s.at("/paid") {
			s.holds(!strings.Contains(string(h.body), `created","created"`), "scope.match", "%s", h.body)
		}
		paid := slices.DeleteFunc(s.at("/paid"), func(h hit) bool { return !strings.Contains(string(h.body), "paid") })
		s.holds(len(paid) == 1 || s.broken["id.unique"] != "", "durable.no-phantom", "%d requests for one event that was not rolled back", len(paid))
	}
}

// keys are rotation, revocation and the separation of keys.
func (s *stage) keys() func() {
	return func() {
		ep := s.register(s.URL + "/keys")
		signed := func(want ...int) {
			s.settled(s.emit(ep, struct{}{}), ep)
			h := s.at("/keys")
			got := verifies(s.t, s.scheme, h[len(h)-1], secret, second, third)
			s.holds(slices.Equal(want, got) || got == nil, "secret.rotation", "signed by %v, promised %v", got, want)
		}
		s.post(ep, "rotate", map[string]string{"secret": second}, nil, 200)
		signed(0, 1)
		s.post(ep, "revoke", map[string]string{"secret": third}, nil, 200)
		signed(2)
		for i, key := range []string{second, third} {
			path := fmt.Sprintf("/tenant%d", i)
			id, _ := s.registerAs(map[string]any{"url": s.URL + path, "secret": key, "tenant": "two"})
			s.settled(s.emit(id, struct{}{}), id)
			by := verifies(s.t, s.scheme, s.at(path)[0], second, third)
			s.holds(by == nil || slices.Equal(by, []int{i}), "secret.isolation", "endpoint %d is signed for by %v", i, by)
		}
		id, test := s.registerAs(map[string]any{"url": s.URL, "environment": "test"})
		_, live := s.registerAs(map[string]any{"url": s.URL, "environment": "live"})
		s.holds(test != live, "secret.environments", "one key is issued for both")
		var out map[string]any
		s.call("GET", "/v1/endpoints/"+id, nil, &out)
		s.holds(out["secret"] == nil, "secret.shown-once", "it is shown again")
	}
}

// ranged is a replay by time range, of one of two dead letters.
func (s *stage) ranged() func() {
	s.plan("/range", status(404), status(404), status(200))
	return func() {
		ep := s.register(s.URL + "/range")
		first := s.emit(ep, struct{}{})
		s.settled(first, ep)
		between := time.Now()
		last := s.emit(ep, struct{}{})
		s.settled(last, ep)
		var out struct{ Replayed int }
		s.post(ep, "replay", map[string]any{"from": between, "to": time.Now().Add(time.Second), "reason": "r"}, &out, 202)
		s.settled(last, ep)
		s.holds(out.Replayed < 2, "replay.range", "%d are replayed, one is in the range", out.Replayed)
	}
}
