package httpapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

const endpointOps = `
vars: {api_key: hush-hush-key}
secrets: [api_key]
setup: {method: POST, path: /login, body: {key: "${api_key}"}, expect: 201, extract: {token: .token}}
ops:
  register: {method: POST, path: /e, body: {secret?: "${endpoint.secret}", environment: "${endpoint.environment}"}, expect: 201, extract: {id: .id, secret?: .secret}}
  emit: {method: POST, path: /m, body: {data: "${event.data}", to?: "${event.endpoint}", env?: "${event.environment}"}, expect: 202}
  emit_rolled_back: {method: POST, path: /m, body: {data: "${event.data}", env: "${event.environment}", undo: true}, expect: 200}
  rotate: {method: POST, path: '/e/${endpoint.id}/rotate', body: {secret?: "${endpoint.secret}"}, expect: 200, extract: {secret?: .secret}}
  revoke: {method: PUT, path: '/e/${endpoint.id}/key', body: {secret?: "${endpoint.secret}"}, expect: 200, extract: {secret?: .secret}}
  disable: {method: POST, path: '/e/${endpoint.id}/off', expect: 204}
  enable: {method: POST, path: '/e/${endpoint.id}/on', expect: 204}
  delete: {method: DELETE, path: '/e/${endpoint.id}', expect: [200, 204]}
  read_endpoint: {method: GET, path: '/e/${endpoint.id}', expect: 200}
  replay_range: {method: POST, path: '/e/${endpoint.id}/replay', body: {from: "${range.from}", to: "${range.to}", why: "${reason}"}, expect: 202}
abilities: [issue-secrets, fan-out, environments]
`

func attachFull(t *testing.T, base, text string, w sender.Watcher) sender.Full {
	t.Helper()
	l, err := newLauncher(base, text, httpapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	i, err := l.Launch(t.Context(), "any", w)
	if err != nil {
		t.Fatal(err)
	}
	it, ok := i.(sender.Full)
	if !ok {
		t.Fatal("the instance lacks an interface")
	}
	return it
}

func TestCallsOfEndpointOps(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{
		"POST /login": `201 {"token":"t"}`, "POST /e/e%2F1/rotate": `200 {"secret":"ours-4711"}`, "PUT /e/e%2F1/key": `200 {"secret":"theirs-4711"}`,
		"POST /e/e%2F1/off": "204 ", "POST /e/e%2F1/on": "204 ", "DELETE /e/e%2F1": "200 {}", "GET /e/e%2F1": "200 {}",
		"POST /e/e%2F1/replay": "202 ", "POST /m": "200 {}",
	})
	i := attachFull(t, a.URL, endpointOps, nil)
	ctx := t.Context()
	from := time.Date(2026, 1, 2, 3, 4, 5, 120000001, time.FixedZone("", 3600))
	issued, err := i.RotateSecret(ctx, "e/1", "ours-4711")
	if err != nil || issued != "" {
		t.Errorf("rotate: issued %q, %v; an echo of ours is no issued secret", issued, err)
	}
	if issued, err = i.RevokeSecret(ctx, "e/1", ""); err != nil || issued != "theirs-4711" {
		t.Errorf("revoke: issued %q, %v", issued, err)
	}
	for name, err := range map[string]error{
		"disable": i.DisableEndpoint(ctx, "e/1"), "enable": i.EnableEndpoint(ctx, "e/1"), "delete": i.DeleteEndpoint(ctx, "e/1"),
		"read": i.ReadEndpoint(ctx, "e/1"), "range": i.ReplayRange(ctx, "e/1", from, from.Add(time.Second), "a test"),
		"rolled back": i.EmitRolledBack(ctx, sender.Event{Type: "a.b", Data: []byte("1.50"), Environment: "live"}),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	want := map[string]bool{
		`POST /login {"key":"hush-hush-key"}`: true, `POST /e/e%2F1/rotate {"secret":"ours-4711"}`: true, `PUT /e/e%2F1/key {}`: true,
		`POST /e/e%2F1/off`: true, `POST /e/e%2F1/on`: true, `DELETE /e/e%2F1`: true, `GET /e/e%2F1`: true,
		`POST /e/e%2F1/replay {"from":"2026-01-02T02:04:05.120000001Z","to":"2026-01-02T02:04:06.120000001Z","why":"a test"}`: true,
		`POST /m {"data":1.50,"env":"live","undo":true}`:                                                                      true,
	}
	got := map[string]bool{}
	for _, call := range a.asked() {
		got[call] = true
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("calls (want first):\n%s", d)
	}
}

func TestErrorsOfEndpointOps(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{
		"POST /login": `201 {"token":"t"}`, "POST /e/no-key/rotate": `200 {}`, "POST /e/odd/rotate": `202 {"secret":"theirs-4711"}`,
		"POST /e/echo/rotate": `400 {"error":"ours-4711 is too weak"}`,
	})
	i := attachFull(t, a.URL, endpointOps, nil)
	rotate := func(endpoint, secret string) error {
		_, err := i.RotateSecret(t.Context(), endpoint, secret)
		return err
	}
	where := "rotate the secret of endpoint "
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"nothing issued": {rotate("no-key", ""), where + "no-key: the sender was to issue a secret, but op rotate extracts none from its answer"},
		"other status":   {rotate("odd", ""), where + "odd: POST " + a.URL + "/e/odd/rotate answered 202 (want 200): (not shown, since it may hold a secret); sent: {}; see a.yaml:12:3"},
		"echo":           {rotate("echo", "ours-4711"), where + "echo: POST " + a.URL + `/e/echo/rotate answered 400 (want 200): {"error":"[secret] is too weak"}; sent: {"secret":"[secret]"}; see a.yaml:12:3`},
		"unknown":        {i.DeleteEndpoint(t.Context(), "e"), "delete endpoint e: DELETE " + a.URL + `/e/e answered 404 (want 200 or 204): {"error":"nothing here"}; see a.yaml:16:3`},
		"empty id":       {i.DisableEndpoint(t.Context(), ""), "disable endpoint : POST: path: ${endpoint.id} is empty; see a.yaml:14:3"},
		"no op":          {i.Replay(t.Context(), sender.Delivery{}, ""), "replay event  at endpoint : the adapter a.yaml has no op replay"},
	} {
		if tt.err == nil || tt.err.Error() != tt.want {
			t.Errorf("%s: want %s\ngot %v", name, tt.want, tt.err)
		}
	}
}

