package refsender_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/internal/refsender"
)

// stage is one sender that is led through everything that it promises; broken holds the promises that it did not keep, by the
// names of the checks that the harness has for them. It knows nothing of defects.
type stage struct {
	*rig
	scheme string
	broken map[string]string
}

// holds notes a promise as broken unless ok.
func (s *stage) holds(ok bool, promise, why string, args ...any) {
	if !ok {
		s.broken[promise] = fmt.Sprintf(why, args...)
	}
}

// stageWait is more than the unit of the signed time, and less than what an answer asks for.
const stageWait = 1500 * time.Millisecond

// stageContract makes the second attempt of each event come a signed second after the first, and 410 disable.
func stageContract(t testing.TB) *contract.Contract {
	c := fast(t)
	c.Schedule.Waits[1] = stageWait
	c.Schedule.Timeout = 2 * time.Second // each sender waits for one; many senders run at once here, on a machine that may stall
	c.Answers.Permanent = contract.Codes{"1xx", "3xx", "400-409", "411-428", "430-499"}
	c.Answers.Disable = contract.Codes{"410"}
	c.Keys.Overlap = time.Hour
	return c
}

// play leads a sender with the defect through all acts and returns the broken promises, sorted.
func play(t *testing.T, defect string) (broken []string, why map[string]string) {
	t.Helper()
	s := &stage{scheme: scheme, broken: map[string]string{}}
	s.rig = newRig(t, refsender.Config{Contract: stageContract(t), Defect: defect})
	s.loose, s.leaks = true, true
	var ends []func()
	for _, act := range []func(*stage) func(){
		(*stage).retried, (*stage).asked, (*stage).unanswered, (*stage).exhausted, (*stage).disabled, (*stage).answered, (*stage).gone,
		(*stage).scoped, (*stage).keys, (*stage).ranged,
	} {
		ends = append(ends, act(s))
	}
	for _, end := range ends {
		end()
	}
	s.stop()
	for _, text := range []string{secret, second, third, "v1="} {
		s.holds(!strings.Contains(s.log.String(), text), "secret.no-leak", "the log holds a key or a signature")
	}
	for promise := range s.broken {
		broken = append(broken, promise)
	}
	slices.Sort(broken)
	return broken, s.broken
}

// settled waits until an event is neither pending nor in flight, by the log or by the dead letters, and reads the log then.
// The log alone is not believed.
func (s *stage) settled(event, endpoint string) deliveryLog {
	s.t.Helper()
	s.waitFor("the end of a delivery", func() bool {
		log := s.delivery(event, endpoint)
		return log.State != "pending" || log.NextAttempt == nil && slices.ContainsFunc(s.deadLetters(endpoint),
			func(d deadLetter) bool { return d.Event == event })
	})
	return s.delivery(event, endpoint)
}

// verified judges one signature.
func (s *stage) verified(h hit, secret string) (at time.Time) {
	sch, err := signature.Lookup(s.scheme)
	if err != nil {
		s.t.Fatal(err)
	}
	f := sch.Verify(h.head, h.body, secret)
	switch f.Reason {
	case signature.Milliseconds:
		s.holds(false, "time.format", "%s", f.Detail)
	case signature.SignedBodyOnly:
		s.holds(false, "sig.covers-metadata", "%s", f.Detail)
	default:
		s.holds(f.OK(), "sig.verifies", "%s: %s", f.Reason, f.Detail)
	}
	return f.SignedAt
}

// advances tells whether the signed time moves on, as it must where b was signed a second and more after a had arrived. How late
// the arrivals were does not count. Times that were not signed are another promise's.
func advances(a, b hit, signedA, signedB time.Time) bool {
	return signedA.IsZero() || signedB.IsZero() || signedB.After(signedA) || b.at.Sub(a.at) < 1050*time.Millisecond
}

const numbers = `{"big":9007199254740993,"one":1.0,"long":12345678901234567890}`

