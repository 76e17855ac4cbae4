package mockreceiver_test

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// handles are the open files, sockets and pipes of this process, by what they are.
func handles(t testing.TB) map[string]int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("open handles are counted in /proc, which only Linux has")
	}
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]int{}
	for _, one := range list {
		if to, err := os.Readlink("/proc/self/fd/" + one.Name()); err == nil {
			kind, _, _ := strings.Cut(to, ":[") // socket:[123]
			open[kind]++
		}
	}
	return open
}

// leaked waits until no more handles are open than before; what the kernel closes after a test that ended is not waited for
// elsewhere.
func leaked(t testing.TB, before map[string]int) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		more := map[string]int{}
		for kind, n := range handles(t) {
			if n > before[kind] && !strings.HasPrefix(kind, "/proc/") {
				more[kind] = n - before[kind]
			}
		}
		if len(more) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("handles are still open: %v", more)
		}
	}
}

// TestRule14LeavesNoHandleOpen puts each kind of fault and each way to abort through a receiver, twice over, and counts the
// open handles before and after.
func TestRule14LeavesNoHandleOpen(t *testing.T) {
	first := start(t, mockreceiver.Config{}) // what the process opens once, the network poller say, is open then
	post(t, client(t), first.endpoint("e", "200"), "x")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	before := handles(t)
	for range 2 {
		r := start(t, mockreceiver.Config{})
		for i, k := range fault.Kinds() {
			name := fmt.Sprintf("e%d", i)
			p, err := fault.Parse(k.Form)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.AddEndpoint(mockreceiver.Endpoint{Name: name, Plan: p}); err != nil {
				continue // it acts on another kind of listener
			}
			for _, sent := range []string{
				request("/hooks/"+name, "x"), request("/hooks/"+name, "x")[:20],
				"POST /hooks/" + name + " HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf",
				"POST /hooks/" + name + " HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n",
				"\x16\x03\x01\r\n\r\n",
			} {
				w := r.dial()
				w.send(sent)
				if err := w.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
					t.Fatal(err)
				}
				_, _ = w.r.ReadString('\n') // a look only: some never answer
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
		post(t, client(t), r.endpoint("copies", "200(copies=3)"), "x")
		r.until("the copies", func(l []evidence.Record) bool {
			n := 0
			for _, a := range of[*evidence.Arrival](l) {
				if a.Origin != "" {
					n++
				}
			}
			return n == 3
		})
		open := r.dial()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if err := open.Close(); err != nil {
			t.Fatal(err)
		}
	}
	leaked(t, before)
	noGoroutines(t)
}

// TestRule24FaultActsAsOftenAsSaidAndEndsWithItsRequest looks at what TestEveryKindOnTheWire does not: the request after.
func TestRule24FaultActsAsOftenAsSaidAndEndsWithItsRequest(t *testing.T) {
	t.Run("never and always", func(t *testing.T) {
		r := start(t, mockreceiver.Config{Seed: 1})
		never, always, c := r.endpoint("never", "chance(0)"), r.endpoint("always", "chance(1)"), client(t)
		for i := range 200 {
			body := fmt.Sprintf(`{"id":"evt_%d"}`, i)
			if got, _ := post(t, c, never, body); got != 200 {
				t.Fatalf("a share of 0 acted at request %d: %d", i, got)
			}
			if got, _ := post(t, c, always, body); got != 503 {
				t.Fatalf("a share of 1 did not act at request %d: %d", i, got)
			}
		}
	})
	for _, k := range fault.Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			p, err := fault.Parse(k.Form + ", 204")
			if err != nil {
				t.Skipf("no step of a plan: %v", err)
			}
			if _, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "e", Plan: p}); err != nil {
				t.Skipf("acts on another kind of listener: %v", err)
			}
			other := r.endpoint("other", "204")
			w := r.dial()
			w.send(request("/hooks/e", `{"id":"evt_1"}`))
			r.arrivals(1)
			begun := time.Now()
			// The fault may go on as long as its peer stays; the others have nothing to do with it.
			for i, url := range []string{other, r.DataURL() + "/hooks/e"} {
				if got, _ := post(t, client(t), url, `{"id":"evt_1"}`); got != 204 {
					t.Errorf("request %d after the fault: got %d, want 204", i, got)
				}
			}
			took := time.Since(begun)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			kinds, arrivals := map[int64]string{}, r.arrivals(3)
			for _, o := range r.outcomes(3) {
				kinds[o.Of] = o.Fault
				if o.Of != 1 && (o.Delay != 0 || o.End != evidence.EndComplete) {
					t.Errorf("outcome: %+v, within %s", o, took)
				}
			}
			acted, elsewise := map[string]string{
				"continue": "status", "mix": "status", "goaway": "close", "rst-stream": "reset", // over HTTP/1, to a peer that does not ask
			}[k.Name]
			if !elsewise {
				acted = k.Name
			}
			if kinds[1] != acted || kinds[2] != "status" || kinds[3] != "status" {
				t.Errorf("the journal says %v", kinds)
			}
			if arrivals[0].Chosen != p.Steps[0].String() || arrivals[2].Chosen != "204" {
				t.Errorf("the journal says that %q and %q were chosen", arrivals[0].Chosen, arrivals[2].Chosen)
			}
		})
	}
}

