package presets_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fake answers in the form that a sender documents, and remembers what it was asked. It delivers nothing: that the adapters' calls are those
// of the documentation, and that their expressions read its answers, is all that it can show.
type fake struct {
	*httptest.Server
	mu    sync.Mutex
	calls []call
}

type call struct {
	method, path, auth string
	body               map[string]any
	list               []any // where the body is a list
}

// answer is a status and what is answered, in JSON.
type answer struct {
	status int
	text   string
}

// newFake answers by "METHOD /path", where ? and what follows is left out.
func newFake(t *testing.T, answers map[string]answer) *fake {
	t.Helper()
	f := &fake{}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := call{method: r.Method, path: r.URL.Path, auth: r.Header.Get("Authorization")}
		text, err := io.ReadAll(r.Body)
		if err == nil && len(text) > 0 {
			if err = json.Unmarshal(text, &c.body); err != nil {
				err = json.Unmarshal(text, &c.list)
			}
		}
		f.mu.Lock()
		f.calls = append(f.calls, c)
		f.mu.Unlock()
		a, known := answers[r.Method+" "+r.URL.Path]
		if err != nil || !known {
			http.Error(w, fmt.Sprintf("%s %s is not documented (%v)", r.Method, r.URL.Path, err), http.StatusTeapot)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, a.text)
	}))
	t.Cleanup(f.Close)
	return f
}

// last returns the newest call to a path.
func (f *fake) last(t *testing.T, method, path string) call {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range slices.Backward(f.calls) {
		if c.method == method && c.path == path {
			return c
		}
	}
	t.Fatalf("nothing asked for %s %s; asked was %v", method, path, f.calls)
	return call{}
}

// at returns a value in the body, by names with dots between.
func (c call) at(path string) any {
	var v any = c.body
	if c.list != nil {
		v = c.list[0]
	}
	for name := range strings.SplitSeq(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}
