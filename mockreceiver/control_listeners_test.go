package mockreceiver_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
)

func TestControlOfListeners(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	status, l := r.api("POST", "/v1/listeners", `{"name":"secure","tls":true,"http2":true,"plan":"tls-expired, ok"}`)
	base, _ := l["url"].(string)
	if status != 201 || !strings.HasPrefix(base, "https://127.0.0.1:") || l["plan"] != "tls-expired, ok" || l["down"] != false {
		t.Fatalf("add: got %d %v", status, l)
	}
	if status, e := r.api("POST", "/v1/endpoints", `{"name":"e","listener":"secure"}`); status != 201 || e["url"] != base+"/hooks/e" {
		t.Errorf("an endpoint on it: got %d %v", status, e)
	}
	if got := r.meet(base); !strings.Contains(got, "expired") {
		t.Errorf("its first connection: %q", got)
	}
	if got := r.meet(base); got != "" {
		t.Errorf("its second connection: %q", got)
	}
	r.connections(1)
	status, page := r.api("GET", "/v1/connections?limit=5", "")
	list, _ := page["connections"].([]any)
	if status != 200 || len(list) != 1 || page["next"] != nil || list[0].(map[string]any)["listener"] != "secure" {
		t.Errorf("connections: got %d %v", status, page)
	}
	for _, name := range []string{"secure", "first"} {
		for _, act := range []string{"down", "up"} {
			if status, e := r.api("POST", "/v1/listeners/"+name+"/"+act, ""); status != 204 {
				t.Errorf("%s %s: got %d %v", name, act, status, e)
			}
			if status, l := r.api("GET", "/v1/listeners/"+name, ""); status != 200 || l["down"] != (act == "down") || l["name"] != name {
				t.Errorf("%s after %s: got %d %v", name, act, status, l)
			}
		}
	}
	if status, e := r.api("PUT", "/v1/listeners/first/plan", `{"plan":"accept-reset"}`); status != 204 {
		t.Errorf("plan: got %d %v", status, e)
	}
	if got := r.meet(r.DataURL()); got != reset {
		t.Errorf("the first listener: %q", got)
	}
	if status, a := r.api("GET", "/v1/listeners", ""); status != 200 || len(a["listeners"].([]any)) != 2 {
		t.Errorf("list: got %d %v", status, a)
	}
}

func TestControlOfListenersRefuses(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for name, tc := range map[string]struct {
		method, path, body string
		status             int
		want               string
	}{
		"no name":             {"POST", "/v1/listeners", `{}`, 400, "give it a name"},
		"name of the first":   {"POST", "/v1/listeners", `{"name":"first"}`, 400, "taken"},
		"no TLS":              {"POST", "/v1/listeners", `{"name":"x","plan":"tls-stall"}`, 400, "needs TLS"},
		"HTTP/2 without":      {"POST", "/v1/listeners", `{"name":"x","http2":true}`, 400, "needs TLS"},
		"no plan for those":   {"POST", "/v1/listeners", `{"name":"x","plan":"502"}`, 400, "acts on a request"},
		"what is shown":       {"POST", "/v1/listeners", `{"name":"x","down":true}`, 400, "not taken"},
		"no address":          {"POST", "/v1/listeners", `{"name":"x","addr":"nowhere"}`, 400, "listen on nowhere"},
		"URL of a script":     {"POST", "/v1/listeners", `{"name":"x","advertised_url":"javascript://h/%0aalert(1)"}`, 400, "want a base URL"},
		"URL without host":    {"POST", "/v1/listeners", `{"name":"x","advertised_url":"http:x"}`, 400, "want a base URL"},
		"unknown":             {"GET", "/v1/listeners/x", "", 404, `listener "x"`},
		"unknown down":        {"POST", "/v1/listeners/x/down", "", 404, `listener "x"`},
		"unknown up":          {"POST", "/v1/listeners/x/up", "", 404, `listener "x"`},
		"no plan":             {"PUT", "/v1/listeners/first/plan", `{}`, 400, "give a plan"},
		"endpoint on unknown": {"POST", "/v1/endpoints", `{"name":"e","listener":"x"}`, 400, `listener "x"`},
		"bad cursor":          {"GET", "/v1/connections?after=x", "", 400, "after"},
	} {
		status, answer := r.api(tc.method, tc.path, tc.body)
		text, _ := answer["error"].(string)
		if status != tc.status || !strings.Contains(text, tc.want) {
			t.Errorf("%s: got %d %v, want %d and %q", name, status, answer, tc.status, tc.want)
		}
	}
}
