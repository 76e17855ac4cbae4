package httpapi_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

func TestSetupStepsAndPoll(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{
		"POST /projects":                  `201 {"uid":"p1"}`,
		"POST /p/p1/endpoints":            `201 {"data":{"uid":"e1"}}`,
		"POST /p/p1/subscriptions":        `201 {}`,
		"POST /p/p1/events":               `201 {}`,
		"GET /p/p1/deliveries?e=e1":       `200 {"content":[{"uid":"d1","event":"v1"}]}`,
		"GET /p/p1/deliveries?e=e2":       `200 {"content":[]}`,
		"GET /p/p1/deliveries/d1/attempt": `200 [{"code":200,"at":"2026-01-02T03:04:05Z"}]`,
	})
	text := `
setup: {method: POST, path: /projects, expect: 201, extract: {project: .uid}}
ops:
  register:
    steps:
      - {method: POST, path: '/p/${setup.project}/endpoints', body: {url: "${endpoint.url}"}, expect: 201, extract: {id: .data.uid}}
      - {method: POST, path: '/p/${setup.project}/subscriptions', body: {endpoint: "${got.id}"}, expect: 201}
  emit:
    steps:
      - {method: POST, path: '/p/${setup.project}/events', body: {endpoint: "${event.endpoint}"}, expect: 201}
      - method: GET
        path: /p/${setup.project}/deliveries
        query: {e: "${event.endpoint}"}
        expect: 200
        poll: {every: 10ms, until: '.content | length > 0', max: 2s}
        extract: {id: '.content[0].event'}
  log:
    steps:
      - {method: GET, path: '/p/${setup.project}/deliveries', query: {e: "${delivery.endpoint}"}, expect: 200, extract: {delivery: '.content[0].uid'}}
      - {method: GET, path: '/p/${setup.project}/deliveries/${got.delivery}/attempt', expect: 200}
    result: '{state: "delivered", last_failure: $in.got.delivery, attempts: [to_entries[] | {number: (.key + 1), at: .value.at, status: .value.code}]}'
`
	l, err := newLauncher(a.URL, text, httpapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	one, err := l.Launch(t.Context(), "one", nil)
	if err != nil {
		t.Fatal(err)
	}
	two, err := l.Launch(t.Context(), "two", nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := two.RegisterEndpoint(t.Context(), sender.Endpoint{URL: "http://r"})
	if err != nil || e.ID != "e1" {
		t.Fatalf("got %+v, %v", e, err)
	}
	got, err := one.Emit(t.Context(), sender.Event{Type: "a.b", Endpoint: "e1"})
	if err != nil || got.ID != "v1" {
		t.Fatalf("got %+v, %v", got, err)
	}
	log, err := readers(t, one).DeliveryLog(t.Context(), sender.Delivery{Event: "v1", Endpoint: "e1"})
	if err != nil || len(log.Attempts) != 1 || log.LastFailure != "d1" {
		t.Errorf("got %+v, %v", log, err)
	}
	if n := strings.Count(strings.Join(a.asked(), "\n"), "POST /projects"); n != 1 {
		t.Errorf("setup was done %d times", n)
	}
	_, err = one.Emit(t.Context(), sender.Event{Type: "a.b", Endpoint: "e2"})
	if err == nil || !strings.Contains(err.Error(), `within 2s, and jq ".content | length > 0" was never true; last answer: {"content":[]}`) {
		t.Errorf("a poll without end gave %v", err)
	}
}

func TestAttachedSenderIsNotOurs(t *testing.T) {
	t.Parallel()
	a := newAPI(t, nil)
	i := attach(t, a.URL, strings.TrimPrefix(smallest, "schema: hookassay.adapter/1\nname: tiny\nbase_url: http://127.0.0.1:1\n"), httpapi.Options{})
	for name, act := range map[string]func(context.Context) error{"stop": i.Stop, "kill": i.Kill, "start": i.Start} {
		if err := act(t.Context()); err == nil || !strings.Contains(err.Error(), name+" tiny: it was not launched by the harness") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, ability := range []sender.Ability{sender.CanStop, sender.CanKill, sender.CanLaunch, sender.CanOutput, sender.CanReplay, sender.CanReadLog} {
		if i.Has(ability) {
			t.Errorf("it claims %s", ability)
		}
	}
	if _, err := readers(t, i).DeadLetters(t.Context(), "e"); err == nil || !strings.Contains(err.Error(), "a.yaml has no op dead_letters") {
		t.Errorf("an op that is not there: %v", err)
	}
	if err := i.Close(); err != nil {
		t.Error(err)
	}
}
