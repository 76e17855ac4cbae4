package console_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// rig is a real receiver and a page that looks at it.
type rig struct {
	*mockreceiver.Receiver
	*tab
}

func start(t *testing.T, b chromium, cfg mockreceiver.Config) *rig {
	t.Helper()
	cfg.IDHeader = "webhook-id"
	r, err := mockreceiver.Listen(context.Background(), cfg, "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	p := newTab(t, b, r.ControlURL())
	p.excuse("/v1/acceptance") // 404 without a contract
	return &rig{r, p}
}

// endpoint adds an endpoint and returns its URL.
func (r *rig) endpoint(name, plan string) string {
	r.t.Helper()
	p, err := fault.Parse(plan)
	if err != nil {
		r.t.Fatal(err)
	}
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: name, Plan: p})
	if err != nil {
		r.t.Fatal(err)
	}
	return url
}

// console opens the page as a person does, by the address that the receiver prints.
func (r *rig) console(fragment string) {
	r.t.Helper()
	_, token, _ := strings.Cut(r.ConsoleURL(), "#")
	if fragment != "" {
		token += "&" + fragment
	}
	r.open(token)
	r.live()
}

// send sends an event and returns the status.
func send(t *testing.T, url, id, body string, header ...string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if id != "" {
		req.Header.Set("webhook-id", id)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// api asks the control API, as the page does.
func (r *rig) api(path string) string {
	r.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, r.ControlURL()+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.Token())
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		r.t.Fatalf("%s: %d %v %s", path, resp.StatusCode, err, b)
	}
	return string(b)
}

// quoted is a text as a literal of JavaScript.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always has a form in JSON
	return string(b)
}
