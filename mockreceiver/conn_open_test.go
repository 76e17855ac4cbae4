package mockreceiver_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestOpenConnections: those of one listener, with what they have carried, until either side ends them.
func TestOpenConnections(t *testing.T) {
	r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: true})
	if _, err := r.AddListener(t.Context(), mockreceiver.Listener{Name: "other"}); err != nil {
		t.Fatal(err)
	}
	url := r.endpoint("e", "200")
	old, two := r.trusting(false), r.trusting(true)
	post(t, old, url, "x")
	post(t, old, url, "x")
	post(t, two, url, "x")
	open := func(name string) []evidence.OpenConn {
		list, err := r.OpenConnections(name)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	list := open("")
	if len(list) != 2 || list[0].Requests != 2 || list[1].Requests != 1 || list[0].ID >= list[1].ID || list[0].Opened <= 0 {
		t.Errorf("open: %+v", list)
	}
	if list := open("other"); len(list) != 0 {
		t.Errorf("open to the other listener: %+v", list)
	}
	for deadline := time.After(patience); len(open("")) > 0; {
		// Asked each time: over HTTP/2 a stream may outlive its answer by a moment, and its connection is not idle until then.
		for _, c := range []*http.Client{old, two} {
			c.CloseIdleConnections()
		}
		select {
		case <-time.After(time.Millisecond):
		case <-deadline:
			t.Fatalf("still open: %+v", open(""))
		}
	}
	if _, err := r.OpenConnections("none"); err == nil {
		t.Error("a listener that is not there has connections")
	}
}
