package judge_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// watched is evidence of traffic that nobody set off: requests with these ids, one each 200 ms, all answered 500.
func watched(t *testing.T, ids ...string) *evidence.Run {
	t.Helper()
	var checks []string
	for _, c := range judge.Checks() {
		checks = append(checks, c.ID)
	}
	run := &evidence.Run{Footer: &evidence.Footer{}}
	run.Scenarios = []evidence.Scenario{{
		Name: "observe/traffic", Family: evidence.FamilyObserve, Checks: checks, WatchUntil: time.Hour, Ended: time.Hour,
	}}
	run.Endpoints = []evidence.Endpoint{{Name: "e", Scenario: "observe/traffic", URL: "http://127.0.0.1:1/hook"}}
	for n, id := range ids {
		at := time.Duration(n+1) * 200 * time.Millisecond
		var head bytes.Buffer
		fmt.Fprintf(&head, "POST /hook HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n")
		if id != "" {
			fmt.Fprintf(&head, "X-Webhook-Id: %s\r\n", id)
		}
		head.WriteString("\r\n")
		a := evidence.Attempt{Arrival: evidence.Arrival{
			Meta: evidence.Meta{N: n + 10}, Seq: int64(n + 1), Attempt: 1, Scenario: "observe/traffic", Endpoint: "e", Conn: evidence.Conn{ID: int64(n + 1)},
			Head: evidence.Raw(head.Bytes()), Body: evidence.Raw("{}"), BodySize: 2, FirstByte: at, BodyEnd: at,
		}}
		a.Outcome = &evidence.Outcome{Of: a.Seq, Status: 500, End: evidence.EndComplete, ReplyStart: at, ReplyEnd: at}
		run.Attempts = append(run.Attempts, a)
	}
	return run
}

// Traffic that is only watched must not break promises about what was emitted, when, and how often it is tried: here one event comes
// three times within half a second, and others are refused and never come again.
func TestWatchedTrafficSaysWhatRequestsShow(t *testing.T) {
	t.Parallel()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	c.Signature, c.Keys, c.Identity.Body, c.Identity.Equal, c.Envelope = nil, nil, "", false, nil
	got := map[string]judge.Verdict{}
	for _, v := range judge.Judge(c, watched(t, "a", "b", "a", "a", "c")) {
		got[v.Check] = v
		if v.Outcome == judge.Fail || v.Outcome == judge.Warn || v.Outcome == judge.Inconclusive {
			t.Errorf("%s: %s: %s", v.Check, v.Outcome, v.Because)
		}
	}
	if v := got["id.present"]; v.Outcome != judge.Pass {
		t.Errorf("id.present: %s: %s", v.Outcome, v.Because)
	}
	for _, check := range []string{"durable.no-loss", "retry.transient", "backoff.bounds", "body.matches", "budget.attempts", "id.stable"} {
		if v := got[check]; v.Outcome != judge.NotApplicable {
			t.Errorf("%s: %s: %s", check, v.Outcome, v.Because)
		}
	}
	for _, v := range judge.Judge(c, watched(t, "a", "")) {
		if (v.Outcome == judge.Fail) != (v.Check == "id.present") {
			t.Errorf("with a request that has no id: %s: %s: %s", v.Check, v.Outcome, v.Because)
		}
	}
	for _, v := range judge.Judge(c, watched(t)) {
		if v.Outcome == judge.Pass || v.Outcome == judge.Fail {
			t.Errorf("nothing came, and %s: %s", v.Check, v.Outcome)
		}
	}
}
