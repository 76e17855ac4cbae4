package mockreceiver_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

const (
	keyOne = "canary-secret-one"
	keyTwo = "canary-secret-two"
)

// signed is a request to url with the signature of each key, made age before now.
func signed(t testing.TB, url, body string, age time.Duration, keys ...string) *http.Request {
	t.Helper()
	scheme, err := signature.Lookup("timestamp-v1")
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if len(keys) == 0 {
		return req
	}
	h, err := scheme.Sign(signature.Content{At: time.Now().Add(-age), Body: []byte(body)}, keys...)
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(req.Header, h)
	return req
}

func send(t testing.TB, req *http.Request) (int, http.Header, string) {
	t.Helper()
	resp, err := client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Header.Del("Date")
	return resp.StatusCode, resp.Header, string(b)
}

func (r *rig) add(e mockreceiver.Endpoint) string {
	r.t.Helper()
	url, err := r.AddEndpoint(e)
	if err != nil {
		r.t.Fatal(err)
	}
	return url
}

// TestRejectsAlike: whatever is wrong, the answer is the same to the last header, nothing is written, and the attempt counts.
func TestRejectsAlike(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.add(mockreceiver.Endpoint{
		Name: "e", Plan: mustPlan(t, "201, 202"),
		Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne, keyTwo}, Reject: true},
	})
	const body = `{"id":"evt_1"}`
	alter := func(req *http.Request, change func(http.Header)) *http.Request { change(req.Header); return req }
	var first string
	cases := []struct {
		name string
		req  *http.Request
	}{
		{"no signature", signed(t, url, body, 0)},
		{"unknown key", signed(t, url, body, 0, "stranger")},
		{"stale", signed(t, url, body, 301*time.Second, keyOne)},
		{"from the future", signed(t, url, body, -10*time.Minute, keyOne)},
		{"empty header", alter(signed(t, url, body, 0, keyOne), func(h http.Header) { h.Set("X-Webhook-Signature", "") })},
		{"twice", alter(signed(t, url, body, 0, keyOne), func(h http.Header) { h.Add("X-Webhook-Signature", h.Get("X-Webhook-Signature")) })},
		{"garbage", alter(signed(t, url, body, 0, keyOne), func(h http.Header) { h.Set("X-Webhook-Signature", "\"<script>") })},
		{"another body", signed(t, url, body, 0, keyOne)},
	}
	last := cases[len(cases)-1].req
	last.Body, last.ContentLength = io.NopCloser(strings.NewReader(body+" ")), int64(len(body)+1)
	for i, tc := range cases {
		status, h, answer := send(t, tc.req)
		got := fmt.Sprint(status, h, answer)
		if i == 0 {
			first = got
		}
		if status != 401 || got != first || strings.Contains(got, "script") {
			t.Errorf("%s: got %s, want %s", tc.name, got, first)
		}
	}
	if status, _, _ := send(t, signed(t, url, body, 0, keyTwo)); status != 202 {
		t.Errorf("good: got %d, want the plan's last step", status)
	}
	r.effects(1)
	if n := len(of[*evidence.Effect](r.sofar())); n != 1 {
		t.Errorf("got %d business writes, want that of the verified request alone", n)
	}
	for i, a := range r.arrivals(len(cases) + 1) {
		if a.Attempt != i+1 {
			t.Errorf("arrival %d: attempt %d", i+1, a.Attempt)
		}
	}
	for _, o := range r.outcomes(len(cases) + 1) { // in the order in which they were noted, which two connections do not share
		if o.Of <= int64(len(cases)) && (o.Fault != mockreceiver.FaultRejected || o.Status != 401) {
			t.Errorf("outcome of %d: got %s %d", o.Of, o.Fault, o.Status)
		}
	}
}

func TestToleranceHoldsBothWays(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.add(mockreceiver.Endpoint{
		Name: "e", Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne}, Tolerance: time.Hour, Reject: true},
	})
	for age, want := range map[time.Duration]int{0: 200, 59 * time.Minute: 200, -59 * time.Minute: 200, 61 * time.Minute: 401, -61 * time.Minute: 401} {
		if got, _, _ := send(t, signed(t, url, "x", age, keyOne)); got != want {
			t.Errorf("signed %s ago: got %d, want %d", age, got, want)
		}
	}
}

