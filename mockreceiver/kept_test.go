package mockreceiver_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

func restore(t *testing.T, r *rig) []string {
	t.Helper()
	names, err := r.Restore()
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// did calls the control API and fails if it is refused.
func (r *rig) did(method, path, body string) {
	r.t.Helper()
	if status, a := r.api(method, path, body); status/100 != 2 {
		r.t.Fatalf("%s %s: got %d %v", method, path, status, a)
	}
}

// TestEndpointsOutliveARestart: what the control API was told is there again, but for secrets.
func TestEndpointsOutliveARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	first := start(t, mockreceiver.Config{Journal: path})
	first.endpoint("own", "200")
	first.did("POST", "/v1/endpoints", `{"name":"a","path":"/x/a","scenario":"s/a","plan":"502, 200","business":"inbox","worker":{"tries":2},"types":["a.*"],"fields":{"type":"/kind"}}`)
	first.did("POST", "/v1/endpoints", `{"name":"gone"}`)
	first.did("POST", "/v1/endpoints", `{"name":"checks","verify":{"scheme":"timestamp-v1","secrets":["canary of ours"]}}`)
	first.did("POST", "/v1/endpoints", `{"name":"rejects","verify":{"scheme":"standard-webhooks-v1","secrets":["whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"],"tolerance":"1m","reject":true}}`)
	first.did("PUT", "/v1/endpoints/a/plan", `{"plan":"503; ttl=1h"}`)
	first.did("PUT", "/v1/endpoints/a/rules", `{"rules":[{"match":".method == \"PUT\"","plan":"405"}]}`)
	first.did("PUT", "/v1/endpoints/a/events/evt_1/plan", `{"plan":"410"}`)
	first.did("PUT", "/v1/endpoints/a/events/evt_2/plan", `{"plan":"411"}`)
	first.did("DELETE", "/v1/endpoints/a/events/evt_2/plan", "")
	first.did("PUT", "/v1/endpoints/checks/events/evt_1/plan", `{"plan":"410"}`)
	first.did("POST", "/v1/endpoints/checks/reset", "")
	first.did("DELETE", "/v1/endpoints/gone", "")
	was := first.get(t, "/v1/endpoints/a")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if n := scan(t, open(t, path), "SELECT count(*) FROM setting WHERE record LIKE '%canary%' OR record LIKE '%whsec%'"); n != 0 {
		t.Errorf("%d settings hold a secret", n)
	}

	second := start(t, mockreceiver.Config{Journal: path})
	second.endpoint("own", "204")
	if d := cmp.Diff([]string{"a", "checks", "rejects"}, restore(t, second)); d != "" {
		t.Error(d)
	}
	is := second.get(t, "/v1/endpoints/a")
	delete(was, "url") // another port
	delete(is, "url")
	if d := cmp.Diff(was, is); d != "" {
		t.Error(d)
	}
	if a := second.get(t, "/v1/endpoints/a/events/evt_1/plan"); a["plan"] != "410" {
		t.Errorf("the plan of the event is %v", a)
	}
	c := client(t)
	for url, want := range map[string]int{"/x/a": 503, "/hooks/own": 204, "/hooks/checks": 200, "/hooks/rejects": 401, "/hooks/gone": 404} {
		if status, _ := post(t, c, second.DataURL()+url, `{"id":"evt_9","kind":"a.b"}`); status != want {
			t.Errorf("%s: got %d, want %d", url, status, want)
		}
	}
	v := second.get(t, "/v1/endpoints/rejects")["verify"].(map[string]any)
	if v["secrets_missing"] != true || v["secrets"] != 0.0 || v["reject"] != true || v["tolerance"] != "1m0s" {
		t.Errorf("the endpoint without secrets says %v", v)
	}
	said := second.until("two troubles", func(l []evidence.Record) bool { return len(of[*evidence.Trouble](l)) == 2 })
	if text := of[*evidence.Trouble](said)[1].What; !strings.Contains(text, "rejects") || !strings.Contains(text, "401 to everything") {
		t.Errorf("the trouble says %q", text)
	}
	second.did("PUT", "/v1/endpoints/checks/verify", `{"scheme":"timestamp-v1","secrets":["canary of ours"]}`)
	if v := second.get(t, "/v1/endpoints/checks")["verify"].(map[string]any); v["secrets_missing"] != nil || v["secrets"] != 1.0 {
		t.Errorf("with its secret again: %v", v)
	}
}

// TestAnEndpointAddedAnewWins over the kept one of its name. Only one that came without plans takes those over.
func TestAnEndpointAddedAnewWins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	first := start(t, mockreceiver.Config{Journal: path})
	for _, name := range []string{"bare", "planned"} {
		if _, err := first.AddEndpoint(mockreceiver.Endpoint{Name: name}); err != nil {
			t.Fatal(err)
		}
		first.did("PUT", "/v1/endpoints/"+name+"/plan", `{"plan":"503"}`)
		first.did("PUT", "/v1/endpoints/"+name+"/events/1/plan", `{"plan":"410"}`)
	}
	first.did("POST", "/v1/endpoints", `{"name":"other","path":"/taken"}`)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := start(t, mockreceiver.Config{Journal: path})
	for _, e := range []mockreceiver.Endpoint{{Name: "bare", Path: "/taken"}, {Name: "planned", Plan: mustPlan(t, "200")}} {
		if _, err := second.AddEndpoint(e); err != nil {
			t.Fatal(err)
		}
	}
	names, err := second.Restore()
	if d := cmp.Diff([]string{"bare"}, names); d != "" || err == nil || !strings.Contains(err.Error(), "/taken is taken by bare") {
		t.Errorf("%s, error %v", d, err)
	}
	if a := second.get(t, "/v1/endpoints/bare"); a["plan"] != "503" || a["event_plans"] != 1.0 || a["path"] != "/taken" {
		t.Errorf("the bare one: %v", a)
	}
	if a := second.get(t, "/v1/endpoints/planned"); a["plan"] != "200" || a["event_plans"] != nil {
		t.Errorf("the planned one: %v", a)
	}
}
