package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// TestReadyLineWithAnAddress is about senders that print where they listen, and no URL.
func TestReadyLineWithAnAddress(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	defer api.Close()
	a, err := httpapi.Parse("a.yaml", []byte(`schema: hookassay.adapter/1
name: address
launch:
  command: [sh, -c, "echo listening on `+strings.TrimPrefix(api.URL, "http://")+`; exec sleep 60"]
  ready: 'listening on (\S+)'
ops:
  register: {method: POST, path: /e, expect: 201, extract: {id: .id}}
  emit: {method: POST, path: /m, expect: 202}
`))
	if err != nil {
		t.Fatal(err)
	}
	l, err := httpapi.New(a, httpapi.Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	i, err := l.Launch(t.Context(), "shared", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")}); err != nil {
		t.Error(err)
	}
}
