package mockreceiver

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// TestAnAddressIsOursAtOneListenerOnly: a port is taken for one peer, so that a sender may come to another listener from the very address of
// a copy of ours.
func TestAnAddressIsOursAtOneListenerOnly(t *testing.T) {
	seen := make(chan *evidence.Arrival, 1)
	r, err := New(Config{Observe: func(rec evidence.Record) {
		if a, ok := rec.(*evidence.Arrival); ok {
			seen <- a
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Serve(l, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := r.AddListener(t.Context(), Listener{Name: "other"}); err != nil {
		t.Fatal(err)
	}
	at, err := r.AddEndpoint(Endpoint{Name: "e", Listener: "other", Plan: fault.OK()})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r.own.add(ownAddr{"", c.LocalAddr().String()}, copyOrder{as: fault.Step{Fault: fault.Status{Code: http.StatusTeapot}}})
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, at, strings.NewReader(`{"id":"evt_1"}`))
	if err := req.Write(c); err != nil {
		t.Fatal(err)
	}
	if a := <-seen; a.Origin == evidence.OriginHarness {
		t.Errorf("a request of the sender's to listener %q was taken for a copy of ours to the first one", a.Conn.Listener)
	}
}
