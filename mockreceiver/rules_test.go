package mockreceiver_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// ruled adds an endpoint with rules, given as pairs of an expression and a plan.
func (r *rig) ruled(name, plan string, pairs ...string) string {
	r.t.Helper()
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: name, Plan: mustPlan(r.t, plan), Rules: rules(r.t, pairs...)})
	if err != nil {
		r.t.Fatal(err)
	}
	return url
}

func rules(t testing.TB, pairs ...string) (list []fault.Rule) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, fault.Rule{Match: pairs[i], Plan: mustPlan(t, pairs[i+1])})
	}
	return list
}

func TestRulesAreTriedInOrderAndCountedByEvent(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.ruled("e", "209",
		`.body.type == "a"`, "501, 502",
		`.body.type == "a" or .body.type == "b"`, "503",
		`.attempt >= 3`, "504"), client(t)
	for i, tc := range []struct {
		body string
		want int
		rule int
	}{
		{`{"id":"1","type":"a"}`, 501, 1},
		{`{"id":"2","type":"a"}`, 501, 1}, // another event begins at the first step
		{`{"id":"1","type":"a"}`, 502, 1},
		{`{"id":"3","type":"b"}`, 503, 2},
		{`{"id":"3","type":"a"}`, 501, 1}, // the first of this event that rule 1 meets
		{`{"id":"4","type":"c"}`, 209, 0},
		{`{"id":"4","type":"c"}`, 209, 0},
		{`{"id":"4","type":"c"}`, 504, 3},
	} {
		got, _ := post(t, c, url, tc.body)
		a := r.arrivals(i + 1)[i]
		if got != tc.want || a.Rule != tc.rule {
			t.Errorf("request %d, %s: got %d by rule %d, want %d by rule %d", i+1, tc.body, got, a.Rule, tc.want, tc.rule)
		}
	}
	if err := r.SetPlan("e", "1", mustPlan(t, "418")); err != nil {
		t.Fatal(err)
	}
	if got, _ := post(t, c, url, `{"id":"1","type":"a"}`); got != 418 {
		t.Errorf("with a plan of its own: got %d, want 418", got)
	}
	if err := r.ResetEndpoint(t.Context(), "e"); err != nil {
		t.Fatal(err)
	}
	if got, _ := post(t, c, url, `{"id":"1","type":"a"}`); got != 501 {
		t.Errorf("after a reset: got %d, want 501", got)
	}
}

func TestRulesSeeTheConnection(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.ruled("e", "200", `.request_on_connection == 3`, "close", `.connection == 2 and .request_on_connection == 2`, "503")
	for connection, want := range [][]int{{200, 200, 0}, {200, 503, 0}} {
		w := r.dial()
		for i, status := range want {
			w.send(request("/hooks/e", "x"))
			if status == 0 {
				if got, err := w.rest(); err != nil || len(got) != 0 {
					t.Errorf("connection %d, request %d: got %q and %v, want an orderly end", connection+1, i+1, got, err)
				}
				continue
			}
			if got, _ := w.answer(); got != status {
				t.Errorf("connection %d, request %d: got %d, want %d", connection+1, i+1, got, status)
			}
		}
	}
}

// TestRuleThatActsBeforeTheBody is matched by the head, for the body is not there yet.
func TestRuleThatActsBeforeTheBody(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.ruled("e", "200", `.body == null and .header["x-size"][0] == "large"`, "early")
	for field, want := range map[string]int{"X-Size: large": 413, "X-Size: small": 200} {
		w := r.dial()
		w.send("POST /hooks/e HTTP/1.1\r\nHost: x\r\n" + field + "\r\nContent-Length: 2\r\n\r\n{}")
		if got, _ := w.answer(); got != want {
			t.Errorf("%s: got %d, want %d", field, got, want)
		}
	}
}

func TestFailedExpressionIsSaidOnce(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.ruled("e", "200", `.body.type | startswith("a")`, "501", `.header.authorization[0]`, "502"), client(t)
	for range 3 {
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader("no JSON"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "canary")
		resp, err := c.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != 200 {
			t.Errorf("got %d, want 200", resp.StatusCode)
		}
	}
	r.outcomes(3)
	records := r.until("two troubles", func(l []evidence.Record) bool { return len(of[*evidence.Trouble](l)) >= 2 })
	troubles := of[*evidence.Trouble](records)
	if len(troubles) != 2 || !strings.Contains(troubles[0].What, "endpoint e, rule 1: match") || !strings.Contains(troubles[1].What, "gave string") {
		t.Errorf("troubles: %s", describe(records))
	}
	for _, tr := range troubles {
		if strings.Contains(tr.What, "canary") {
			t.Errorf("shows a header: %s", tr.What)
		}
	}
}

func TestRulesThatCannotBeRead(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	_, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "e", Rules: rules(t, "true", "200", ".(", "200", "env", "200")})
	if err == nil || !strings.Contains(err.Error(), "rule 2: match") || !strings.Contains(err.Error(), "rule 3: match") {
		t.Errorf("got %v, want the rules 2 and 3 named", err)
	}
	url := r.ruled("e", "200", "true", "501")
	if err := r.SetRules("e", rules(t, "oops", "200")); err == nil {
		t.Error("a function that there is not was taken")
	}
	if got, _ := post(t, client(t), url, "x"); got != 501 {
		t.Errorf("after a refused change: got %d, want 501", got)
	}
	if err := r.SetRules("e", nil); err != nil {
		t.Fatal(err)
	}
	if got, _ := post(t, client(t), url, "x"); got != 200 {
		t.Errorf("without rules: got %d, want 200", got)
	}
}

// TestPlansEndByThemselves uses times that have passed at once, or do not pass while the test runs.
func TestPlansEndByThemselves(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	c := client(t)
	for i, tc := range []struct {
		plan string
		want []int
	}{
		{"502 for 1ns, 503 for 24h, 200", []int{502, 503, 503, 503}},
		{"501, 502 for 1ns, 200", []int{501, 502, 200}},
		{"502; ttl=24h", []int{502, 502}},
		{"502*3, 503; ttl=1ns", []int{200, 200, 200}},
	} {
		name := string(rune('a' + i))
		url := r.endpoint(name, tc.plan)
		for n, want := range tc.want {
			if got, _ := post(t, c, url, `{"id":"1"}`); got != want {
				t.Errorf("%s, request %d: got %d, want %d", tc.plan, n+1, got, want)
			}
		}
	}
	url := r.ruled("rules", "200", "true", "501; ttl=1ns", "true", "502; ttl=24h")
	if got, _ := post(t, c, url, "x"); got != 502 {
		t.Errorf("the first rule has ended: got %d, want 502", got)
	}
}

func TestEndpointPlanChangesTheNextAnswer(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("e", "501, 502, 503"), client(t)
	if got, _ := post(t, c, url, `{"id":"1"}`); got != 501 {
		t.Errorf("got %d, want 501", got)
	}
	if err := r.SetEndpointPlan("e", mustPlan(t, "401, 402, 403")); err != nil {
		t.Fatal(err)
	}
	if got, _ := post(t, c, url, `{"id":"1"}`); got != 402 {
		t.Errorf("second request of the event: got %d, want 402", got)
	}
	if err := r.SetEndpointPlan("nowhere", fault.OK()); err == nil {
		t.Error("an endpoint that there is not took a plan")
	}
}
