package mockreceiver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// call is one use of an operation.
type call struct {
	method, template, path, body string
	status                       int
}

// apiCalls uses every operation at least once with success, and each kind of refusal.
func apiCalls() []call {
	return []call{
		{"GET", "/v1/status", "", "", 200},
		{"GET", "/v1/faults", "", "", 200},
		{"POST", "/v1/plans/check", "", `{"plan":"502*2, 200"}`, 200},
		{"POST", "/v1/plans/check", "", `{"plan":"502,"}`, 400},
		{"POST", "/v1/endpoints", "", `{"name":"b","plan":"200","verify":{"scheme":"timestamp-v1","secrets":["a secret of ours"],"tolerance":"1m","reject":true},"types":["a.*"],"fields":{"type":"/kind"},"rules":[{"match":".method == \"PUT\"","plan":"405"}]}`, 201},
		{"POST", "/v1/endpoints", "", `{"name":"b"}`, 400},
		{"GET", "/v1/endpoints", "", "", 200},
		{"GET", "/v1/endpoints/{name}", "/v1/endpoints/b", "", 200},
		{"GET", "/v1/endpoints/{name}", "/v1/endpoints/none", "", 404},
		{"PUT", "/v1/endpoints/{name}/verify", "/v1/endpoints/b/verify", `{"scheme":"timestamp-v1","secrets":["another secret of ours"],"reject":false}`, 200},
		{"DELETE", "/v1/endpoints/{name}/verify", "/v1/endpoints/b/verify", "", 204},
		{"PUT", "/v1/endpoints/{name}/plan", "/v1/endpoints/b/plan", `{"plan":"410"}`, 200},
		{"PUT", "/v1/endpoints/{name}/plan", "/v1/endpoints/b/plan", `{"plan":{"steps":[502,{"429":{"retry-after":2}}],"then":200}}`, 200},
		{"PUT", "/v1/endpoints/{name}/rules", "/v1/endpoints/b/rules", `{"rules":[{"match":".method == \"PUT\"","plan":"405"}]}`, 200},
		{"PUT", "/v1/endpoints/{name}/rules", "/v1/endpoints/b/rules", `{"rules":[{"match":"(","plan":"405"}]}`, 400},
		{"PUT", "/v1/endpoints/{name}/events/{key}/plan", "/v1/endpoints/b/events/x/plan", `{"plan":"410"}`, 204},
		{"GET", "/v1/endpoints/{name}/events/{key}/plan", "/v1/endpoints/b/events/x/plan", "", 200},
		{"GET", "/v1/endpoints/{name}", "/v1/endpoints/b", "", 200},
		{"DELETE", "/v1/endpoints/{name}/events/{key}/plan", "/v1/endpoints/b/events/x/plan", "", 204},
		{"DELETE", "/v1/endpoints/{name}/events/{key}/plan", "/v1/endpoints/b/events/x/plan", "", 404},
		{"GET", "/v1/endpoints/{name}/events/{key}/plan", "/v1/endpoints/b/events/x/plan", "", 404},
		{"GET", "/v1/endpoints/{name}/events/{key}/plan", "/v1/endpoints/none/events/x/plan", "", 404},
		{"POST", "/v1/endpoints/{name}/reset", "/v1/endpoints/b/reset", "", 204},
		{"DELETE", "/v1/endpoints/{name}", "/v1/endpoints/b", "", 204},
		{"GET", "/v1/listeners", "", "", 200},
		{"POST", "/v1/listeners", "", `{"name":"second","tls":true}`, 201},
		{"POST", "/v1/listeners", "", `{"name":"second"}`, 400},
		{"GET", "/v1/listeners/{name}", "/v1/listeners/second", "", 200},
		{"GET", "/v1/listeners/{name}", "/v1/listeners/none", "", 404},
		{"PUT", "/v1/listeners/{name}/plan", "/v1/listeners/second/plan", `{"plan":"tls-expired, ok"}`, 204},
		{"POST", "/v1/listeners/{name}/down", "/v1/listeners/second/down", "", 204},
		{"POST", "/v1/listeners/{name}/up", "/v1/listeners/second/up", "", 204},
		{"GET", "/v1/connections", "", "", 200},
		{"GET", "/v1/attempts", "", "", 200},
		{"GET", "/v1/attempts", "/v1/attempts?limit=1", "", 200},
		{"GET", "/v1/attempts", "/v1/attempts?class=odd", "", 400},
		{"GET", "/v1/attempts", "/v1/attempts?since=5m&until=0s", "", 200},
		{"GET", "/v1/attempts", "/v1/attempts?endpoint=none", "", 404},
		{"GET", "/v1/events", "/v1/events?endpoint=none", "", 404},
		{"GET", "/v1/inbox", "/v1/inbox?endpoint=none", "", 404},
		{"GET", "/v1/inbox", "/v1/inbox?endpoint=inbox", "", 200},
		{"GET", "/v1/export", "/v1/export?format=har&endpoint=none", "", 404},
		{"GET", "/v1/acceptance", "/v1/acceptance?last=0", "", 400},
		{"GET", "/v1/attempts/{seq}", "/v1/attempts/1", "", 200},
		{"GET", "/v1/attempts/{seq}", "/v1/attempts/2", "", 200},
		{"GET", "/v1/attempts/{seq}", "/v1/attempts/4", "", 200},
		{"GET", "/v1/attempts/{seq}", "/v1/attempts/99", "", 404},
		{"GET", "/v1/attempts/{seq}/body", "/v1/attempts/1/body", "", 200},
		{"GET", "/v1/attempts/{seq}/curl", "/v1/attempts/1/curl", "", 200},
		{"GET", "/v1/attempts/{seq}/diff", "/v1/attempts/2/diff?with=1", "", 200},
		{"POST", "/v1/attempts/{seq}/redeliver", "/v1/attempts/1/redeliver", `{"reason":"to see"}`, 201},
		{"POST", "/v1/attempts/{seq}/redeliver", "/v1/attempts/4/redeliver", `{"reason":"to see"}`, 409},
		{"GET", "/v1/events", "", "", 200},
		{"GET", "/v1/events/{endpoint}/{key}", "/v1/events/a/1", "", 200},
		{"GET", "/v1/events/{endpoint}/{key}", "/v1/events/a/none", "", 404},
		{"GET", "/v1/export", "/v1/export?format=har", "", 200},
		{"GET", "/v1/export", "/v1/export?format=ndjson", "", 200},
		{"GET", "/v1/export", "/v1/export", "", 400},
		{"GET", "/v1/acceptance", "/v1/acceptance?endpoint=a&last=10", "", 200},
		{"GET", "/v1/wait", "/v1/wait?endpoint=a&count=1", "", 200},
		{"GET", "/v1/wait", "/v1/wait?endpoint=a&settled=1ms", "", 200},
		{"GET", "/v1/wait", "/v1/wait?endpoint=a&count=99&timeout=1ms", "", 408},
		{"GET", "/v1/wait", "/v1/wait?endpoint=a&settled=1m&timeout=1ms", "", 408},
		{"GET", "/v1/wait", "/v1/wait?endpoint=none", "", 404},
		{"GET", "/v1/wait", "/v1/wait?count=1", "", 400},
		{"GET", "/v1/inbox", "", "", 200},
		{"POST", "/v1/inbox/{id}/retry", "/v1/inbox/99/retry", `{"reason":"to see"}`, 404},
		{"GET", "/v1/troubles", "", "", 200},
		{"GET", "/v1/alarms", "", "", 200},
		{"GET", "/healthz", "", "", 200},
		{"GET", "/metrics", "", "", 200},
		{"GET", "/openapi.json", "", "", 200},
		{"GET", "/v1/stream", "", "", 200},
	}
}