// TestRule25SendsRetryAfterAsSaid compares the bytes on the wire with the plan, and the journal with the bytes.
func TestRule25SendsRetryAfterAsSaid(t *testing.T) {
	const day = 24 * time.Hour
	for plan, want := range map[string]string{
		"429(retry-after=0)":                               "0",
		"429(retry-after=7)":                               "7",
		"503(retry-after=86400)":                           "86400",
		"301(retry-after=2)":                               "2",
		`429(retry-after="-5")`:                            "-5",
		`429(retry-after="1e3")`:                           "1e3",
		`429(retry-after="1.5")`:                           "1.5",
		`429(retry-after="soon")`:                          "soon",
		`503(retry-after="99999999999999999999")`:          "99999999999999999999",
		`503(retry-after="Fri, 31 Dec 1999 23:59:59 GMT")`: "Fri, 31 Dec 1999 23:59:59 GMT",
		"429(retry-after=date+90s)":                        "date",
		"503(retry-after=date-24h)":                        "date",
		"429":                                              "",
		"503":                                              "",
	} {
		t.Run(plan, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			r.endpoint("e", plan)
			w := r.dial()
			begun := time.Now()
			w.send("POST /hooks/e HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
			got, err := w.rest()
			if err != nil {
				t.Fatal(err)
			}
			ended := time.Now()
			value, there := field(string(got), "Retry-After")
			switch {
			case want == "date":
				in := map[bool]time.Duration{true: -day, false: 90 * time.Second}[strings.Contains(plan, "-24h")]
				at, err := time.Parse("Mon, 02 Jan 2006 15:04:05 GMT", value)
				// Cut to whole seconds, as the form demands.
				if err != nil || at.Before(begun.Add(in-time.Second)) || at.After(ended.Add(in)) {
					t.Errorf("got %q (%v), want a GMT date %s after %s", value, err, in, begun)
				}
			case value != want || there != (want != ""):
				t.Errorf("got %q, want %q", value, want)
			}
			if recorded := (evidence.Head{Fields: r.outcomes(1)[0].Header}).Get("Retry-After"); recorded != value {
				t.Errorf("recorded is %q, sent was %q", recorded, value)
			}
		})
	}
	t.Run("our own overload", func(t *testing.T) {
		r := start(t, mockreceiver.Config{MaxInFlight: 1})
		r.endpoint("e", "200")
		r.endpoint("limited", "rate-limit(1)")
		for _, path := range []string{"/hooks/e", "/hooks/limited", "/hooks/limited"} {
			w := r.dial()
			body := "xx"
			if path == "/hooks/limited" {
				body = ""
			}
			w.send(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body))
			got, err := w.rest()
			if err != nil {
				t.Fatal(err)
			}
			status, _ := strconv.Atoi(string(got[9:12]))
			value, _ := field(string(got), "Retry-After")
			seconds, err := strconv.Atoi(value)
			refused := status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests
			if !refused && status != 200 || refused && (err != nil || seconds < 1) {
				t.Errorf("%s: got %d with %q, want whole seconds from a refusal", path, status, value)
			}
		}
	})
}

// field is the value of a header line as it stands in an answer's bytes.
func field(answer, name string) (string, bool) {
	_, rest, there := strings.Cut(answer, "\r\n"+name+": ")
	value, _, _ := strings.Cut(rest, "\r\n")
	return value, there
}
