package sendertest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

const (
	// unknown and nowhere are ids that no sender gives.
	unknown = "no-such-event"
	nowhere = "no-such-endpoint"

	firstSecret  = "a-secret-of-the-test-bench-0123456789"
	secondSecret = "another-secret-of-the-bench-987654321"
)

// bench is an instance on the bench with a receiver beside it.
type bench struct {
	sender   sender.Instance
	receiver *receiver
	within   time.Duration // bounds every wait for the sender
	n        atomic.Int64  // of endpoints and events
}

// endpoint is an endpoint of ours and what the sender made of it.
type endpoint struct {
	sender.Registered
	name string
}

// event is an event of ours and what the sender made of it.
type event struct {
	sender.Event
	sender.Emitted
	mark string // stands in the body of each delivery
}

func newBench(t *testing.T, i sender.Instance, within time.Duration) *bench {
	t.Helper()
	r := &receiver{bodies: map[delivery]int{}, answers: map[string]int{}, heads: map[string]http.Header{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	return &bench{sender: i, receiver: r, within: within}
}

// register makes an endpoint whose deliveries are answered with status.
func (b *bench) register(t *testing.T, status int) endpoint {
	t.Helper()
	return b.registerAs(t, status, sender.Endpoint{Secret: firstSecret})
}

// registerAs is register for an endpoint with more than name and URL.
func (b *bench) registerAs(t *testing.T, status int, e sender.Endpoint) endpoint {
	t.Helper()
	e.Name = fmt.Sprintf("endpoint-%d", b.n.Add(1))
	e.URL = b.receiver.url + "/" + e.Name
	b.receiver.answer(e.Name, status)
	got, err := b.sender.RegisterEndpoint(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if got.ID == "" {
		t.Fatal("the endpoint has no id")
	}
	return endpoint{got, e.Name}
}

func (b *bench) newEvent(e endpoint) event {
	n := b.n.Add(1)
	// A marker is what the harness itself uses to know a delivery again, whatever the sender's envelope looks like.
	mark := fmt.Sprintf("%s%020d", evidence.MarkerPrefix, n)
	return event{mark: mark, Event: sender.Event{
		Type: "payment.succeeded", Endpoint: e.ID, Object: fmt.Sprintf("order-%d", n),
		Data: json.RawMessage(fmt.Sprintf(`{"marker":%q,"amount":1.50,"note":"a <&> ü"}`, mark)),
	}}
}

func (b *bench) emit(t *testing.T, e endpoint) event {
	t.Helper()
	ev := b.newEvent(e)
	var err error
	if ev.Emitted, err = b.sender.Emit(t.Context(), ev.Event); err != nil {
		t.Fatal(err)
	}
	return ev
}

// replay asks for one more delivery, which needs the event's id.
func (b *bench) replay(t *testing.T, ev event, e endpoint) {
	t.Helper()
	if ev.ID == "" {
		t.Skip("the sender returns no ids of events")
	}
	d := sender.Delivery{Event: ev.ID, Endpoint: e.ID}
	if err := ability[sender.Replayer](t, b, sender.CanReplay).Replay(t.Context(), d, "asked for by a test"); err != nil {
		t.Fatal(err)
	}
}

// settled waits until the log says delivered and returns it; without a log it returns at once.
func (b *bench) settled(t *testing.T, ev event, e endpoint) evidence.LogEntry {
	t.Helper()
	var l evidence.LogEntry
	if !b.sender.Has(sender.CanReadLog) || ev.ID == "" {
		return l
	}
	reader := ability[sender.LogReader](t, b, sender.CanReadLog)
	b.eventually(t, "the log to say delivered", func() error {
		var err error
		if l, err = reader.DeliveryLog(t.Context(), sender.Delivery{Event: ev.ID, Endpoint: e.ID}); err != nil {
			t.Fatal(err)
		}
		if l.State != evidence.StateDelivered {
			return fmt.Errorf("its state is %q", l.State)
		}
		return nil
	})
	return l
}

// ability returns the instance as the interface that stands for an ability that it declares.
func ability[T any](t *testing.T, b *bench, a sender.Ability) T {
	t.Helper()
	v, ok := b.sender.(T)
	if !ok {
		t.Fatalf("the instance declares %s, but lacks its interface", a)
	}
	return v
}

// delivery names what the receiver counts: a marker that arrived at an endpoint.
type delivery struct{ mark, endpoint string }

// receiver counts deliveries by the marker in their body, and answers each endpoint as it is told to.
type receiver struct {
	url     string
	mu      sync.Mutex
	bodies  map[delivery]int
	answers map[string]int         // status by endpoint
	heads   map[string]http.Header // of the latest request of each endpoint
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	name := strings.Trim(req.URL.Path, "/")
	r.mu.Lock()
	r.bodies[delivery{evidence.MarkerIn(body), name}]++
	r.heads[name] = req.Header.Clone()
	status := r.answers[name]
	r.mu.Unlock()
	if status != 0 { // else it is no request of ours to answer, but some ping
		w.WriteHeader(status)
	}
}

// answer makes status the answer to an endpoint's requests from now on.
func (r *receiver) answer(endpoint string, status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers[endpoint] = status
}

// count returns how often an event arrived, wherever.
func (r *receiver) count(mark string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for d, times := range r.bodies {
		if d.mark == mark {
			n += times
		}
	}
	return n
}

// countAt returns how often an event arrived at an endpoint.
func (r *receiver) countAt(mark string, e endpoint) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bodies[delivery{mark, e.name}]
}

// head returns the headers of the latest request of an endpoint.
func (r *receiver) head(e endpoint) http.Header {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.heads[e.name]
}

func (b *bench) await(t *testing.T, mark string, n int) {
	t.Helper()
	b.eventually(t, fmt.Sprintf("delivery %d of %s", n, mark), func() error {
		if got := b.receiver.count(mark); got < n {
			return fmt.Errorf("%d arrived", got)
		}
		return nil
	})
}

// awaitAt waits for an event at one endpoint.
func (b *bench) awaitAt(t *testing.T, mark string, e endpoint) {
	t.Helper()
	b.eventually(t, fmt.Sprintf("%s at %s", mark, e.name), func() error {
		if b.receiver.countAt(mark, e) == 0 {
			return errors.New("it did not arrive")
		}
		return nil
	})
}

// quietFor is how long is watched for what must not arrive: several times what a delivery on loopback takes.
const quietFor = time.Second

// quiet watches for what must not happen. First an event goes to another endpoint, so that the silence is not that of a
// sender that is busy.
func (b *bench) quiet(t *testing.T, wrong func() error) {
	t.Helper()
	ev := b.emit(t, b.register(t, http.StatusOK))
	b.await(t, ev.mark, 1)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(quietFor)
	for {
		if err := wrong(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-tick.C:
		case <-limit:
			return
		}
	}
}

// eventually polls, since what it waits for happens in another process.
func (b *bench) eventually(t *testing.T, what string, try func() error) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(b.within)
	for {
		err := try()
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited %s for %s: %v", b.within, what, err)
		}
	}
}
