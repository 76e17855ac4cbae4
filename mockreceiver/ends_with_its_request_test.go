package mockreceiver_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// finite are the forms of kinds whose own would go on for ever, or leave the connection in the middle of an answer.
func finite(k fault.Kind) string {
	forms := map[string]string{
		"endless": "large(100000)", "drip": "drip(1, every=1ms, size=3)", "stall": "stall(after=3, for=10ms)", "timeout": "timeout(10ms)",
		"interim": "interim(with=close)", "latency": "latency(to=10ms)", "slow-read": "slow-read(1, every=1ms)", "outage": "outage(to=1ns)", "large": "large(1000)",
	}
	if form, ok := forms[k.Name]; ok {
		return form
	}
	return k.Form
}

// TestAFaultEndsWithItsRequest lets each kind act once, on a request that asks for 100 Continue. The next request of the event is
// plainly answered, over the same connection as far as there is one, and so is one of another event.
func TestAFaultEndsWithItsRequest(t *testing.T) {
	ends := map[string]bool{} // kinds that end the connection
	for _, name := range []string{
		"timeout", "reset", "close", "close-idle", "close-next", "cut", "wrong-length", "malformed", "lost-ack", "early", "cut-request", "interim", "goaway",
		"rst-stream",
	} {
		ends[name] = true
	}
	for _, k := range fault.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			r := start(t, mockreceiver.Config{IDHeader: "X-Id"})
			r.endpoint("e", finite(k)+", 200")
			w := r.dial()
			const head = "POST /hooks/e HTTP/1.1\r\nHost: h\r\nX-Id: %s\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}"
			w.send(fmt.Sprintf(head, "1"))
			if ends[k.Name] {
				r.outcomes(1)
				w = r.dial()
			} else {
				final(t, w)
			}
			for n, id := range []string{"1", "2", "2"} {
				if n == 1 {
					if err := r.SetPlan("e", "2", fault.OK()); err != nil {
						t.Fatal(err)
					}
				}
				w.send(fmt.Sprintf(head, id))
				if status, body, interims := final(t, w); status != 200 || body != "" || interims != 1 {
					t.Errorf("event %s: got %d %q after %d interim answers, want 200 after 100 Continue", id, status, body, interims)
				}
			}
			for _, o := range r.outcomes(4) {
				if o.Of > 1 && (o.Fault != "status" || o.Status != 200 || o.End != evidence.EndComplete || o.Delay != 0) {
					t.Errorf("outcome of request %d: %+v", o.Of, o)
				}
			}
		})
	}
}

// final reads answers up to the final one.
func final(t *testing.T, w *wire) (status int, body string, interims int) {
	t.Helper()
	for {
		status, body = w.answer()
		if status >= http.StatusOK {
			return status, body, interims
		}
		interims++
	}
}

// TestWhatHasNoChanceNeverActs covers shares of nothing, and outages before and after their time.
func TestWhatHasNoChanceNeverActs(t *testing.T) {
	for _, plan := range []string{"chance(0)", "mix(reset=0, timeout=0, 502=0)", "mix(502=0, 200)", "outage(from=24h)", "outage(to=1ns)", "rate-limit(100000)"} {
		r := start(t, mockreceiver.Config{Seed: 7, Quick: true})
		url, c := r.endpoint("e", plan), client(t)
		const n = 200
		for i := range n {
			if got, _ := post(t, c, url, fmt.Sprintf(`{"id":"%d"}`, i/2)); got != 200 {
				t.Fatalf("%s, request %d: got %d", plan, i+1, got)
			}
		}
		for _, o := range r.outcomes(n) {
			if o.End != evidence.EndComplete || o.Delay != 0 {
				t.Errorf("%s: %+v", plan, o)
			}
		}
	}
}

// TestWhatIsSureAlwaysActs is the other end of the scale.
func TestWhatIsSureAlwaysActs(t *testing.T) {
	for _, plan := range []string{"chance(1)", "mix(503=1, 200)", "outage"} {
		r := start(t, mockreceiver.Config{Seed: 7, Quick: true})
		url, c := r.endpoint("e", plan), client(t)
		for i := range 100 {
			if got, _ := post(t, c, url, fmt.Sprintf(`{"id":"%d"}`, i/2)); got != 503 {
				t.Fatalf("%s, request %d: got %d", plan, i+1, got)
			}
		}
	}
}
