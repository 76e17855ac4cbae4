package httpapi_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

const environmentOps = `
auth: {bearer: "${env.API_KEY}"}
headers: {X-Plan: "${env.PLAN:-free}"}
ops:
  register: {method: POST, path: /endpoints, form: {url: "${endpoint.url}"}, expect: 201, extract: {id: .id}}
  emit: {method: POST, path: /events, body: {a: 1}, expect: 202}
`

const apiKey = "sk_test_0123456789abcdef"

func environ(name string) string {
	return map[string]string{"API_KEY": apiKey, "EMPTY": ""}[name]
}

func TestAnAdapterTakesWhatTheEnvironmentGives(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"POST /endpoints": `201 {"id":"e1"}`})
	i := attach(t, a.URL, environmentOps, httpapi.Options{Env: environ})
	if _, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{URL: "http://r"}); err != nil {
		t.Fatal(err)
	}
	if h := a.heads[0]; h.Get("Authorization") != "Bearer "+apiKey || h.Get("X-Plan") != "free" {
		t.Errorf("sent %v", h)
	}
}

func TestAVariableThatIsNotSetIsNamedWithItsPlace(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]httpapi.Options{"no environment": {}, "empty": {Env: func(string) string { return "" }}} {
		_, err := newLauncher("http://127.0.0.1:1", environmentOps, o)
		want := "a.yaml:5:16: ${env.API_KEY}: the environment variable API_KEY is not set, or empty; export it, or write ${env.API_KEY:-text}"
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v\nwant %s", name, err, want)
		}
	}
}

func TestNoMessageShowsAKeyOfTheEnvironment(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"POST /endpoints": `401 {"error":"sk_test_0123456789abcdef is no key"}`})
	heard := newWatcher()
	l, err := newLauncher(a.URL, environmentOps, httpapi.Options{Env: environ})
	if err != nil {
		t.Fatal(err)
	}
	i, err := l.Launch(t.Context(), "any", heard)
	if err != nil {
		t.Fatal(err)
	}
	_, err = i.RegisterEndpoint(t.Context(), sender.Endpoint{URL: "http://r"})
	if err == nil || strings.Contains(err.Error(), apiKey) || !strings.Contains(err.Error(), "[secret] is no key") {
		t.Errorf("got %v", err)
	}
	if got := heard.answers["register"]; !strings.Contains(got, "is no key") || strings.Contains(got, apiKey) {
		t.Errorf("passed on: %q", got)
	}
}

// The address is no key, and a message without it would help nobody.
func TestMessagesShowTheAddressThatTheEnvironmentGives(t *testing.T) {
	t.Parallel()
	i := attach(t, "${env.BASE}", environmentOps, httpapi.Options{Env: func(name string) string {
		return map[string]string{"API_KEY": apiKey, "BASE": "http://127.0.0.1:1/some-long-base"}[name]
	}})
	_, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{URL: "http://r"})
	if err == nil || !strings.Contains(err.Error(), "POST http://127.0.0.1:1/some-long-base/endpoints: the sender cannot be reached") {
		t.Errorf("got %v", err)
	}
}

func TestAWaitThatIsNoWholeSecondIsExplained(t *testing.T) {
	t.Parallel()
	_, err := newLauncher("http://127.0.0.1:1", strings.Replace(environmentOps, "${env.API_KEY}", "${contract.schedule.waits_s}", 1),
		httpapi.Options{Contract: map[string]string{"schedule.waits_ms": "0,4500"}})
	want := "a.yaml:5:16: ${contract.schedule.waits_s} has no value, since not all of 0,4500 ms are whole seconds; take ${contract.schedule.waits_ms}"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
