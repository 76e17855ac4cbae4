package presets_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
	"github.com/hookassay/hookassay/presets"
)

func TestEachPresetIsSound(t *testing.T) {
	for _, p := range presets.All() {
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string][]byte{}
		for _, f := range files {
			texts[f.Name] = f.Text
		}
		c, err := contract.Parse("contract.yaml", texts["contract.yaml"])
		if err != nil || c.Name != p.Profile {
			t.Errorf("%s: contract %v: %v", p.Name, c, err)
		}
		if len(texts["README.md"]) == 0 || p.Title == "" || p.Needs == "" {
			t.Errorf("%s: README, title or needs are missing", p.Name)
		}
		adapter, driven := texts["adapter.yaml"]
		run := string(texts["hookassay.yaml"])
		if !driven && run == "" {
			continue
		}
		way := "  adapter: adapter.yaml"
		if !driven {
			way = "  observe: "
		} else if _, err := httpapi.Parse(p.Name+"/adapter.yaml", adapter); err != nil {
			t.Error(err)
		}
		if !strings.Contains(run, "\ncontract: contract.yaml\n") || !strings.Contains(run, way) {
			t.Errorf("%s: its run file names another contract, or has no %q:\n%s", p.Name, way, run)
		}
	}
	if _, err := presets.Get("svx"); err == nil || !strings.Contains(err.Error(), "did you mean svix?") {
		t.Errorf("an unknown preset: got %v, want an error with the one that was meant", err)
	}
}

const (
	marker = evidence.MarkerPrefix + "0123456789abcdefghij"
	data   = `{"marker":"` + marker + `","amount":1.50}`
)

// driven is an instance that a preset's adapter makes for a fake.
func driven(t *testing.T, name string, vars map[string]string) sender.Full {
	t.Helper()
	p, err := presets.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name != "adapter.yaml" {
			continue
		}
		a, err := httpapi.Parse(f.Name, f.Text)
		if err != nil {
			t.Fatal(err)
		}
		launcher, err := httpapi.New(a, httpapi.Options{Vars: vars, TempDir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		in, err := launcher.Launch(t.Context(), name, quiet{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = in.Close() })
		full, ok := in.(sender.Full)
		if !ok {
			t.Fatalf("%T has not all methods", in)
		}
		return full
	}
	t.Fatalf("preset %s has no adapter", name)
	return nil
}

// quiet hears nothing.
type quiet struct{}

func (quiet) Line(string, string)           {}
func (quiet) Answer(string, []byte)         {}
func (quiet) Exited(error)                  {}
func (quiet) Late(time.Time, time.Duration) {}

// must ends the test at an error.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func done(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
}

// same compares what was seen with what was wanted.
func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func endpoint(secret string) sender.Endpoint {
	return sender.Endpoint{Name: "retry.x", URL: "http://127.0.0.2:1/hook", Secret: secret}
}

func event(endpoint string) sender.Event {
	return sender.Event{Type: "user.created", Data: json.RawMessage(data), Endpoint: endpoint}
}

// attempts brings a log into a short form.
func attempts(l evidence.LogEntry) (out []string) {
	for _, a := range l.Attempts {
		status := "-"
		if a.Status != 0 {
			status = string(rune('0'+a.Status/100)) + "xx"
		}
		out = append(out, strings.Join([]string{status, a.Outcome, a.Error, a.Trigger}, " "))
	}
	return out
}

