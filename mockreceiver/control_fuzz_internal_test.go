package mockreceiver

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// FuzzControl sends any body and query to the routes that take them. What it wants is an answer in JSON that is no failure of ours,
// and the receiver alive.
func FuzzControl(f *testing.F) {
	r, err := New(Config{Quick: true, Token: "t"})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := r.Close(); err != nil {
			f.Error(err)
		}
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	if err := r.Serve(l, nil); err != nil {
		f.Fatal(err)
	}
	if _, err := r.AddEndpoint(Endpoint{Name: "e"}); err != nil {
		f.Fatal(err)
	}
	routes := []string{
		"POST /v1/plans/check", "POST /v1/endpoints", "PUT /v1/endpoints/e/plan", "PUT /v1/endpoints/e/events/k/plan", "PUT /v1/endpoints/e/verify",
		"PUT /v1/endpoints/e/rules",
		"GET /v1/attempts", "GET /v1/events", "GET /v1/troubles",
	}
	for i, body := range []string{
		`{"plan":"502*3, 200; ttl=1m"}`, `{"name":"x","rules":[{"match":".attempt > 1","plan":{"steps":[502],"then":200}}]}`,
		`{"plan":{"then":{"mix":{"502":0.5}}}}`, `{"plan":null}`, `{"scheme":"timestamp-v1","secrets":["k"],"tolerance":"5m","reject":true}`,
		`{"rules":[{"match":"true","plan":"mix(502=0.1)"}]}`, "", "", "",
	} {
		f.Add(uint(i), []byte(body), "limit=1&after=0")
	}
	handler := r.controlRoutes()
	f.Fuzz(func(t *testing.T, route uint, body []byte, query string) {
		method, path, _ := bytes.Cut([]byte(routes[route%uint(len(routes))]), []byte(" "))
		ctx := context.WithValue(t.Context(), http.LocalAddrContextKey, l.Addr())
		req := httptest.NewRequestWithContext(ctx, string(method), string(path), bytes.NewReader(body))
		req.URL.RawQuery, req.Host = query, "localhost"
		req.Header.Set("Authorization", "Bearer t")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		if w.Code >= http.StatusInternalServerError {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		if w.Code != http.StatusNoContent && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s %s: %d is no JSON: %q", method, path, w.Code, w.Body)
		}
		forgetAdded(t, r)
	})
}

// forgetAdded removes what the body made, so that memory and names last.
func forgetAdded(t *testing.T, r *Receiver) {
	t.Helper()
	for _, e := range r.endpoints.list() {
		if e.Name == "e" {
			continue
		}
		if err := r.RemoveEndpoint(e.Name); err != nil {
			t.Fatal(err)
		}
	}
	if e, err := r.endpoints.named("e"); err == nil {
		e.mu.Lock()
		e.restart(0)
		e.mu.Unlock()
	}
}
