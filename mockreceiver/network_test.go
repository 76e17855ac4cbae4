package mockreceiver_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
)

// counting is the system's network, and counts what it is asked for.
type counting struct{ listens, dials atomic.Int64 }

func (c *counting) Listen(ctx context.Context, network, addr string) (net.Listener, error) {
	c.listens.Add(1)
	return (&net.ListenConfig{}).Listen(ctx, network, addr)
}

func (c *counting) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	c.dials.Add(1)
	return (&net.Dialer{}).DialContext(ctx, network, addr)
}

func TestEveryListenerAndConnectionComesFromTheNetwork(t *testing.T) {
	n := &counting{}
	r := start(t, mockreceiver.Config{Network: n})
	if got := n.listens.Load(); got != 2 {
		t.Errorf("the first listener and the control API: listened %d times, want 2", got)
	}
	if _, err := r.AddListener(t.Context(), mockreceiver.Listener{Name: "second"}); err != nil {
		t.Fatal(err)
	}
	if err := r.Down("second"); err != nil {
		t.Fatal(err)
	}
	if err := r.Up(t.Context(), "second"); err != nil {
		t.Fatal(err)
	}
	if got := n.listens.Load(); got != 4 {
		t.Errorf("after one more went down and up: listened %d times, want 4", got)
	}
	if status, _, err := try(client(t), r.endpoint("e", "200(copies=3)"), `{"id":"evt_1"}`); err != nil || status != 200 {
		t.Fatalf("got %d %v", status, err)
	}
	copies := int(n.dials.Load())
	r.arrivals(copies + 1)
	if copies == 0 {
		t.Error("copies did not come over the network that was given")
	}
}