// withoutSuccess names what needs more than one call to succeed; the tests of its own do that.
var withoutSuccess = []string{"POST /v1/inbox/{id}/retry"}

// TestAnswersAreAsDescribed uses the whole API and holds each answer, and each body that succeeds, against the document.
func TestAnswersAreAsDescribed(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(mockreceiver.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	r := described(t)
	succeeded := map[string]bool{}
	for _, c := range apiCalls() {
		if c.path == "" {
			c.path = c.template
		}
		item := doc.Paths.Find(c.template)
		if item == nil || item.GetOperation(c.method) == nil {
			t.Errorf("%s %s is not in the document", c.method, c.template)
			continue
		}
		op := item.GetOperation(c.method)
		if c.body != "" && c.status/100 == 2 {
			if err := fits(op.RequestBody.Value.Content["application/json"].Schema, []byte(c.body)); err != nil {
				t.Errorf("%s %s: the body %s is not as described: %v", c.method, c.path, c.body, err)
			}
		}
		status, contentType, body := r.used(t, c)
		if status != c.status {
			t.Errorf("%s %s: got %d %s, want %d", c.method, c.path, status, body, c.status)
			continue
		}
		if err := answerFits(op, status, contentType, body); err != nil {
			t.Errorf("%s %s: %v in %s", c.method, c.path, err, body)
		}
		succeeded[c.method+" "+c.template] = succeeded[c.method+" "+c.template] || status/100 == 2
	}
	for _, name := range withoutSuccess {
		succeeded[name] = true
	}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			if !succeeded[method+" "+path] {
				t.Errorf("%s %s was not seen to succeed", method, path)
			}
		}
	}
}

