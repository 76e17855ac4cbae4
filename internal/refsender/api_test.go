package refsender_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/refsender"
)

func TestBadRequestsGetOneSentence(t *testing.T) {
	r := newRig(t, refsender.Config{})
	ep := r.register(r.URL + "/a")
	for name, tc := range map[string]struct {
		method, path, body, want string
		status                   int
	}{
		"unknown field":       {"POST", "/v1/events", `{"type":"a.b","data":{},"typ":1}`, `field "typ" is unknown`, 400},
		"wrong kind":          {"POST", "/v1/events", `{"type":7,"data":{}}`, "field type must not be a number", 400},
		"no object":           {"POST", "/v1/events", `[]`, "the body must be a JSON object, not a array", 400},
		"no JSON":             {"POST", "/v1/events", `{`, "the body is not JSON", 400},
		"two values":          {"POST", "/v1/events", `{"type":"a.b","data":{}}{}`, "the body holds more than one JSON value", 400},
		"no UTF-8":            {"POST", "/v1/events", "{\"type\":\"\xff\"}", "the body is not UTF-8", 400},
		"too large":           {"POST", "/v1/events", `{"type":"` + strings.Repeat("a", 9<<20) + `"}`, "the body exceeds 8388608 bytes", 400},
		"no type":             {"POST", "/v1/events", `{"data":{}}`, "type must have 1 to 200 bytes", 400},
		"data no object":      {"POST", "/v1/events", `{"type":"a.b","data":[1]}`, "data must be a JSON object", 400},
		"data missing":        {"POST", "/v1/events", `{"type":"a.b"}`, "data must be a JSON object", 400},
		"no such endpoint":    {"POST", "/v1/events", `{"type":"a.b","data":{},"endpoint":"ep_x"}`, "there is no such endpoint", 404},
		"relative URL":        {"POST", "/v1/endpoints", `{"url":"/a"}`, "url must be an absolute http or https URL", 400},
		"URL with password":   {"POST", "/v1/endpoints", `{"url":"http://u:p@h/"}`, "url must not hold a user or password", 400},
		"no such object":      {"PUT", "/v1/objects/order%2F1", `{"data":{}}`, "there is no such object", 404},
		"no such delivery":    {"GET", "/v1/events/evt_x/deliveries/" + ep, "", "there is no delivery of this event to this endpoint", 404},
		"no such dead box":    {"GET", "/v1/endpoints/ep_x/dead-letters", "", "there is no such endpoint", 404},
		"replay of nothing":   {"POST", "/v1/events/evt_x/deliveries/" + ep + "/replay", `{"reason":"r"}`, "there is no delivery of this event to this endpoint", 404},
		"replay for no cause": {"POST", "/v1/events/evt_x/deliveries/" + ep + "/replay", `{}`, "reason must say why the event is replayed", 400},
		"unknown path":        {"GET", "/v2", "", "there is nothing at this path", 404},
		"wrong method":        {"GET", "/v1/events", "", "this path does not take GET", 405},
	} {
		t.Run(name, func(t *testing.T) {
			var got map[string]string
			if status := r.call(tc.method, tc.path, tc.body, &got); status != tc.status {
				t.Errorf("status %d, want %d", status, tc.status)
			}
			if diff := cmp.Diff(map[string]string{"error": tc.want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHealth(t *testing.T) {
	r := newRig(t, refsender.Config{})
	var got map[string]string
	if status := r.call("GET", "/healthz", nil, &got); status != 200 || got["status"] != "ok" {
		t.Errorf("%d %v", status, got)
	}
}

func TestIssuedSecretSigns(t *testing.T) {
	c := fast(t)
	c.Signature.Scheme = "standard-webhooks-v1"
	r := newRig(t, refsender.Config{Contract: c})
	var out struct{ ID, Secret string }
	if got := r.call("POST", "/v1/endpoints", map[string]string{"url": r.URL + "/a"}, &out); got != 201 {
		t.Fatalf("register: %d", got)
	}
	if !strings.HasPrefix(out.Secret, "whsec_") {
		t.Errorf("issued secret has not the scheme's form")
	}
	r.ended(r.emit(out.ID, struct{}{}), out.ID, "delivered")
	if r.at("/a")[0].head.Get("Webhook-Signature") == "" {
		t.Error("the request is not signed")
	}
}

func TestUnusableSecretIsRefusedWithoutEcho(t *testing.T) {
	c := fast(t)
	c.Signature.Scheme = "standard-webhooks-v1"
	r := newRig(t, refsender.Config{Contract: c})
	var got map[string]string
	status := r.call("POST", "/v1/endpoints", map[string]string{"url": r.URL, "secret": secret}, &got)
	if status != 400 || !strings.Contains(got["error"], "secret") || strings.Contains(got["error"], secret) {
		t.Errorf("%d %v", status, got)
	}
}

func TestScope(t *testing.T) {
	r := newRig(t, refsender.Config{})
	endpoints := map[string]string{}
	for name, in := range map[string]map[string]any{
		"all":    {},
		"paid":   {"types": []string{"invoice.paid"}},
		"tenant": {"tenant": "t1"},
	} {
		in["url"], in["secret"] = r.URL+"/"+name, secret
		var out struct{ ID string }
		if got := r.call("POST", "/v1/endpoints", in, &out); got != 201 {
			t.Fatalf("register %s: %d", name, got)
		}
		endpoints[name] = out.ID
	}
	for _, tc := range []struct {
		in   map[string]any
		want []string
	}{
		{map[string]any{"type": "invoice.paid"}, []string{"all", "paid"}},
		{map[string]any{"type": "invoice.created"}, []string{"all"}},
		{map[string]any{"type": "invoice.paid", "tenant": "t1"}, []string{"tenant"}},
		{map[string]any{"type": "invoice.created", "endpoint": endpoints["paid"]}, nil},
	} {
		tc.in["data"] = struct{}{}
		id := r.emitAs(tc.in)
		var got []string
		for _, name := range []string{"all", "paid", "tenant"} {
			if r.call("GET", "/v1/events/"+id+"/deliveries/"+endpoints[name], nil, nil) == 200 {
				got = append(got, name)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%v: %s", tc.in, diff)
		}
	}
	in := map[string]any{"type": "a.b", "data": struct{}{}, "endpoint": endpoints["tenant"], "tenant": "t2"}
	if got := r.call("POST", "/v1/events", in, nil); got != 404 {
		t.Errorf("emit to another tenant's endpoint: %d, want 404", got)
	}
}

func TestBadConfig(t *testing.T) {
	noSchedule := fast(t)
	noSchedule.Schedule = nil
	rootData := fast(t)
	rootData.Envelope = &contract.Envelope{Type: "/type", Data: "/type/x"}
	for name, tc := range map[string]struct {
		cfg  refsender.Config
		want string
	}{
		"no contract":      {refsender.Config{DB: "x"}, "no contract"},
		"no database":      {refsender.Config{Contract: fast(t)}, "no database path"},
		"no schedule":      {refsender.Config{DB: "x", Contract: noSchedule}, "no schedule"},
		"unknown variant":  {refsender.Config{DB: "x", Contract: fast(t), Variant: "nope"}, `"nope" is unknown; hookassay list variants names them`},
		"unknown defect":   {refsender.Config{DB: "x", Contract: fast(t), Defect: "nope"}, `"nope" is unknown; hookassay list defects names them`},
		"data inside type": {refsender.Config{DB: "x", Contract: rootData}, "places data inside or upon type"},
		"bad database":     {refsender.Config{DB: t.TempDir(), Contract: fast(t)}, "open database"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := refsender.New(tc.cfg); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q in it", err, tc.want)
			}
		})
	}
}
