package refsender_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/internal/refsender"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// secureReceiver is a receiver whose listeners speak TLS, and the file with its authority.
func secureReceiver(t *testing.T) (r *mockreceiver.Receiver, ca string) {
	t.Helper()
	r, err := mockreceiver.New(mockreceiver.Config{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Serve(l, nil); err != nil {
		t.Fatal(err)
	}
	ca = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, r.CA(), 0o600); err != nil {
		t.Fatal(err)
	}
	return r, ca
}

// secureURL is an endpoint whose connections begin as planned.
func secureURL(t *testing.T, r *mockreceiver.Receiver, conns string) string {
	t.Helper()
	p, err := fault.ParseConn(conns)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.AddListener(t.Context(), mockreceiver.Listener{Name: conns, TLS: &mockreceiver.TLS{}, Plan: p}); err != nil {
		t.Fatal(err)
	}
	url, err := r.AddEndpoint(mockreceiver.Endpoint{Name: strings.ReplaceAll(conns, ", ", "."), Listener: conns, Plan: fault.OK(), Fields: &mockreceiver.Fields{}})
	if err != nil {
		t.Fatal(err)
	}
	return url
}

// TestCertificates: what is delivered by how the connections begin, correct and with each defect.
func TestCertificates(t *testing.T) {
	all := []string{"ok", "tls-expired", "tls-not-yet-valid", "tls-self-signed", "tls-wrong-name", "tls-abort, ok"}
	for defect, delivered := range map[string]string{
		"":                     "ok; tls-abort, ok",
		"no-retry-tls":         "ok",
		"tls-not-verified":     strings.Join(all, "; "),
		"tls-name-not-checked": "ok; tls-wrong-name; tls-abort, ok",
		"tls-trust-ignored":    "",
	} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			secure, ca := secureReceiver(t)
			r := newRig(t, refsender.Config{Defect: defect, TrustFile: ca})
			var got []string
			for _, conns := range all {
				ep := r.register(secureURL(t, secure, conns))
				id := r.emit(ep, struct{}{})
				r.waitFor("the end", func() bool { s := r.delivery(id, ep).State; return s == "delivered" || s == "dead-lettered" })
				if r.delivery(id, ep).State == "delivered" {
					got = append(got, conns)
				}
			}
			if strings.Join(got, "; ") != delivered {
				t.Errorf("delivered %q, want %q", got, delivered)
			}
		})
	}
}

// TestIdleConnections: how many connections stay open after twelve events at once, correct and with each defect.
func TestIdleConnections(t *testing.T) {
	const events, most = 12, 2
	for defect, settles := range map[string]func(open int) bool{
		"":                  func(open int) bool { return open == 0 },
		"conn-idle-forever": func(open int) bool { return open > 0 && open <= most },
		"conn-leak":         func(open int) bool { return open == events },
	} {
		t.Run("defect "+defect, func(t *testing.T) {
			t.Parallel()
			open := opened{all: map[net.Conn]bool{}}
			c := fast(t)
			c.Network.IdleConnections, c.Network.IdleTimeout = most, 50*time.Millisecond
			r := newRig(t, refsender.Config{Defect: defect, Contract: c, Dial: open.dial})
			ep := r.register(r.URL + "/a")
			var ids []string
			for range events {
				ids = append(ids, r.emit(ep, struct{}{}))
			}
			for _, id := range ids {
				r.ended(id, ep, "delivered")
			}
			r.waitFor("the connections to settle", func() bool { return settles(open.count()) })
		})
	}
}

// opened are the connections that a sender has opened and not closed.
type opened struct {
	mu  sync.Mutex
	all map[net.Conn]bool
}

type openedConn struct {
	net.Conn
	of *opened
}

func (o *opened) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	raw, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	c := &openedConn{raw, o}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.all[c] = true
	return c, nil
}

func (c *openedConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.all, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

func (o *opened) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.all)
}

func TestTrustFile(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.pem")
	if err := os.WriteFile(none, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{none: "holds no certificate", none + ".not": "read the authorities to trust"} {
		_, err := refsender.New(refsender.Config{DB: filepath.Join(t.TempDir(), "sender.db"), Contract: fast(t), TrustFile: file})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", file, err, want)
		}
	}
}
