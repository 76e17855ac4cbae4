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
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	defer api.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(api.URL, "http://"), ":")
	for _, said := range []string{strings.TrimPrefix(api.URL, "http://"), port} {
		i, err := launchSaying(t, said)
		if err != nil {
			t.Fatal(err)
		}
		defer i.Close()
		if _, err := i.Emit(t.Context(), sender.Event{Type: "a.b", Data: []byte("{}")}); err != nil {
			t.Error(err)
		}
	}
}

func TestReadyLineWithNoAddress(t *testing.T) {
	t.Parallel()
	_, err := launchSaying(t, "everything")
	want := `launch: ready: its group caught what will not do: "everything" is no base URL; want http://host:port, with a path if the API has one; host:port or the port alone will do as well`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// launchSaying launches a program that says where it listens.
func launchSaying(t *testing.T, where string) (sender.Instance, error) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	a, err := httpapi.Parse("a.yaml", []byte(`schema: hookassay.adapter/1
name: address
launch:
  command: [sh, -c, "echo listening on `+where+`; exec sleep 60"]
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
	return l.Launch(t.Context(), "shared", nil)
}