// retriedTarget has a query that does not survive being taken apart.
const retriedTarget = "/retried?z=%2F&a=1+2&b="

// retried is an event whose object changes between its attempts, and its replay.
func (s *stage) retried() func() {
	s.plan("/retried", status(503), status(200))
	ep := s.register(s.URL + retriedTarget)
	var out struct{ ID string }
	s.call("POST", "/v1/events", `{"type":"order.updated","object":"o","endpoint":"`+ep+`","data":`+numbers+`}`, &out)
	var next *time.Time
	s.waitFor("the next attempt announced", func() bool {
		log := s.delivery(out.ID, ep)
		next = log.NextAttempt
		return len(log.Attempts) == 1 && next != nil || log.State != "pending"
	})
	if next == nil && len(s.at("/retried")) == 1 {
		s.holds(false, "retry.transient", "503 is not retried")
		return func() {}
	}
	s.call("PUT", "/v1/objects/o", `{"data":{"v":2}}`, nil)
	return func() {
		s.waitFor("a retry", func() bool { return len(s.at("/retried")) >= 2 })
		s.settled(out.ID, ep)
		s.call("POST", "/v1/events/"+out.ID+"/deliveries/"+ep+"/replay", `{"reason":"r"}`, nil)
		s.settled(out.ID, ep)
		if n := len(s.at("/retried")); n < 3 {
			s.holds(false, "ability.shown", "%d requests with the replay, want 3", n)
			return
		}
		s.compare(s.at("/retried"), out.ID)
		if next == nil {
			return // the retry was too quick to be announced, which is backoff.bounds's
		}
		if late := s.at("/retried")[1].at.Sub(*next); late < -50*time.Millisecond || late > 5*time.Second {
			s.holds(false, "log.next-attempt", "came %v after the announced time", late)
		}
	}
}

func (s *stage) compare(h []hit, id string) {
	first, again, replay := h[0], h[1], h[len(h)-1]
	t1, t2, t3 := s.verified(first, secret), s.verified(again, secret), s.verified(replay, secret)
	s.holds(advances(first, again, t1, t2), "time.fresh", "signed at %v and %v", t1, t2)
	s.holds(advances(first, replay, t1, t3), "replay.fresh", "signed at %v and %v", t1, t3)
	s.holds(first.id() != "", "id.present", "no header")
	s.holds(first.id() == "" || first.id() == id, "id.unique", "%s is sent as %s", id, first.id())
	s.holds(again.id() == first.id(), "id.stable", "%s became %s", first.id(), again.id())
	s.holds(replay.id() == first.id(), "replay.identity", "%s became %s", first.id(), replay.id())
	s.holds(string(again.body) == string(first.body), "body.stable", "%s became %s", first.body, again.body)
	s.holds(string(replay.body) == string(first.body), "replay.body", "%s became %s", first.body, replay.body)
	for _, h := range h {
		s.holds(h.target == retriedTarget, "wire.target", "%s", h.target)
		s.holds(h.head.Get("Content-Type") == "application/json", "wire.headers", "%v", h.head["Content-Type"])
		s.holds(h.head.Get("Content-Encoding") == "", "wire.framing", "%v", h.head["Content-Encoding"])
	}
	gap := again.at.Sub(first.at)
	s.holds(gap >= stageWait, "backoff.bounds", "waited %v", gap)
	var p map[string]json.RawMessage
	if err := json.Unmarshal(first.body, &p); err != nil {
		s.t.Fatal(err)
	}
	for _, field := range []string{"id", "type", "created", "api_version", "data"} {
		s.holds(p[field] != nil, "envelope.fields", "no %s", field)
	}
	s.holds(string(p["data"]) == numbers, "body.matches", "%s", p["data"])
	s.holds(string(p["type"]) == `"order.updated"`, "envelope.type", "%s", p["type"])
	_, err := time.Parse(`"`+time.RFC3339+`"`, string(p["created"]))
	s.holds(err == nil, "time.payload", "%v", err)
}
