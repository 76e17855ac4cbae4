package httpapi_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

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

// TestAPortThatClosesAtOnce: whichever error that makes of a call, it is said in one way.
func TestAPortThatClosesAtOnce(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	i := attach(t, "http://"+l.Addr().String(), fullOps, httpapi.Options{})
	for range 300 { // who is faster differs
		_, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{Name: "x", URL: "http://r", Secret: "s"})
		if err == nil || !strings.Contains(err.Error(), "the sender closed the connection without an answer") {
			t.Fatal(err)
		}
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
	i := attach(t, s.URL, fullOps, httpapi.Options{CallTimeout: 2 * time.Second}) // a busy machine has a connection by then
	_, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")})
	if want := "emit a.b: POST " + s.URL + "/events: no answer within 2s; see a.yaml:18:3"; err == nil || err.Error() != want {
		t.Errorf("want %s, got %v", want, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := i.Emit(ctx, sender.Event{Type: "a.b", Data: []byte("{}")}); err == nil || strings.Contains(err.Error(), "within 2s") {
		t.Errorf("with a cancelled context: %v", err)
	}
}
