package httpapi_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// registerAll registers endpoints side by side, as scenarios do that begin together.
func registerAll(t *testing.T, i sender.Sender, names ...string) {
	t.Helper()
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	for n, name := range names {
		wg.Go(func() {
			var r sender.Registered
			r, errs[n] = i.RegisterEndpoint(t.Context(), sender.Endpoint{Name: name, URL: "http://r/" + name, Secret: "hush-hush-" + name})
			if errs[n] == nil && r.ID != name {
				t.Errorf("%s has the id %q", name, r.ID)
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestEndpointsByFileAndRequest(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "endpoints.txt")
	a := newAPI(t, map[string]string{"POST /-/reload": "200 ", "POST /m": "202 "})
	i := attach(t, a.URL, `
vars: {file: `+file+`}
auth: {user: admin, password: none}
config:
  file: ${file}
  content: .endpoints | sort_by(.name) | map("\(.id) \(.url) \(.secret)\n") | add
  gather: 200ms
  reload: {request: {method: POST, path: /-/reload, expect: 200}}
ops:
  emit: {method: POST, path: /m, body: {labels: {to: "${event.endpoint}"}, text: "it is ${text:event.data}", key: "${event.marker}"}, expect: 202}
`, httpapi.Options{})
	registerAll(t, i, "one", "two", "three")
	const marker = "hkm00000000000000000001"
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Endpoint: "one", Data: []byte(`{"m":"` + marker + `","n":1.50}`)}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"POST /-/reload", `POST /m {"labels":{"to":"one"},"text":"it is {\"m\":\"` + marker + `\",\"n\":1.50}","key":"` + marker + `"}`,
	}
	if d := cmp.Diff(want, a.asked()); d != "" {
		t.Errorf("three that register together are one reload (want first):\n%s", d)
	}
	if user, password, _ := a.basic(); user != "admin" || password != "none" {
		t.Errorf("asked as %q, %q", user, password)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wantText := "one http://r/one hush-hush-one\nthree http://r/three hush-hush-three\ntwo http://r/two hush-hush-two\n"
	if d := cmp.Diff(wantText, string(text)); d != "" {
		t.Errorf("file (want first):\n%s", d)
	}
}

func TestEndpointsByFileAndSignal(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGUSR1")
	}
	// The sender shows what it has read at its start and after the signal. It is not HUP, which a shell cannot trap where it was
	// ignored when it started, as under nohup.
	const program = `trap 'cat "$0" | tr -d "\n "; echo' USR1; cat "$0" | tr -d "\n "; echo; echo ready; while :; do sleep 0.02; done`
	l, err := httpapi.New(parse(t, `schema: hookassay.adapter/1
name: by file
launch:
  command: [sh, -c, '`+strings.ReplaceAll(program, "'", "''")+`', "${dir}/c.json"]
  ready: ^ready
base_url: http://127.0.0.1:1
config:
  file: ${dir}/c.json
  content: "{to: [.endpoints[].url]}"
  gather: 10ms
  reload: {signal: USR1, settle: 300ms}
ops:
  emit: {method: POST, path: /m, expect: 202}
`), httpapi.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	w := &lines{seen: make(chan string, 10)}
	i := launch(t, l, w)
	registerAll(t, i, "one")
	for _, want := range []string{`{"to":[]}`, "ready", `{"to":["http://r/one"]}`} {
		select {
		case got := <-w.seen:
			if got != want {
				t.Errorf("the sender says %s, want %s", got, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("the sender does not say %s", want)
		}
	}
}

// A restart would lose what is under way, and blame the sender for it.
func TestNoRestartWithEventsUnderWay(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	a := newAPI(t, map[string]string{"POST /m": "202 "})
	l, err := httpapi.New(parse(t, `schema: hookassay.adapter/1
name: by file
launch: {command: [sh, -c, 'echo ready; exec sleep 100'], ready: ^ready}
base_url: `+a.URL+`
config: {file: "${dir}/c.json", content: .endpoints, gather: 10ms, reload: {restart: true}}
ops:
  emit: {method: POST, path: /m, expect: 202}
`), httpapi.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	i := launch(t, l, nil)
	registerAll(t, i, "one")
	registerAll(t, i, "two")
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	_, err = i.RegisterEndpoint(t.Context(), sender.Endpoint{Name: "three", Secret: "s"})
	if err == nil || !strings.Contains(err.Error(), "would have to be restarted, and events are under way") {
		t.Errorf("got %v", err)
	}
}

func TestTeardownIsDoneOnceByTheLast(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"POST /app": `409 {}`, "GET /app": `200 {"id":"app1"}`, "DELETE /app/app1": "204 "})
	l, err := newLauncher(a.URL, `
setup:
  steps:
    - {method: POST, path: /app, expect: 201, optional: true}
    - {method: GET, path: /app, expect: 200, extract: {app: .id}}
teardown: {method: DELETE, path: "/app/${setup.app}", expect: 204}
ops:
  register: {method: POST, path: /e, expect: 201, extract: {id: .id}}
  emit: {method: POST, path: /m, expect: 202}
`, httpapi.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var both []sender.Instance
	for range 2 {
		i, err := l.Launch(t.Context(), "any", nil)
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, i)
	}
	for _, i := range append(both, both...) {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	}
	if d := cmp.Diff([]string{"POST /app", "GET /app", "DELETE /app/app1"}, a.asked()); d != "" {
		t.Errorf("calls (want first):\n%s", d)
	}
}

// basic is the user and the password of the first call.
func (a *api) basic() (user, password string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return (&http.Request{Header: a.heads[0]}).BasicAuth()
}

// lines passes on what a process says.
type lines struct {
	quiet
	seen chan string
}

func (l *lines) Line(_, line string) { l.seen <- line }

// quiet is a watcher that is told all and does nothing.
type quiet struct{}

func (quiet) Line(string, string)           {}
func (quiet) Answer(string, []byte)         {}
func (quiet) Exited(error)                  {}
func (quiet) Late(time.Time, time.Duration) {}

func parse(t *testing.T, text string) *httpapi.Adapter {
	t.Helper()
	a, err := httpapi.Parse("a.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}
