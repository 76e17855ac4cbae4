package mockreceiver_test

import (
	"fmt"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// TestRedirectIsFollowed has a client that follows, and must arrive at a second receiver.
func TestRedirectIsFollowed(t *testing.T) {
	silent := start(t, mockreceiver.Config{})
	target := silent.endpoint("silent", "200")
	for status, method := range map[int]string{301: "GET", 302: "GET", 303: "GET", 307: "POST", 308: "POST"} {
		r := start(t, mockreceiver.Config{})
		url := r.endpoint("e", fmt.Sprintf("redirect(to=%q, status=%d)", target, status))
		before := len(of[*evidence.Arrival](silent.sofar()))
		if got, _ := post(t, client(t), url, `{"id":"1"}`); got != 200 {
			t.Errorf("%d: got %d, want the 200 of the second receiver", status, got)
		}
		a := silent.arrivals(before + 1)[before]
		if head, err := evidence.ParseHead(a.Head); err != nil || head.Method != method {
			t.Errorf("%d: followed with %s, want %s", status, head.Method, method)
		}
		if o := r.outcomes(1)[0]; o.Fault != "redirect" || o.Status != status || (evidence.Head{Fields: o.Header}).Get("Location") != target {
			t.Errorf("outcome: %+v", o)
		}
	}
}
