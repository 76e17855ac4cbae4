package refsender_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/internal/refsender"
)

// patience bounds each wait for something that must happen: hundreds of times what an idle machine needs.
const patience = time.Minute

const secret = "canary-5f0c1d"

// fast is bounded-6 with waits of milliseconds.
func fast(t testing.TB) *contract.Contract {
	t.Helper()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	ms := time.Millisecond
	c.Schedule.Waits = []time.Duration{5 * ms, 20 * ms, 20 * ms, 20 * ms}
	c.Schedule.Attempts = 4
	c.Schedule.Timeout = patience // a busy machine's pause is no timeout; tests of the timeout have their own
	c.Schedule.Deadline = 10 * patience
	c.RetryAfter.Cap = 5 * time.Second
	return c
}

// hit is one request as the receiver got it.
type hit struct {
	at     time.Time
	target string
	head   http.Header
	body   []byte
}

func (h hit) id() string { return h.head.Get("X-Webhook-Id") }

// receiver answers each path by its plan: step k for the k-th request, the last one for all others.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	hits  map[string][]hit
	plans map[string][]http.HandlerFunc
	got   chan hit
}

func newReceiver(t testing.TB) *receiver {
	r := &receiver{hits: map[string][]hit{}, plans: map[string][]http.HandlerFunc{}, got: make(chan hit, 10_000)}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	h := hit{at: time.Now(), target: q.RequestURI, head: q.Header.Clone()}
	h.body, _ = io.ReadAll(q.Body)
	r.mu.Lock()
	r.hits[q.URL.Path] = append(r.hits[q.URL.Path], h)
	plan, k := r.plans[q.URL.Path], len(r.hits[q.URL.Path])
	r.mu.Unlock()
	r.got <- h
	if len(plan) > 0 {
		plan[min(k, len(plan))-1](w, q)
	}
}

func (r *receiver) plan(path string, steps ...http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.plans[path] = steps
}

func (r *receiver) at(path string) []hit {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]hit(nil), r.hits[path]...)
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, "the answer")
	}
}

// hang sends nothing until the peer hangs up.
func hang(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }

// hold answers 200 once release is closed, or gives up when the peer does.
func hold(release <-chan struct{}) http.HandlerFunc {
	return func(_ http.ResponseWriter, q *http.Request) {
		select {
		case <-release:
		case <-q.Context().Done():
		}
	}
}

// rig is a sender in this process with a receiver.
type rig struct {
	client
	*receiver
	sender *refsender.Sender
	log    *bytes.Buffer
	leaks  bool // the log is not searched for keys at the end
}

func newRig(t testing.TB, cfg refsender.Config) *rig {
	t.Helper()
	if cfg.DB == "" {
		cfg.DB = filepath.Join(t.TempDir(), "sender.db")
	}
	if cfg.Contract == nil {
		cfg.Contract = fast(t)
	}
	r := &rig{receiver: newReceiver(t), log: &bytes.Buffer{}}
	cfg.Log = r.log
	s, err := refsender.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.sender = s
	api := httptest.NewServer(s.Handler())
	r.client = client{t: t, base: api.URL}
	t.Cleanup(func() {
		if r.sender != nil {
			r.stop()
		}
		api.Close()
		for _, text := range []string{secret, "v1="} {
			if !r.leaks && bytes.Contains(r.log.Bytes(), []byte(text)) {
				t.Errorf("the log holds %q:\n%s", text, r.log)
			}
		}
	})
	return r
}

func (r *rig) stop() {
	r.t.Helper()
	s := r.sender
	r.sender = nil
	if err := s.Stop(); err != nil {
		r.t.Errorf("stop: %v", err)
	}
}

// next waits for the next request at any path.
func (r *receiver) next(t testing.TB) hit {
	t.Helper()
	select {
	case h := <-r.got:
		return h
	case <-time.After(patience):
		t.Fatal("no request arrived")
		return hit{}
	}
}

// verifies tells which of the secrets signed the request.
func verifies(t testing.TB, scheme string, h hit, secrets ...string) []int {
	t.Helper()
	s, err := signature.Lookup(scheme)
	if err != nil {
		t.Fatal(err)
	}
	return s.Verify(h.head, h.body, secrets...).Keys
}

// signedAt checks the signature and returns the signed time.
func signedAt(t testing.TB, h hit) time.Time {
	t.Helper()
	s, err := signature.Lookup("timestamp-v1")
	if err != nil {
		t.Fatal(err)
	}
	at, _, ok := cutSignature(h.head.Get("X-Webhook-Signature"))
	if !ok {
		t.Fatalf("signature header %q", h.head.Get("X-Webhook-Signature"))
	}
	want, err := s.Sign(signature.Content{At: at, Body: h.body}, secret)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.head.Get("X-Webhook-Signature"); got != want.Get("X-Webhook-Signature") {
		t.Fatalf("signature %q does not verify", got)
	}
	return at
}
