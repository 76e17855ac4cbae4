package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

const formOps = `
ops:
  register:
    method: POST
    path: /endpoints
    form: {url: "${endpoint.url}", "events[]": "*", "secret?": "${endpoint.secret}", "tenant?": "${endpoint.tenant}"}
    expect: 201
    extract: {id: .id}
  emit:
    method: POST
    path: /events
    form: {"metadata[data]": "${text:event.data}", type: "${event.type}"}
    expect: 202
`

func TestFormsAreEncodedInTheOrderOfTheFile(t *testing.T) {
	t.Parallel()
	a := newAPI(t, map[string]string{"POST /endpoints": `201 {"id":"e1"}`, "POST /events": "202 {}"})
	i := attach(t, a.URL, formOps, httpapi.Options{})
	if _, err := i.RegisterEndpoint(t.Context(), sender.Endpoint{URL: "http://r/a?b=c&d", Secret: "k+/= ü"}); err != nil {
		t.Fatal(err)
	}
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: json.RawMessage(`{"n":1.50,"t":"<&>"}`)}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"POST /endpoints url=http%3A%2F%2Fr%2Fa%3Fb%3Dc%26d&events%5B%5D=%2A&secret=k%2B%2F%3D+%C3%BC",
		"POST /events metadata%5Bdata%5D=%7B%22n%22%3A1.50%2C%22t%22%3A%22%3C%26%3E%22%7D&type=a.b",
	}
	if d := cmp.Diff(want, a.asked()); d != "" {
		t.Error(d)
	}
	for _, h := range a.heads {
		if got := h.Get("Content-Type"); got != "application/x-www-form-urlencoded" {
			t.Errorf("Content-Type is %q", got)
		}
	}
}

func TestARefusedFormIsShownWithoutItsKey(t *testing.T) {
	t.Parallel()
	const key = "a key/with+signs=0123456789"
	a := newAPI(t, map[string]string{"POST /endpoints": `400 {"error":"no"}`})
	_, err := attach(t, a.URL, formOps, httpapi.Options{}).RegisterEndpoint(t.Context(), sender.Endpoint{URL: "http://r", Secret: key})
	if err == nil || !strings.Contains(err.Error(), "sent: url=http%3A%2F%2Fr&events%5B%5D=%2A&secret=[secret]; see a.yaml:") {
		t.Errorf("got %v", err)
	}
}

func TestFormsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{method: PUT, path: /x, form: {a: b}, body: {a: b}, expect: 200}": "a.yaml:7:3: op replay: want either body, which becomes JSON, or form",
		"{method: GET, path: /x, form: {a: b}, expect: 200}":               "op replay: body: a GET has none; use query",
		"{method: PUT, path: /x, form: {}, expect: 200}":                   "op replay: form: want at least one field",
		"{method: PUT, path: /x, form: [a], expect: 200}":                  "op replay: form: want a mapping, got a list",
		"{method: PUT, path: /x, form: {a: {b: c}}, expect: 200}":          "op replay: form: a: want text, got a mapping",
	} {
		_, err := httpapi.Parse("a.yaml", []byte(smallest+"  replay: "+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
	_, err := httpapi.Parse("a.yaml", []byte(smallest+"  change_object: {method: PUT, path: /x, form: {a: '${object.data}'}, expect: 200}\n"))
	if err == nil || !strings.Contains(err.Error(), "${object.data} is JSON, which only a body can hold; ${text:object.data} is the same as text") {
		t.Errorf("got %v", err)
	}
}
