package sendertest

import (
	"encoding/json"
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

// unknown is an id that no sender gives.
const unknown = "no-such-event"

// bench is an instance on the bench with a receiver beside it.
type bench struct {
	sender   sender.Instance
	receiver *receiver
	within   time.Duration // bounds every wait for the sender
	n        atomic.Int64  // of endpoints and events
}

// event is an event of ours and what the sender made of it.
type event struct {
	sender.Event
	sender.Emitted
	mark string // stands in the body of each delivery
}

func newBench(t *testing.T, i sender.Instance, within time.Duration) *bench {
	t.Helper()
	r := &receiver{bodies: map[string]int{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	return &bench{sender: i, receiver: r, within: within}
}

// register makes an endpoint whose deliveries are answered with status.
func (b *bench) register(t *testing.T, status int) sender.Registered {
	t.Helper()
	name := fmt.Sprintf("endpoint-%d", b.n.Add(1))
	e, err := b.sender.RegisterEndpoint(t.Context(), sender.Endpoint{
		Name: name, URL: fmt.Sprintf("%s/%s/%d", b.receiver.url, name, status), Secret: "a-secret-of-the-test-bench-0123456789",
	})
	if err != nil {
		t.Fatal(err)
	}
	if e.ID == "" {
		t.Fatal("the endpoint has no id")
	}
	return e
}

func (b *bench) newEvent(e sender.Registered) event {
	n := b.n.Add(1)
	// A marker is what the harness itself uses to know a delivery again, whatever the sender's envelope looks like.
	mark := fmt.Sprintf("%s%020d", evidence.MarkerPrefix, n)
	return event{mark: mark, Event: sender.Event{
		Type: "payment.succeeded", Endpoint: e.ID, Object: fmt.Sprintf("order-%d", n),
		Data: json.RawMessage(fmt.Sprintf(`{"marker":%q,"amount":1.50,"note":"a <&> ü"}`, mark)),
	}}
}

func (b *bench) emit(t *testing.T, e sender.Registered) event {
	t.Helper()
	ev := b.newEvent(e)
	var err error
	if ev.Emitted, err = b.sender.Emit(t.Context(), ev.Event); err != nil {
		t.Fatal(err)
	}
	return ev
}

// replay asks for one more delivery, which needs the event's id.
func (b *bench) replay(t *testing.T, ev event, e sender.Registered) {
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
func (b *bench) settled(t *testing.T, ev event, e sender.Registered) evidence.LogEntry {
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

// receiver counts deliveries by the marker in their body, and answers the status that ends their path.
type receiver struct {
	url    string
	mu     sync.Mutex
	bodies map[string]int
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	r.mu.Lock()
	r.bodies[evidence.MarkerIn(body)]++
	r.mu.Unlock()
	if strings.HasSuffix(req.URL.Path, "/400") {
		w.WriteHeader(http.StatusBadRequest)
	}
}

func (r *receiver) count(mark string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bodies[mark]
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
