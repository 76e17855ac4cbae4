package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
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

func readers(t *testing.T, i sender.Instance) interface {
	sender.LogReader
	sender.DeadLetterReader
} {
	t.Helper()
	r, ok := i.(interface {
		sender.LogReader
		sender.DeadLetterReader
	})
	if !ok {
		t.Fatal("no readers")
	}
	return r
}

func TestRecords(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{
		"GET /log?event=ev": `200 {"rows":{"s":"delivered","next":"2026-01-02T03:04:05+01:00","a":[{"n":1,"t":"2026-01-02T03:04:05.123456789Z","c":null}]}}`,
		"GET /dead/e":       `200 [{"endpoint":"other"},{"endpoint":"e","event":"ev","reason":"r","attempts":6,"payload":"base64:1.50","replays":null}]`,
	})
	r := readers(t, attach(t, a.URL, fullOps, httpapi.Options{}))
	l, err := r.DeliveryLog(t.Context(), sender.Delivery{Event: "ev", Endpoint: "e"})
	if err != nil {
		t.Fatal(err)
	}
	next := time.Date(2026, 1, 2, 2, 4, 5, 0, time.UTC)
	wantLog := evidence.LogEntry{
		Event: "ev", State: "delivered", Next: &next,
		Attempts: []evidence.LogAttempt{{Number: 1, At: time.Date(2026, 1, 2, 3, 4, 5, 123456789, time.UTC)}},
	}
	compare := cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })
	ignore := cmp.Comparer(func(evidence.Meta, evidence.Meta) bool { return true })
	if d := cmp.Diff(wantLog, l, compare, ignore); d != "" {
		t.Errorf("log (want first):\n%s", d)
	}
	letters, err := r.DeadLetters(t.Context(), "e")
	if err != nil {
		t.Fatal(err)
	}
	want := []evidence.DeadLetter{{Event: "ev", Reason: "r", Attempts: 6, Payload: evidence.Raw("base64:1.50")}}
	if d := cmp.Diff(want, letters, compare, ignore); d != "" {
		t.Errorf("dead letters (want first):\n%s", d)
	}
}

func TestRecordsOfAnotherFormAreRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ log, dead, want string }{
		"no state":            {log: `{"rows":{"a":[]}}`, want: "result: state is missing"},
		"no number":           {log: `{"rows":{"s":"x","a":[{"t":"2026-01-02T03:04:05Z"}]}}`, want: "attempts[0]: number or at is missing"},
		"no list":             {log: `{"rows":{"s":"x"}}`, want: "cannot iterate over: null"},
		"text for a number":   {log: `{"rows":{"s":"x","a":[{"n":"1"}]}}`, want: "attempts.number is a string"},
		"fraction":            {log: `{"rows":{"s":"x","a":[{"n":1.5}]}}`, want: "attempts.number is a number 1.5"},
		"no time":             {log: `{"rows":{"s":"x","a":[],"next":"tomorrow"}}`, want: `"tomorrow"`},
		"no JSON":             {log: `<html>`, want: "<html>"},
		"unknown field":       {dead: `[{"endpoint":"e","event":"x","reason":"r","attempts":1,"colour":"red"}]`, want: `unknown field "colour"`},
		"no event":            {dead: `[{"endpoint":"e","reason":"r","attempts":1}]`, want: "entry 0: event, reason or attempts is missing"},
		"replay without time": {dead: `[{"endpoint":"e","event":"x","reason":"r","attempts":1,"replays":[{}]}]`, want: "replays[0]: at is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, map[string]string{"GET /log?event=ev": "200 " + tt.log, "GET /dead/e": "200 " + tt.dead})
			r := readers(t, attach(t, a.URL, fullOps, httpapi.Options{}))
			var err error
			if tt.log != "" {
				_, err = r.DeliveryLog(t.Context(), sender.Delivery{Event: "ev", Endpoint: "e"})
			} else {
				_, err = r.DeadLetters(t.Context(), "e")
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), " e") {
				t.Errorf("want %q, got %v", tt.want, err)
			}
		})
	}
}

