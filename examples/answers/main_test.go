package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// retrying is a sender that tries twice, 100 ms apart, after a 5xx or none. It follows redirects and waits 2 s for an answer, which a busy machine keeps to.
func retrying(t *testing.T) *httptest.Server {
	t.Helper()
	var work sync.WaitGroup
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			URL      string `json:"url"`
			Endpoint string `json:"endpoint"`
			Data     json.RawMessage
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, `{"id":%q}`, in.URL)
		if in.Endpoint == "" {
			return
		}
		work.Go(func() {
			for range 2 {
				res, err := client.Post(in.Endpoint, "application/json", bytes.NewReader(in.Data))
				if err == nil {
					_, _ = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
					if res.StatusCode < http.StatusInternalServerError {
						return
					}
				}
				time.Sleep(100 * time.Millisecond) // the sender's own wait
			}
		})
	}))
	t.Cleanup(func() { s.Close(); work.Wait() })
	return s
}

func TestAnswersOfASender(t *testing.T) {
	t.Parallel()
	adapter := filepath.Join(t.TempDir(), "adapter.yaml")
	text := `schema: hookassay.adapter/1
name: retrying
base_url: ` + retrying(t).URL + `
ops:
  register: {method: POST, path: /endpoints, body: {url: "${endpoint.url}"}, expect: 200, extract: {id: .id}}
  emit: {method: POST, path: /events, body: {endpoint: "${event.endpoint}", data: "${event.data}"}, expect: 200}
`
	if err := os.WriteFile(adapter, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	// Far over the sender's time limit and wait, since a row that comes late would be taken for one that does not come.
	if err := run(t.Context(), &out, []string{adapter}, 5*time.Second); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| answer | retrying |\n", "| 200 | left alone |\n", "| 400 | left alone |\n", " by GET without body |\n", "| 502 | again after ",
		"| 307 with Location | followed after ", "| connection reset | again after ", "| never answers | held for ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in:\n%s", want, out.String())
		}
	}
}
