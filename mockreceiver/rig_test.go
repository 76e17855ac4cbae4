package mockreceiver_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// patience is how long a test waits for what must happen. It only bounds a hang: far above anything seen on a busy machine.
const patience = time.Minute

// rig is a receiver on loopback with everything that it observed.
type rig struct {
	*mockreceiver.Receiver
	t testing.TB

	mu      sync.Mutex
	records []evidence.Record
	changed chan struct{}
}

func start(t testing.TB, cfg mockreceiver.Config) *rig {
	t.Helper()
	r := &rig{t: t, changed: make(chan struct{})}
	cfg.Observe = r.observe
	receiver, err := mockreceiver.Listen(context.Background(), cfg, "", "")
	if err != nil {
		t.Fatal(err)
	}
	r.Receiver = receiver
	t.Cleanup(func() {
		if err := receiver.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return r
}

func (r *rig) observe(rec evidence.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.records = append(r.records, rec)
	close(r.changed)
	r.changed = make(chan struct{})
}

// until waits until enough says so, and returns all records.
func (r *rig) until(what string, enough func([]evidence.Record) bool) []evidence.Record {
	r.t.Helper()
	deadline := time.After(patience)
	for {
		r.mu.Lock()
		records, changed := append([]evidence.Record(nil), r.records...), r.changed
		r.mu.Unlock()
		if enough(records) {
			return records
		}
		select {
		case <-changed:
		case <-deadline:
			r.t.Fatalf("waited in vain for %s; there is %s", what, describe(records))
		}
	}
}

func describe(records []evidence.Record) string {
	var b strings.Builder
	for _, rec := range records {
		fmt.Fprintf(&b, "\n%T %+v", rec, rec)
	}
	return b.String()
}

func of[T evidence.Record](records []evidence.Record) []T {
	var list []T
	for _, rec := range records {
		if v, ok := rec.(T); ok {
			list = append(list, v)
		}
	}
	return list
}

func (r *rig) outcomes(n int) []*evidence.Outcome {
	r.t.Helper()
	return of[*evidence.Outcome](r.until(fmt.Sprintf("%d outcomes", n), func(l []evidence.Record) bool {
		return len(of[*evidence.Outcome](l)) >= n
	}))
}

func (r *rig) effects(n int) []*evidence.Effect {
	r.t.Helper()
	return of[*evidence.Effect](r.until(fmt.Sprintf("%d effects", n), func(l []evidence.Record) bool {
		return len(of[*evidence.Effect](l)) >= n
	}))
}

func (r *rig) arrivals(n int) []*evidence.Arrival {
	r.t.Helper()
	return of[*evidence.Arrival](r.until(fmt.Sprintf("%d arrivals", n), func(l []evidence.Record) bool {
		return len(of[*evidence.Arrival](l)) >= n
	}))
}

// endpoint adds an endpoint and returns its URL.
func (r *rig) endpoint(name, plan string) string {
	r.t.Helper()
	p, err := fault.Parse(plan)
	if err != nil {
		r.t.Fatal(err)
	}
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: name, Scenario: "s/" + name, Plan: p})
	if err != nil {
		r.t.Fatal(err)
	}
	return url
}

// client keeps connections apart, so that a test knows which request goes over which.
func client(t testing.TB) *http.Client {
	tr := &http.Transport{DisableKeepAlives: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: patience}
}

// post sends a body and returns status and answer body.
func post(t testing.TB, c *http.Client, url, body string) (int, string) {
	t.Helper()
	status, answer, err := try(c, url, body)
	if err != nil {
		t.Fatal(err)
	}
	return status, answer
}

func try(c *http.Client, url, body string) (int, string, error) {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	resp, err := c.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

// wire is a raw connection to the data listener.
type wire struct {
	net.Conn
	t testing.TB
	r *bufio.Reader
}

func (r *rig) dial() *wire {
	r.t.Helper()
	c := r.tcp(strings.TrimPrefix(r.DataURL(), "http://"))
	return &wire{Conn: c, t: r.t, r: bufio.NewReader(c)}
}

// tcp opens a connection on which nothing hangs for ever.
func (r *rig) tcp(addr string) net.Conn {
	r.t.Helper()
	var d net.Dialer
	c, err := d.DialContext(context.Background(), "tcp", addr)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		r.t.Fatal(err)
	}
	return c
}

func (w *wire) send(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.Conn, text); err != nil {
		w.t.Fatal(err)
	}
}

// answer reads one answer.
func (w *wire) answer() (int, string) {
	w.t.Helper()
	resp, err := http.ReadResponse(w.r, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// rest reads until the connection ends.
func (w *wire) rest() ([]byte, error) {
	var b bytes.Buffer
	_, err := io.Copy(&b, w.r)
	return b.Bytes(), err
}

// request is a plain request with a body.
func request(path, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
}

func mustPlan(t testing.TB, text string) fault.Plan {
	t.Helper()
	p, err := fault.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sofar is everything observed so far.
func (r *rig) sofar() []evidence.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]evidence.Record(nil), r.records...)
}
