package mockreceiver_test

import (
	"context"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// TestAProbeLeavesNoTrace: it goes through listener and journal, and neither records nor counts know of it.
func TestAProbeLeavesNoTrace(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]mockreceiver.Config{
		"a file": {}, "in memory": {Memory: true}, "TLS": {TLS: &mockreceiver.TLS{}, HTTP2: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := start(t, cfg)
			for range 3 {
				if err := r.Probe(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			if err := r.Probe(gone); err == nil {
				t.Error("a probe without time was answered")
			}
			if open, err := r.OpenConnections(""); err != nil || len(open) != 0 {
				t.Errorf("open connections: %v, %v", open, err)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			if records := r.until("nothing", func([]evidence.Record) bool { return true }); len(records) != 0 {
				t.Errorf("recorded: %s", describe(records))
			}
		})
	}
}

// TestAProbeWaitsAsARequestDoes: whoever holds up the journal holds it up.
func TestAProbeWaitsAsARequestDoes(t *testing.T) {
	t.Parallel()
	held, release := make(chan struct{}), make(chan struct{})
	receiver, err := mockreceiver.Listen(t.Context(), mockreceiver.Config{Observe: func(rec evidence.Record) {
		if _, ok := rec.(*evidence.Arrival); ok {
			close(held)
			<-release
		}
	}}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer receiver.Close()
	r := &rig{Receiver: receiver, t: t, changed: make(chan struct{})}
	url := r.endpoint("e", "200")
	answered, probed := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(answered)
		post(t, client(t), url, "x")
	}()
	<-held
	go func() { probed <- receiver.Probe(context.Background()) }()
	select {
	case err := <-probed:
		t.Errorf("a probe was answered while no request could be: %v", err)
	case <-time.After(100 * time.Millisecond): // fifty times what one takes
	}
	close(release)
	<-answered
	if err := <-probed; err != nil {
		t.Error(err)
	}
}

func TestAProbeIsRefusedWhereItWouldCount(t *testing.T) {
	t.Parallel()
	plan, err := fault.ParseConn("accept-close, ok")
	if err != nil {
		t.Fatal(err)
	}
	if err := start(t, mockreceiver.Config{ConnPlan: plan}).Probe(t.Context()); err == nil {
		t.Error("a probe took the step of a connection")
	}
}
