package refsender_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/onsi/gomega"
)

// client calls a sender's API and checks each answer by openapi.json.
type client struct {
	t     testing.TB
	base  string
	loose bool // answers are not checked: the sender's defect lies in them
}

func (c client) call(method, path string, in, out any) int {
	c.t.Helper()
	text, isText := in.(string)
	if !isText && in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			c.t.Fatal(err)
		}
		text = string(b)
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.base+path, bytes.NewBufferString(text))
	if err != nil {
		c.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if err := readDocument(c.t).check(method, path, resp.StatusCode, body); err != nil && !c.loose {
		c.t.Errorf("%s %s: %v", method, path, err)
	}
	if out != nil {
		if err := json.Unmarshal(body, out); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, body)
		}
	}
	return resp.StatusCode
}

func (c client) register(url string) string {
	c.t.Helper()
	var out struct{ ID, Secret string }
	if got := c.call("POST", "/v1/endpoints", map[string]any{"url": url, "secret": secret}, &out); got != 201 || out.Secret != "" {
		c.t.Fatalf("register: %d, secret %q", got, out.Secret)
	}
	return out.ID
}

// registerAs registers an endpoint by any fields and returns its id and the issued secret.
func (c client) registerAs(in map[string]any) (id, secret string) {
	c.t.Helper()
	var out struct{ ID, Secret string }
	if got := c.call("POST", "/v1/endpoints", in, &out); got != 201 {
		c.t.Fatalf("register: %d", got)
	}
	return out.ID, out.Secret
}

// post calls an operation on an endpoint and checks its status.
func (c client) post(endpoint, op string, in, out any, want int) {
	c.t.Helper()
	if got := c.call("POST", "/v1/endpoints/"+endpoint+"/"+op, in, out); got != want {
		c.t.Fatalf("%s: %d, want %d", op, got, want)
	}
}

// waitFor polls until ok holds.
func (c client) waitFor(what string, ok func() bool) {
	c.t.Helper()
	gomega.NewWithT(c.t).Eventually(ok).WithTimeout(patience).Should(gomega.BeTrue(), what)
}

func (c client) emit(endpoint string, data any) string {
	c.t.Helper()
	return c.emitAs(map[string]any{"type": "payment.succeeded", "endpoint": endpoint, "data": data})
}

func (c client) emitAs(in map[string]any) string {
	c.t.Helper()
	var out struct{ ID string }
	if got := c.call("POST", "/v1/events", in, &out); got != 202 || out.ID == "" {
		c.t.Fatalf("emit: %d, id %q", got, out.ID)
	}
	return out.ID
}

type deliveryLog struct {
	Event, Endpoint, State string
	LastFailure            string     `json:"last_failure"`
	NextAttempt            *time.Time `json:"next_attempt"`
	Attempts               []struct {
		Number         int
		At             time.Time
		Status         int
		Outcome, Error string
		Digest         string `json:"response_sha256"`
		Trigger        string
	}
}

func (c client) delivery(event, endpoint string) deliveryLog {
	c.t.Helper()
	var out deliveryLog
	if got := c.call("GET", "/v1/events/"+event+"/deliveries/"+endpoint, nil, &out); got != 200 {
		c.t.Fatalf("delivery of %s: %d", event, got)
	}
	return out
}

// ended waits for the delivery's end and checks which it is.
func (c client) ended(event, endpoint, state string) deliveryLog {
	c.t.Helper()
	var log deliveryLog
	g := gomega.NewWithT(c.t)
	g.Eventually(func() string {
		log = c.delivery(event, endpoint)
		return log.State
	}).WithTimeout(patience).ShouldNot(gomega.Equal("pending"))
	if log.State != state || log.NextAttempt != nil {
		c.t.Fatalf("delivery ended as %s with next attempt %v, want %s and none; log %+v", log.State, log.NextAttempt, state, log)
	}
	return log
}

type deadLetter struct {
	Event, Endpoint, Reason, Hint string
	Attempts                      int
	LastStatus                    int    `json:"last_status"`
	LastError                     string `json:"last_error"`
	Payload                       string
	DeadAt                        time.Time  `json:"dead_at"`
	AcceptedAt                    time.Time  `json:"accepted_at"`
	FirstAttemptAt                *time.Time `json:"first_attempt_at"`
	LastAttemptAt                 *time.Time `json:"last_attempt_at"`
	Replays                       []struct {
		At                     time.Time
		Outcome, Error, Reason string
		Status                 int
	}
}

func (c client) deadLetters(endpoint string) []deadLetter {
	c.t.Helper()
	var out struct {
		DeadLetters []deadLetter `json:"dead_letters"`
	}
	if got := c.call("GET", "/v1/endpoints/"+endpoint+"/dead-letters", nil, &out); got != 200 {
		c.t.Fatalf("dead letters of %s: %d", endpoint, got)
	}
	return out.DeadLetters
}
