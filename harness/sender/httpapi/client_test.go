package httpapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// api is a sender's API that keeps what it was asked and gives the same answers to everybody.
type api struct {
	*httptest.Server
	mu    sync.Mutex
	calls []string // METHOD target body
	heads []http.Header
}

// newAPI makes an API. answers holds status and body by method and target; anything else is answered 404.
func newAPI(t *testing.T, answers map[string]string) *api {
	t.Helper()
	a := &api{}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		a.mu.Lock()
		a.calls = append(a.calls, strings.TrimSpace(fmt.Sprintf("%s %s %s", q.Method, q.RequestURI, body)))
		a.heads = append(a.heads, q.Header)
		a.mu.Unlock()
		answer, ok := answers[q.Method+" "+q.RequestURI]
		if !ok {
			answer = `404 {"error":"nothing here"}`
		}
		var status int
		_, text, _ := strings.Cut(answer, " ")
		if _, err := fmt.Sscan(answer, &status); err != nil {
			panic(err)
		}
		if status/100 == 3 {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *api) asked() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.calls...)
}

// attach brings the text of ops together with a running API.
func attach(t *testing.T, base, text string, o httpapi.Options) sender.Instance {
	t.Helper()
	l, err := newLauncher(base, text, o)
	if err != nil {
		t.Fatal(err)
	}
	i, err := l.Launch(t.Context(), "any", nil)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func newLauncher(base, text string, o httpapi.Options) (sender.Launcher, error) {
	a, err := httpapi.Parse("a.yaml", []byte("schema: hookassay.adapter/1\nname: tiny\nbase_url: "+base+"\n"+text))
	if err != nil {
		return nil, err
	}
	return httpapi.New(a, o)
}

const fullOps = `
ops:
  register:
    method: POST
    path: /endpoints
    body:
      url: ${endpoint.url}
      auth?: {secret?: "${endpoint.secret}"}
      types?: ${endpoint.types}
      topics: ${endpoint.types:-["*"]}
      tenant: ${endpoint.tenant:-default}
      limits: [1.50, true, ~, "x${endpoint.name}"]
    expect: 201
    extract: {id: .id, "secret?": .secret}
  emit:
    method: POST
    path: /events
    headers: {X-Type: "${event.type}"}
    body: {type: "${event.type}", data: "${event.data}", object?: "${event.object}"}
    expect: [202]
    extract: {id?: .id}
  replay:
    method: PUT
    path: /events/${delivery.event}/to/${delivery.endpoint}
    query: {why: "${reason}", none?: "${reason:-}"}
    expect: 204
  log:
    method: GET
    path: /log
    query: {event: "${delivery.event}"}
    expect: 200
    result: '.rows | {state: .s, attempts: [.a[] | {number: .n, at: .t, status: .c}], next: .next}'
  dead_letters:
    method: GET
    path: /dead/${endpoint.id}
    expect: 200
    result: '[.[] | select(.endpoint == $in.endpoint.id) | del(.endpoint)]'
  change_object:
    method: PUT
    path: /objects/${object.id}
    body: {data: "${object.data}"}
    expect: 204
`

func TestRegister(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"POST /endpoints": `201 {"id": 12345678901234567890, "secret": "issued"}`})
	i := attach(t, a.URL, fullOps, httpapi.Options{})
	got, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{Name: `e"1`, URL: "http://r/<&>", Secret: `s\1`, Types: []string{"a.b"}, Tenant: "ü"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (sender.Registered{ID: "12345678901234567890", Secret: "issued"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if _, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{URL: "http://r"}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`POST /endpoints {"url":"http://r/<&>","auth":{"secret":"s\\1"},"types":["a.b"],"topics":["a.b"],"tenant":"ü","limits":[1.50,true,null,"xe\"1"]}`,
		`POST /endpoints {"url":"http://r","topics":["*"],"tenant":"default","limits":[1.50,true,null,"x"]}`,
	}
	if d := cmp.Diff(want, a.asked()); d != "" {
		t.Errorf("calls (want first):\n%s", d)
	}
}

func TestAnEchoedSecretIsNotAnIssuedOne(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"POST /endpoints": `201 {"id": "e", "secret": "mine"}`})
	got, err := attach(t, a.URL, fullOps, httpapi.Options{}).RegisterEndpoint(t.Context(), sender.Endpoint{URL: "http://r", Secret: "mine"})
	if err != nil || got.Secret != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestEmitKeepsTheTokensOfData(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"POST /events": `202 {}`})
	i := attach(t, a.URL, fullOps, httpapi.Options{})
	data := "{ \"amount\": 1.50,\n \"big\": 12345678901234567890, \"text\": \"<&> \\u00fc\" }"
	got, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: json.RawMessage(data)})
	if err != nil || got.ID != "" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if d := cmp.Diff([]string{`POST /events {"type":"a.b","data":` + data + `}`}, a.asked()); d != "" {
		t.Errorf("calls (want first):\n%s", d)
	}
	if got := a.heads[0].Get("X-Type"); got != "a.b" {
		t.Errorf("X-Type %q", got)
	}
	if got := a.heads[0].Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type %q", got)
	}
}

// What could become another request is refused before anything is sent.
func TestHostileInputsSendNothing(t *testing.T) {
	t.Parallel()
	a := newAPI(t, nil)
	i := attach(t, a.URL, fullOps, httpapi.Options{})
	replayer, ok := i.(sender.Replayer)
	if !ok {
		t.Fatal("no Replayer")
	}
	emit := func(e sender.Event) error { _, err := i.Emit(t.Context(), e); return err }
	replay := func(event string) error {
		return replayer.Replay(t.Context(), sender.Delivery{Event: event, Endpoint: "e"}, "")
	}
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"line end in a header": {emit(sender.Event{Type: "a\r\nX-Evil: 1", Data: []byte("{}")}), "header X-Type: ${event.type} holds a line end"},
		"broken data":          {emit(sender.Event{Type: "a", Data: []byte(`{"x":1},"y":{}`)}), "${event.data} is not JSON"},
		"no data":              {emit(sender.Event{Type: "a"}), "${event.data} is empty"},
		"no UTF-8":             {emit(sender.Event{Type: "a", Data: []byte("{}"), Object: "\xff"}), "not UTF-8"},
		"empty path":           {replay(""), "path: ${delivery.event} is empty"},
		"dots":                 {replay(".."), `path: ${delivery.event} is ".."`},
	} {
		if tt.err == nil || !strings.Contains(tt.err.Error(), tt.want) {
			t.Errorf("%s: want %q, got %v", name, tt.want, tt.err)
		}
	}
	if calls := a.asked(); len(calls) > 0 {
		t.Errorf("calls were made: %q", calls)
	}
}

func TestPathAndQueryAreEscaped(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"PUT /events/a%2Fb%3Fc%25/to/e%20x?why=x%26y%3Dz&none=x%26y%3Dz": "204 "})
	i := attach(t, a.URL+"/", fullOps, httpapi.Options{})
	replayer, ok := i.(sender.Replayer)
	if !ok {
		t.Fatal("no Replayer")
	}
	if err := replayer.Replay(t.Context(), sender.Delivery{Event: "a/b?c%", Endpoint: "e x"}, "x&y=z"); err != nil {
		t.Errorf("%v; calls %q", err, a.asked())
	}
}
