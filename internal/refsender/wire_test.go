package refsender_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hookassay/hookassay/internal/refsender"
)

// closeUnanswered closes the connection once the request is read.
func closeUnanswered(w http.ResponseWriter, _ *http.Request) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

func TestNoRequestIsMadeBehindTheLogsBack(t *testing.T) {
	for _, header := range []string{"X-Webhook-Id", "Idempotency-Key"} {
		t.Run(header, func(t *testing.T) {
			c := fast(t)
			c.Identity.Header = header
			r := newRig(t, refsender.Config{Contract: c})
			r.plan("/a", status(200), closeUnanswered, status(200))
			ep := r.register(r.URL + "/a")
			r.ended(r.emit(ep, struct{}{}), ep, "delivered") // leaves an idle connection behind
			log := r.ended(r.emit(ep, struct{}{}), ep, "delivered")
			if n := len(r.at("/a")); len(log.Attempts) != 2 || n != 3 {
				t.Errorf("%d requests; the second event's log has %d attempts, want 3 and 2", n, len(log.Attempts))
			}
		})
	}
}

func TestUntrustedCertificateGetsNoRequest(t *testing.T) {
	var requests atomic.Int32
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	receiver.Config.ErrorLog = nil
	receiver.StartTLS()
	t.Cleanup(receiver.Close)
	r := newRig(t, refsender.Config{})
	ep := r.register(receiver.URL)
	log := r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
	if len(log.Attempts) != 4 || log.LastFailure != "tls: the handshake failed" || requests.Load() != 0 {
		t.Errorf("%d requests, log %+v", requests.Load(), log)
	}
	if d := r.deadLetters(ep)[0]; d.LastStatus != 0 || d.LastError != "tls: the handshake failed" {
		t.Errorf("dead letter %+v", d)
	}
}

func TestRefusedConnection(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, refsender.Config{})
	ep := r.register("http://" + l.Addr().String())
	log := r.ended(r.emit(ep, struct{}{}), ep, "dead-lettered")
	if len(log.Attempts) != 4 || log.LastFailure != "connection: refused" {
		t.Errorf("log %+v", log)
	}
}

func TestDialHook(t *testing.T) {
	r := newReceiver(t)
	var dialled atomic.Value
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		dialled.Store(addr)
		return (&net.Dialer{}).DialContext(ctx, network, strings.TrimPrefix(r.URL, "http://"))
	}
	s := newRig(t, refsender.Config{Dial: dial})
	ep := s.register("http://nowhere.invalid/a")
	s.ended(s.emit(ep, struct{}{}), ep, "delivered")
	if len(r.at("/a")) != 1 || dialled.Load() != "nowhere.invalid:80" {
		t.Errorf("dialled %v", dialled.Load())
	}
}