// An emit that was sent twice would be two events.
func TestNothingIsSentTwice(t *testing.T) {
	t.Parallel()
	text := `
headers: {Idempotency-Key: k}
ops:
  register: {method: POST, path: /endpoints, expect: 201, extract: {id: .id}}
  emit: {method: POST, path: /events, expect: 202}
`
	var mu sync.Mutex
	emits := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/endpoints" {
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"id":"e"}`)
			return
		}
		mu.Lock()
		emits++
		mu.Unlock()
		panic(http.ErrAbortHandler) // ends the connection
	}))
	t.Cleanup(s.Close)
	i := attach(t, s.URL, text, httpapi.Options{})
	// The connection is in the pool afterwards, which is what lets net/http try again.
	if _, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	_, err := i.Emit(t.Context(), sender.Event{Type: "a.b"})
	if err == nil || !strings.Contains(err.Error(), "closed the connection without an answer") {
		t.Errorf("got %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if emits != 1 {
		t.Errorf("the event was emitted %d times", emits)
	}
}

func TestErrorsOfCalls(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{
		"POST /endpoints": "400 no such plan,\n\x1b[31m and the secret was hush-hush-hush " + strings.Repeat("x", 300),
		"POST /events":    "302 ",
	})
	i := attach(t, a.URL, fullOps, httpapi.Options{})
	_, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{Name: "x", URL: "http://r", Secret: "hush-hush-hush"})
	want := "register endpoint x: POST " + a.URL + "/endpoints answered 400 (want 201): no such plan, [31m and the secret was [secret] xxx"
	if err == nil || !strings.HasPrefix(err.Error(), want) || len(err.Error()) > len(want)+450 {
		t.Errorf("want %s…, got %v", want, err)
	}
	_, err = i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")})
	if want := "emit a.b: POST " + a.URL + "/events answered 302 (want 202): (empty answer)" + `; sent: {"type":"a.b","data":{}}; see a.yaml:18:3`; err == nil || err.Error() != want {
		t.Errorf("want %s, got %v", want, err)
	}
	if calls := a.asked(); len(calls) != 2 {
		t.Errorf("calls %q", calls)
	}
}

// TestAnIDOfMegabytesIsRefused: it would stand in the evidence and in verdicts many times over.
func TestAnIDOfMegabytesIsRefused(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"POST /endpoints": `201 {"id":"` + strings.Repeat("x", 5<<20) + `"}`})
	i := attach(t, a.URL, fullOps, httpapi.Options{})
	_, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{Name: "x", URL: "http://r", Secret: "hush-hush-hush"})
	if err == nil || !strings.Contains(err.Error(), "gave 5242880 bytes; no id or key has more than 4096") || len(err.Error()) > 300 {
		t.Errorf("got %.300v", err)
	}
}

func TestAnIssuedSecretIsNotShown(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"other status": `200 {"id":"e","secret":"issued-one"}`, "no id": `201 {"secret":"issued-one"}`, "list for id": `201 {"id":[],"secret":"issued-one"}`,
	} {
		a := newAPI(t, map[string]string{"POST /endpoints": answer})
		_, err := attach(t, a.URL, fullOps, httpapi.Options{}).RegisterEndpoint(t.Context(), sender.Endpoint{Name: "x", URL: "http://r"})
		if err == nil || strings.Contains(err.Error(), "issued-one") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestSecretVarsAreNotShown(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"POST /events?key=k%2Fey+1": "403 your key k/ey 1 is wrong"})
	i := attach(t, a.URL, `
vars: {key: }
secrets: [key]
headers: {Authorization: "Bearer ${key}"}
ops:
  register: {method: POST, path: /endpoints, expect: 201, extract: {id: .id}}
  emit: {method: POST, path: /events, query: {key: "${key}"}, expect: 202}
`, httpapi.Options{Vars: map[string]string{"key": "k/ey 1"}})
	_, err := i.Emit(t.Context(), sender.Event{Type: "a.b"})
	want := "emit a.b: POST " + a.URL + "/events?key=[secret] answered 403 (want 202): your key [secret] is wrong; see a.yaml:10:3"
	if err == nil || err.Error() != want {
		t.Errorf("want %s\ngot %v", want, err)
	}
	if got := a.heads[0].Get("Authorization"); got != "Bearer k/ey 1" {
		t.Errorf("Authorization %q", got)
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = attach(t, "http://"+host, fullOps, httpapi.Options{}).Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")})
	for _, want := range []string{"emit a.b: POST http://" + host + "/events: the sender cannot be reached at " + host, "refused", "check that it runs and that base_url"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestCallTimeout(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(release) })
	i := attach(t, s.URL, fullOps, httpapi.Options{CallTimeout: 50 * time.Millisecond})
	_, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")})
	if want := "emit a.b: POST " + s.URL + "/events: no answer within 50ms; see a.yaml:18:3"; err == nil || err.Error() != want {
		t.Errorf("want %s, got %v", want, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := i.Emit(ctx, sender.Event{Type: "a.b", Data: []byte("{}")}); err == nil || strings.Contains(err.Error(), "50ms") {
		t.Errorf("with a cancelled context: %v", err)
	}
}

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
        poll: {every: 10ms, until: '.content | length > 0', max: 100ms}
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
	if err == nil || !strings.Contains(err.Error(), `within 100ms, and jq ".content | length > 0" was never true; last answer: {"content":[]}`) {
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