// described is a receiver that has received something of each kind.
func described(t *testing.T) *rig {
	t.Helper()
	r := start(t, mockreceiver.Config{
		MaxBody: 10_000,
		Window: func(int, *journal.Attempt) (mockreceiver.Window, bool) {
			return mockreceiver.Window{Max: 1}, true
		},
		Acceptance: func(_ context.Context, _ time.Time, events [][]journal.Attempt) (any, error) {
			return map[string]int{"events": len(events)}, nil
		},
	})
	fields := mockreceiver.DefaultFields()
	for _, e := range []mockreceiver.Endpoint{
		{Name: "a", Plan: mustPlan(t, "502, 200"), Fields: &fields, Verify: &mockreceiver.Verify{Scheme: "timestamp-v1", Secrets: []string{"a secret of ours"}}},
		{Name: "inbox", Business: business.Inbox},
	} {
		if _, err := r.AddEndpoint(e); err != nil {
			t.Fatal(err)
		}
	}
	post(t, client(t), r.DataURL()+"/hooks/a", `{"id":"1"}`)                // 1
	post(t, client(t), r.DataURL()+"/hooks/a", `{"id":"1"}`)                // 2
	post(t, client(t), r.DataURL()+"/hooks/inbox", `{"id":"1"}`)            // 3
	post(t, client(t), r.DataURL()+"/nowhere", strings.Repeat("x", 20_000)) // 4
	w := r.dial()
	w.send("POST /hooks/a HTTP/1.1\r\nHost: h\r\nWebhook-Signature: t=1,v1=00\r\nContent-Length: 2\r\n\r\n{}") // 5
	w.answer()
	r.outcomes(5)
	r.effects(2)
	return r
}

func (r *rig) used(t *testing.T, c call) (status int, contentType string, body []byte) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, c.method, r.ControlURL()+c.path, strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.Token())
	resp, err := client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	contentType, _, _ = strings.Cut(resp.Header.Get("Content-Type"), ";")
	if contentType == "text/event-stream" {
		return resp.StatusCode, contentType, nil // it has no end
	}
	body, err = io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, contentType, body
}

// answerFits holds an answer against an operation.
func answerFits(op *openapi3.Operation, status int, contentType string, body []byte) error {
	want := op.Responses.Status(status)
	switch {
	case want == nil:
		return fmt.Errorf("status %d is not in the document", status)
	case len(want.Value.Content) == 0 && len(body) == 0:
		return nil
	case want.Value.Content[contentType] == nil:
		return fmt.Errorf("content type %q is not in the document", contentType)
	case contentType != "application/json":
		return nil
	}
	return fits(want.Value.Content[contentType].Schema, body)
}

func fits(schema *openapi3.SchemaRef, body []byte) error {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return err
	}
	err := schema.Value.VisitJSON(v)
	if e, ok := errors.AsType[*openapi3.SchemaError](err); ok {
		return fmt.Errorf("at /%s: %s", strings.Join(e.JSONPointer(), "/"), e.Reason) // its own text prints the schema
	}
	return err
}
