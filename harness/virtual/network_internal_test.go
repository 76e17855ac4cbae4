package virtual

import (
	"context"
	"errors"
	"net"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/hookassay/hookassay/harness/sender"
)

func TestNetwork(t *testing.T) {
	n := newNetwork()
	defer n.close()
	l, err := n.Listen(t.Context(), "tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	for _, other := range []string{addr, "0.0.0.0" + addr[len("127.0.0.1"):]} {
		if _, err := n.Listen(t.Context(), "tcp", other); !errors.Is(err, syscall.EADDRINUSE) {
			t.Errorf("listen on %s again: %v", other, err)
		}
	}
	if six, err := n.Listen(t.Context(), "tcp", "[::1]"+addr[len("127.0.0.1"):]); err != nil || six.Addr().String() == addr {
		t.Errorf("the same port of the other family: %v %v", six, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := n.DialContext(ended, "tcp", addr); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was cancelled: %v", err)
	}
	_, err = n.DialContext(t.Context(), "tcp", "example.com:80")
	if dns, ok := errors.AsType[*net.DNSError](err); !ok || !dns.IsNotFound {
		t.Errorf("a name: %v", err)
	}
	for _, bad := range [][2]string{{"udp", addr}, {"tcp", "127.0.0.1"}, {"tcp", "127.0.0.1:http"}, {"tcp", "127.0.0.1:65536"}} {
		if _, err := n.DialContext(t.Context(), bad[0], bad[1]); err == nil || errors.Is(err, syscall.ECONNREFUSED) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for range backlog {
		if _, err := n.DialContext(t.Context(), "tcp", addr); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := n.DialContext(t.Context(), "tcp", addr); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("one more than may wait: %v", err)
	}
	n.close()
	if len(n.open) != 0 || len(n.ports) != 0 || len(n.listeners) != 0 {
		t.Errorf("left behind: %d ends, %d ports, %d listeners", len(n.open), len(n.ports), len(n.listeners))
	}
}

func TestTroubleOfNewSender(t *testing.T) {
	if _, err := (Config{}).withDefaults(); err == nil {
		t.Error("no NewSender: no error")
	}
	broken := errors.New("no database")
	for name, made := range map[string]func(context.Context, Env) (sender.Sender, error){
		"launch shared: start: no database":                  func(context.Context, Env) (sender.Sender, error) { return nil, broken },
		"launch shared: start: NewSender returned no sender": func(context.Context, Env) (sender.Sender, error) { return nil, nil },
	} {
		cfg, err := Config{NewSender: made}.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) { _, err = run(t.Context(), cfg, dir, &watchdog{}) })
		if err == nil || err.Error() != name {
			t.Errorf("got %v, want %s", err, name)
		}
	}
}