func TestRotationAndRevocation(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	verify := func(keys ...string) *mockreceiver.Verify {
		return &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: keys, Reject: true}
	}
	url := r.add(mockreceiver.Endpoint{Name: "e", Verify: verify(keyOne)})
	for i, step := range []struct {
		v    *mockreceiver.Verify
		want [3]int // by keyOne, keyTwo, none
	}{
		{verify(keyOne), [3]int{200, 401, 401}},
		{verify(keyOne, keyTwo), [3]int{200, 200, 401}},
		{verify(keyTwo), [3]int{401, 200, 401}},
		{nil, [3]int{200, 200, 200}},
	} {
		if err := r.SetVerify("e", step.v); err != nil {
			t.Fatal(err)
		}
		for k, keys := range [][]string{{keyOne}, {keyTwo}, nil} {
			if got, _, _ := send(t, signed(t, url, "x", 0, keys...)); got != step.want[k] {
				t.Errorf("step %d, keys %d: got %d, want %d", i, k, got, step.want[k])
			}
		}
	}
}

// TestRedeliveryIsNotStale: who asks for one has shown the token, and the old signature proves what it proved.
func TestRedeliveryIsNotStale(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	verify := mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne}, Reject: true}
	url := r.add(mockreceiver.Endpoint{Name: "e", Verify: &verify, Plan: mustPlan(t, "business-failure, 200")})
	if got, _, _ := send(t, signed(t, url, `{"id":"evt_1"}`, time.Minute, keyOne)); got != 500 {
		t.Fatalf("got %d", got)
	}
	verify.Tolerance = time.Second
	if err := r.SetVerify("e", &verify); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := send(t, signed(t, url, `{"id":"evt_1"}`, time.Minute, keyOne)); got != 401 {
		t.Errorf("a replay of the sender: got %d, want 401", got)
	}
	if _, err := r.Redeliver(t.Context(), 1, "the table is back"); err != nil {
		t.Fatal(err)
	}
	e := r.effects(2)[1]
	if e.Result != evidence.EffectCommitted || e.Reason != "the table is back" {
		t.Errorf("redelivery: %+v", e)
	}
	verify.Secrets = []string{keyTwo}
	if err := r.SetVerify("e", &verify); err != nil {
		t.Fatal(err)
	}
	seq, err := r.Redeliver(t.Context(), 1, "by a revoked key")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range r.outcomes(4) {
		if o.Of == seq && o.Status != 401 {
			t.Errorf("by a revoked key: got %d, want 401", o.Status)
		}
	}
}

func TestWithoutRejectNothingChanges(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.add(mockreceiver.Endpoint{
		Name: "e", Plan: mustPlan(t, "502, 200"), Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne}},
	})
	for _, want := range []int{502, 200} {
		if got, _, _ := send(t, signed(t, url, "x", 0, "stranger")); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
}

// TestPlannedFaultsMeetRejection: a step that answers before the body is read acts, since nothing can be verified by then; every
// other waits behind the verification.
func TestPlannedFaultsMeetRejection(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for plan, want := range map[string]int{"early": 413, "reset": 401, "503": 401, "continue(never)": 401, "endless": 401, "business-failure": 401} {
		url := r.add(mockreceiver.Endpoint{
			Name: plan, Plan: mustPlan(t, plan), Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne}, Reject: true},
		})
		if got, _, _ := send(t, signed(t, url, "x", 0)); got != want {
			t.Errorf("%s: got %d, want %d", plan, got, want)
		}
	}
}

// TestFoldedHeaderIsRejected: what of a head cannot be read as it was sent cannot be verified, and is not let in.
func TestFoldedHeaderIsRejected(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.add(mockreceiver.Endpoint{Name: "e", Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne}, Reject: true}})
	sent := signed(t, "http://h/hooks/e", "x", 0, keyOne).Header.Get("X-Webhook-Signature")
	w := r.dial()
	w.send("POST /hooks/e HTTP/1.1\r\nHost: h\r\nX-Webhook-Signature: " + sent + "\r\nOdd: a\r\n folded\r\nContent-Length: 1\r\n\r\nx")
	if status, _ := w.answer(); status != 401 && status != 400 {
		t.Errorf("got %d, want 401 or 400", status)
	}
}