func TestAnswersReachTheWatcher(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70_000)
	a := newAPI(t, map[string]string{
		"POST /login": `201 {"token":"t"}`, "POST /e": `201 {"id":"e","secret":"theirs-4711"}`, "POST /e/e/rotate": `200 {"secret":"theirs-4712"}`,
		"PUT /e/e/key": `409 ours-4713 was revoked once`, "GET /e/e": `200 {"secret":"theirs-4711","for":"hush-hush-key"}`,
		"DELETE /e/e": "200 " + long, "POST /e/e/off": "204 ", "POST /m": `202 {"id":"v"}`,
	})
	l, err := newLauncher(a.URL, endpointOps, httpapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	other := newWatcher()
	if _, err := l.Launch(t.Context(), "other", other); err != nil {
		t.Fatal(err)
	}
	w := newWatcher()
	launched, err := l.Launch(t.Context(), "any", w)
	if err != nil {
		t.Fatal(err)
	}
	i, ok := launched.(sender.Full)
	if !ok {
		t.Fatal("the instance lacks an interface")
	}
	for name, act := range map[string]func(context.Context) error{
		"register": func(ctx context.Context) error { _, err := i.RegisterEndpoint(ctx, sender.Endpoint{}); return err },
		"rotate":   func(ctx context.Context) error { _, err := i.RotateSecret(ctx, "e", ""); return err },
		"emit":     func(ctx context.Context) error { _, err := i.Emit(ctx, sender.Event{Data: []byte("1")}); return err },
		"read":     func(ctx context.Context) error { return i.ReadEndpoint(ctx, "e") },
		"delete":   func(ctx context.Context) error { return i.DeleteEndpoint(ctx, "e") },
		"disable":  func(ctx context.Context) error { return i.DisableEndpoint(ctx, "e") },
	} {
		if err := act(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := i.RevokeSecret(t.Context(), "e", "ours-4713"); err == nil {
		t.Error("a refused revocation is no error")
	}
	want := map[string]string{
		"revoke": "ours-4713 was revoked once", "emit": `{"id":"v"}`, "read_endpoint": `{"secret":"theirs-4711","for":"[secret]"}`,
		"delete": long[:64<<10],
	}
	if d := cmp.Diff(want, w.answers); d != "" {
		t.Errorf("answers (want first):\n%s", d)
	}
	if len(other.answers) > 0 {
		t.Errorf("the watcher of another instance was told %v", other.answers)
	}
}

func TestHasTellsTheTruth(t *testing.T) {
	t.Parallel()
	all := []sender.Ability{
		sender.CanReplay, sender.CanReadLog, sender.CanReadDead, sender.CanChangeObject, sender.CanStop, sender.CanKill,
		sender.CanLaunch, sender.CanOutput, sender.CanRotate, sender.CanRevoke, sender.CanDisable, sender.CanDelete,
		sender.CanReadEndpoint, sender.CanReplayRange, sender.CanRollBack, sender.CanIssueSecrets, sender.CanFanOut, sender.CanSeparate,
	}
	a := newAPI(t, map[string]string{"POST /login": `201 {"token":"t"}`})
	for name, tt := range map[string]struct{ text, want string }{
		"ops of today": {fullOps, "[replay log dead-letters change-object]"},
		"new ops":      {endpointOps, "[rotate revoke disable delete read-endpoint replay-range roll-back issue-secrets fan-out environments]"},
	} {
		l, err := newLauncher(a.URL, tt.text, httpapi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		i, err := l.Launch(t.Context(), "any", nil)
		if err != nil {
			t.Fatal(err)
		}
		var has []sender.Ability
		for _, ability := range all {
			if i.Has(ability) {
				has = append(has, ability)
			}
		}
		if got := fmt.Sprint(has); got != tt.want {
			t.Errorf("%s: has %s, want %s", name, got, tt.want)
		}
		if got := len(l.Info().Abilities); got != len(has) {
			t.Errorf("%s: the header lists %d abilities, want %d", name, got, len(has))
		}
	}
}
