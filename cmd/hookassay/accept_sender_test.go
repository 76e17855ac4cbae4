package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const acceptAdapter = `schema: hookassay.adapter/1
name: a sender of ours
base_url: %s
ops:
  register: {method: POST, path: /endpoints, expect: 200, extract: {id: .id}}
  emit: {method: POST, path: /events, expect: 200, extract: {id: .id}}
  log:
    method: GET
    path: /log/${delivery.event}
    expect: 200
    result: '{event, state, attempts}'
  dead_letters:
    method: GET
    path: /dead/${endpoint.id}
    expect: 200
    result: .
`

// TestAcceptAsksTheSendersOwnLog counts four events of a sender that answers in JSON: at first try, after retry, delivered by a replay
// alone, and given up without a reason.
func TestAcceptAsksTheSendersOwnLog(t *testing.T) {
	attempt := func(n, status int, trigger string) string {
		return fmt.Sprintf(`{"number":%d,"at":"2026-11-30T12:00:0%dZ","status":%d,"trigger":%q}`, n, n, status, trigger)
	}
	logs := map[string]string{
		"one":   `"delivered","attempts":[` + attempt(1, 200, "") + `]`,
		"two":   `"delivered","attempts":[` + attempt(1, 500, "") + `,` + attempt(2, 204, "") + `]`,
		"three": `"delivered","attempts":[` + attempt(1, 500, "schedule") + `,` + attempt(2, 200, "replay") + `]`,
		"four":  `"dead-lettered","attempts":[` + attempt(1, 404, "") + `]`,
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := filepath.Base(r.URL.Path)
		if strings.HasPrefix(r.URL.Path, "/dead/") {
			_, _ = w.Write([]byte(`[{"event":"three","reason":"used up","attempts":1},{"event":"four","reason":"","attempts":1}]`))
			return
		}
		_, _ = fmt.Fprintf(w, `{"event":%q,"state":%s}`, id, logs[id])
	}))
	defer srv.Close()
	dir := t.TempDir()
	adapter, ids := filepath.Join(dir, "adapter.yaml"), filepath.Join(dir, "ids.txt")
	for path, text := range map[string]string{adapter: fmt.Sprintf(acceptAdapter, srv.URL), ids: "one hook\ntwo hook\n\nthree hook\nfour hook\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	code := execute(t.Context(), []string{"accept", "--adapter", adapter, "--expect", ids, "--last", "4"}, streams{out: &out, err: &errs})
	if code != 1 {
		t.Fatalf("exit code %d, want 1: %s", code, errs.String())
	}
	for _, want := range []string{
		"the delivery log of a sender of ours: 4 events, of which the latest 4 count", "(1 + 1) / 4 = 50 %",
		"2  dead-lettered, of these delivered by replay: 1", "dead letters without a reason: four at hook\n",
		"dead letters without a replay: four at hook\n", "missing: none\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