// TestSignatureWhenRead: the states of recorded requests, by the secrets of now.
func TestSignatureWhenRead(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url := r.add(mockreceiver.Endpoint{Name: "e", Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne}}})
	bare := r.add(mockreceiver.Endpoint{Name: "bare"})
	wants := []string{"verified ", "stale ", "failed mismatch", "missing missing-header", "unchecked "}
	for _, req := range []*http.Request{
		signed(t, url, "x", 0, keyOne), signed(t, url, "x", time.Hour, keyOne), signed(t, url, "x", 0, "stranger"), signed(t, url, "x", 0),
		signed(t, bare, "x", 0),
	} {
		send(t, req)
	}
	arrivals := r.arrivals(len(wants))
	for i, a := range arrivals {
		if s := r.Signature(a); string(s.State)+" "+string(s.Reason) != wants[i] {
			t.Errorf("request %d: got %+v, want %s", i+1, s, wants[i])
		}
	}
	if s := r.Signature(arrivals[1]); s.Age < 59*time.Minute || s.Age > 61*time.Minute {
		t.Errorf("age of the stale one: %s", s.Age)
	}
	if f, ok := r.Diagnose(arrivals[2]); !ok || f.Reason != "mismatch" {
		t.Errorf("diagnosis: %+v %t", f, ok)
	}
	if f, ok := r.Diagnose(arrivals[4]); ok {
		t.Errorf("diagnosis without keys: %+v", f)
	}
	if err := r.SetVerify("e", &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyTwo}}); err != nil {
		t.Fatal(err)
	}
	if s := r.Signature(arrivals[0]); s.State != mockreceiver.SignatureFailed {
		t.Errorf("by the new key: %+v", s)
	}
}

func TestUnusableSettingsAreRefused(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for want, e := range map[string]mockreceiver.Endpoint{
		`signature scheme "x" is unknown`: {Verify: &mockreceiver.Verify{Scheme: "x", Secrets: []string{keyOne}}},
		"there is no secret":              {Verify: &mockreceiver.Verify{Scheme: "timestamp-v1"}},
		"secret 2 is empty":               {Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne, ""}}},
		"secret 1 is not standard base64": {Verify: &mockreceiver.Verify{Scheme: "standard-webhooks-v1", Secrets: []string{keyOne}}},
		"want none below zero":            {Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne}, Tolerance: -1}},
		`business "outbox"`:               {Business: "outbox"},
		"types mean nothing":              {Business: business.None, Types: []string{"a.b"}},
		"worker settings mean nothing":    {Worker: business.Worker{Tries: 1}},
		`type "*.x"`:                      {Types: []string{"a.b", "*.x"}},
		`type ""`:                         {Types: []string{""}},
	} {
		e.Name = "e"
		_, err := r.AddEndpoint(e)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want one sentence with %q", err, want)
		}
	}
}

func TestSecretsAreWriteOnly(t *testing.T) {
	v := mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{keyOne}}
	for _, text := range []string{fmt.Sprint(v), fmt.Sprintf("%+v", &v), fmt.Sprintf("%#v", v)} {
		if strings.Contains(text, "canary") {
			t.Errorf("printed: %s", text)
		}
	}
	r := start(t, mockreceiver.Config{})
	status, e := r.api("POST", "/v1/endpoints",
		`{"name":"e","plan":"200","business":"transaction","types":["a.*"],"verify":{"scheme":"timestamp-v1","secrets":["`+keyOne+`"],"reject":true}}`)
	want := map[string]any{"scheme": "timestamp-v1", "secrets": 1.0, "tolerance": "5m0s", "reject": true}
	if status != 201 || fmt.Sprint(e["verify"]) != fmt.Sprint(want) || e["business"] != "transaction" || fmt.Sprint(e["types"]) != "[a.*]" {
		t.Errorf("add: got %d %v", status, e)
	}
	status, e = r.api("PUT", "/v1/endpoints/e/verify", `{"scheme":"timestamp-v1","secrets":["`+keyOne+`","`+keyTwo+`"],"tolerance":"1h","reject":false}`)
	want = map[string]any{"scheme": "timestamp-v1", "secrets": 2.0, "tolerance": "1h0m0s", "reject": false}
	if status != 200 || fmt.Sprint(e["verify"]) != fmt.Sprint(want) {
		t.Errorf("set: got %d %v", status, e)
	}
	for _, body := range []string{`{}`, `{"scheme":"timestamp-v1","secrets":[""]}`, `{"scheme":"timestamp-v1","secrets":["` + keyOne + `"],"tolerance":"soon"}`} {
		if status, e := r.api("PUT", "/v1/endpoints/e/verify", body); status != 400 || strings.Contains(fmt.Sprint(e), "canary") {
			t.Errorf("%s: got %d %v", body, status, e)
		}
	}
	if status, e := r.api("GET", "/v1/endpoints/e", ""); status != 200 || fmt.Sprint(e["verify"]) != fmt.Sprint(want) {
		t.Errorf("show: got %d %v", status, e)
	}
	if status, _ := r.api("DELETE", "/v1/endpoints/e/verify", ""); status != 204 {
		t.Errorf("end: got %d", status)
	}
	if status, e := r.api("GET", "/v1/endpoints/e", ""); status != 200 || e["verify"] != nil {
		t.Errorf("show: got %d %v", status, e)
	}
}