func TestOutpost(t *testing.T) {
	f := newFake(t, map[string]answer{
		"PUT /tenants/hookassay":                            {201, `{"id":"hookassay"}`},
		"POST /tenants/hookassay/destinations":              {201, `{"id":"des_1","credentials":{"secret":"whsec_made"}}`},
		"POST /publish":                                     {202, `{"id":"evt_1","duplicate":false,"destination_ids":["des_1"]}`},
		"GET /attempts":                                     {200, outpostAttempts},
		"POST /retry":                                       {202, `{}`},
		"PATCH /tenants/hookassay/destinations/des_1":       {200, `{"id":"des_1","credentials":{"secret":"whsec_next"}}`},
		"PUT /tenants/hookassay/destinations/des_1/disable": {200, `{}`},
		"PUT /tenants/hookassay/destinations/des_1/enable":  {200, `{}`},
		"DELETE /tenants/hookassay/destinations/des_1":      {200, `{}`},
	})
	in, ctx := driven(t, "outpost", map[string]string{"base_url": f.URL, "api_key": "k"}), t.Context()
	same(t, "registered", sender.Registered{ID: "des_1", Secret: "whsec_made"}, must(in.RegisterEndpoint(ctx, endpoint("")))(t))
	made := f.last(t, "POST", "/tenants/hookassay/destinations")
	same(t, "auth", "Bearer k", made.auth)
	same(t, "url", any("http://127.0.0.2:1/hook"), made.at("config.url"))
	same(t, "emitted", sender.Emitted{ID: "evt_1"}, must(in.Emit(ctx, event("des_1")))(t))
	same(t, "payload", any(1.5), f.last(t, "POST", "/publish").at("data.amount"))
	d := sender.Delivery{Event: "evt_1", Endpoint: "des_1"}
	l := must(in.DeliveryLog(ctx, d))(t)
	same(t, "state", "delivered", l.State)
	same(t, "attempts", []string{"- failed timeout schedule", "5xx failed  schedule", "2xx success  manual"}, attempts(l))
	done(t, in.Replay(ctx, d, "test"))
	same(t, "replayed", any("des_1"), f.last(t, "POST", "/retry").at("destination_id"))
	same(t, "rotated", "whsec_next", must(in.RotateSecret(ctx, "des_1", ""))(t))
	done(t, in.DisableEndpoint(ctx, "des_1"), in.EnableEndpoint(ctx, "des_1"), in.DeleteEndpoint(ctx, "des_1"))
}

const outpostAttempts = `{"models":[
	{"id":"a3","status":"success","time":"2026-01-02T03:04:15Z","code":"200","attempt_number":3,"manual":true,"event_id":"evt_1","destination_id":"des_1"},
	{"id":"a2","status":"failed","time":"2026-01-02T03:04:10Z","code":"503","attempt_number":2,"manual":false,"event_id":"evt_1","destination_id":"des_1"},
	{"id":"a1","status":"failed","time":"2026-01-02T03:04:05Z","code":"timeout","attempt_number":1,"manual":false,"event_id":"evt_1","destination_id":"des_1"}]}`

func TestSvix(t *testing.T) {
	f := newFake(t, map[string]answer{
		"POST /app":                                      {201, `{"id":"app_1","name":"hookassay retry.x"}`},
		"POST /app/app_1/endpoint":                       {201, `{"id":"ep_1","uid":"hook"}`},
		"GET /app/app_1/endpoint/hook/secret":            {200, `{"key":"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"}`},
		"POST /app/app_1/msg":                            {202, `{"id":"msg_1","eventType":"user.created"}`},
		"GET /app/app_1/attempt/msg/msg_1":               {200, svixAttempts},
		"POST /app/app_1/msg/msg_1/endpoint/hook/resend": {202, `{}`},
		"POST /app/app_1/endpoint/hook/recover":          {202, `{"id":"qtask_1","status":"running","task":"endpoint.recover"}`},
		"POST /app/app_1/endpoint/hook/secret/rotate":    {204, ``},
		"PATCH /app/app_1/endpoint/hook":                 {200, `{"id":"ep_1"}`},
		"DELETE /app/app_1/endpoint/hook":                {204, ``},
		"GET /app/app_1/endpoint/hook":                   {200, `{"id":"ep_1"}`},
	})
	in, ctx := driven(t, "svix", map[string]string{"base_url": f.URL, "token": "k"}), t.Context()
	same(t, "registered", sender.Registered{ID: "app_1", Secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"}, must(in.RegisterEndpoint(ctx, endpoint("")))(t))
	same(t, "emitted", sender.Emitted{ID: "msg_1"}, must(in.Emit(ctx, event("app_1")))(t))
	same(t, "payload", any(marker), f.last(t, "POST", "/app/app_1/msg").at("payload.marker"))
	d := sender.Delivery{Event: "msg_1", Endpoint: "app_1"}
	l := must(in.DeliveryLog(ctx, d))(t)
	same(t, "state", "pending", l.State)
	same(t, "attempts", []string{"5xx failure  schedule", "- failure  manual"}, attempts(l))
	from := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	done(t, in.Replay(ctx, d, "test"), in.ReplayRange(ctx, "app_1", from, from.Add(time.Minute), "test"))
	same(t, "range", any("2026-01-02T03:04:05Z"), f.last(t, "POST", "/app/app_1/endpoint/hook/recover").at("since"))
	must(in.RotateSecret(ctx, "app_1", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"))(t)
	same(t, "key", any("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"), f.last(t, "POST", "/app/app_1/endpoint/hook/secret/rotate").at("key"))
	done(t, in.DisableEndpoint(ctx, "app_1"), in.EnableEndpoint(ctx, "app_1"), in.DeleteEndpoint(ctx, "app_1"), in.ReadEndpoint(ctx, "app_1"))
}

const svixAttempts = `{"data":[
	{"id":"atmpt_2","responseStatusCode":0,"status":2,"triggerType":1,"timestamp":"2026-01-02T03:04:10Z","msgId":"msg_1","endpointId":"ep_1"},
	{"id":"atmpt_1","responseStatusCode":500,"status":2,"triggerType":0,"timestamp":"2026-01-02T03:04:05Z","msgId":"msg_1","endpointId":"ep_1"}],
	"done":true,"iterator":null}`

func TestConvoy(t *testing.T) {
	const p = "/projects/p1"
	f := newFake(t, map[string]answer{
		"POST " + p + "/endpoints":                            {201, `{"status":true,"data":{"uid":"ep1"}}`},
		"POST " + p + "/subscriptions":                        {201, `{"status":true,"data":{"uid":"sub1"}}`},
		"POST " + p + "/events":                               {201, `{"status":true,"message":"event queued"}`},
		"GET " + p + "/eventdeliveries":                       {200, `{"status":true,"data":{"content":[{"uid":"del9","idempotency_key":"other","status":"Retry"},{"uid":"del1","idempotency_key":"` + marker + `","status":"Success"}]}}`},
		"GET " + p + "/eventdeliveries/del1/deliveryattempts": {200, convoyAttempts},
		"POST " + p + "/eventdeliveries/forceresend":          {200, `{"status":true}`},
		"PUT " + p + "/endpoints/ep1/expire_secret":           {200, `{"status":true}`},
		"PUT " + p + "/endpoints/ep1/pause":                   {202, `{"status":true}`},
		"DELETE " + p + "/endpoints/ep1":                      {200, `{"status":true}`},
	})
	in, ctx := driven(t, "convoy", map[string]string{"base_url": f.URL, "project": "p1", "api_key": "k"}), t.Context()
	same(t, "registered", sender.Registered{ID: "ep1"}, must(in.RegisterEndpoint(ctx, endpoint("s3cret")))(t))
	same(t, "secret", any("s3cret"), f.last(t, "POST", p+"/endpoints").at("secret"))
	same(t, "subscribed", any("ep1"), f.last(t, "POST", p+"/subscriptions").at("endpoint_id"))
	same(t, "emitted", sender.Emitted{ID: marker}, must(in.Emit(ctx, event("ep1")))(t))
	same(t, "key", any(marker), f.last(t, "POST", p+"/events").at("idempotency_key"))
	d := sender.Delivery{Event: marker, Endpoint: "ep1"}
	l := must(in.DeliveryLog(ctx, d))(t)
	same(t, "state", "delivered", l.State)
	same(t, "attempts", []string{"- failure connection refused ", "2xx success  "}, attempts(l))
	done(t, in.Replay(ctx, d, "test"))
	same(t, "replayed", any([]any{"del1"}), f.last(t, "POST", p+"/eventdeliveries/forceresend").at("ids"))
	must(in.RotateSecret(ctx, "ep1", "next"))(t)
	same(t, "rotated", any("next"), f.last(t, "PUT", p+"/endpoints/ep1/expire_secret").at("secret"))
	done(t, in.DisableEndpoint(ctx, "ep1"), in.EnableEndpoint(ctx, "ep1"), in.DeleteEndpoint(ctx, "ep1"))
}

const convoyAttempts = `{"status":true,"data":[
	{"uid":"at2","status":true,"http_status":"200 OK","error":"","created_at":"2026-01-02T03:05:45Z"},
	{"uid":"at1","status":false,"http_status":"","error":"connection refused","created_at":"2026-01-02T03:04:05Z"}]}`

func TestGitea(t *testing.T) {
	const repo = "/repos/ann/hookassay-retry.x"
	f := newFake(t, map[string]answer{
		"DELETE " + repo:              {404, `{"message":"Not Found"}`},
		"POST /user/repos":            {201, `{"id":7,"name":"hookassay-retry.x"}`},
		"POST " + repo + "/hooks":     {201, `{"id":3,"type":"gitea","active":true}`},
		"GET " + repo + "/hooks":      {200, `[{"id":3,"type":"gitea","active":true}]`},
		"PATCH " + repo + "/hooks/3":  {200, `{"id":3}`},
		"DELETE " + repo + "/hooks/3": {204, ``},
		"POST " + repo + "/issues":    {201, `{"id":11,"number":1}`},
	})
	in, ctx := driven(t, "gitea", map[string]string{"base_url": f.URL, "owner": "ann", "token": "k"}), t.Context()
	r := must(in.RegisterEndpoint(ctx, endpoint("s3cret")))(t)
	same(t, "registered", sender.Registered{ID: "hookassay-retry.x"}, r)
	hook := f.last(t, "POST", repo+"/hooks")
	same(t, "auth", "token k", hook.auth)
	same(t, "secret", any("s3cret"), hook.at("config.secret"))
	same(t, "emitted", sender.Emitted{}, must(in.Emit(ctx, event(r.ID)))(t))
	same(t, "text", any(data), f.last(t, "POST", repo+"/issues").at("body"))
	done(t, in.DisableEndpoint(ctx, r.ID))
	same(t, "disabled", any(false), f.last(t, "PATCH", repo+"/hooks/3").at("active"))
	done(t, in.EnableEndpoint(ctx, r.ID), in.ReadEndpoint(ctx, r.ID), in.DeleteEndpoint(ctx, r.ID))
}

func TestAlertmanager(t *testing.T) {
	f := newFake(t, map[string]answer{"POST /-/reload": {200, ``}, "POST /api/v2/alerts": {200, ``}})
	file := filepath.Join(t.TempDir(), "alertmanager.yml")
	in, ctx := driven(t, "alertmanager", map[string]string{"base_url": f.URL, "config_file": file}), t.Context()
	r := must(in.RegisterEndpoint(ctx, endpoint("not used")))(t)
	var written struct {
		Route struct {
			Receiver string
			Routes   []struct {
				Receiver string
				Matchers []string
			}
		}
		Receivers []struct {
			Name           string
			WebhookConfigs []struct {
				URL          string
				SendResolved bool `json:"send_resolved"`
			} `json:"webhook_configs"`
		}
	}
	done(t, json.Unmarshal(must(os.ReadFile(file))(t), &written))
	if len(written.Receivers) != 2 || len(written.Route.Routes) != 1 || written.Receivers[1].WebhookConfigs[0].URL != "http://127.0.0.2:1/hook" {
		t.Fatalf("written was %+v", written)
	}
	same(t, "route", []string{`endpoint="` + r.ID + `"`}, written.Route.Routes[0].Matchers)
	f.last(t, "POST", "/-/reload")
	must(in.Emit(ctx, event(r.ID)))(t)
	alert := f.last(t, "POST", "/api/v2/alerts")
	same(t, "label", any(r.ID), alert.at("labels.endpoint"))
	same(t, "data", any(data), alert.at("annotations.data"))
}
