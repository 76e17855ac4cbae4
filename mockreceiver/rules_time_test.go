package mockreceiver_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// TestRule11CutsOffSlowPeers covers those that send nothing at all, and those that send now and then so as to look alive.
func TestRule11CutsOffSlowPeers(t *testing.T) {
	const soon, never = time.Second, time.Hour // the limit that must act, ample for what is sent on a busy machine, and the others
	heads := mockreceiver.Config{HeaderTimeout: soon, BodyTimeout: never, IdleTimeout: never}
	bodies := mockreceiver.Config{HeaderTimeout: never, BodyTimeout: soon, IdleTimeout: never}
	idle := mockreceiver.Config{HeaderTimeout: never, BodyTimeout: never, IdleTimeout: soon}
	both := mockreceiver.Config{HeaderTimeout: soon, BodyTimeout: soon, IdleTimeout: never}
	const head = "POST /hooks/e HTTP/1.1\r\nHost: h\r\n"
	for name, tc := range map[string]struct {
		limits           mockreceiver.Config
		sent, drip, want string
	}{
		"nothing":               {heads, "", "", ""},
		"head":                  {heads, head[:20], "", ""},
		"body":                  {bodies, head + "Content-Length: 100\r\n\r\nhalf", "", "HTTP/1.1 408"},
		"chunk":                 {bodies, head + "Transfer-Encoding: chunked\r\n\r\n64\r\nhalf", "", "HTTP/1.1 408"},
		"idle":                  {idle, request("/hooks/e", "x"), "", "HTTP/1.1 200"},
		"head, byte by byte":    {heads, head, "X", ""},
		"body, byte by byte":    {bodies, head + "Content-Length: 100000\r\n\r\n", "x", "HTTP/1.1 408"},
		"line ends and no head": {heads, "\r\n", "\r\n", ""},
		"unknown expectation":   {both, head + "Expect: x\r\nContent-Length: 100000\r\n\r\n", "x", "HTTP/1.1 417"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := start(t, tc.limits)
			r.endpoint("e", "200")
			w := r.dial()
			w.send(tc.sent)
			if tc.drip != "" {
				stop := w.drip(tc.drip)
				defer stop()
			}
			got, err := w.rest()
			// What drips in after the end turns it into a reset, as on any server.
			if err != nil && tc.drip == "" {
				t.Fatalf("got %v, want an orderly close", err)
			}
			if !strings.HasPrefix(string(got), tc.want) && tc.want != "" {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if strings.HasPrefix(tc.sent, "POST") && string(r.arrivals(1)[0].Head) == "" {
				t.Error("no head was recorded")
			}
		})
	}
}

// drip sends a piece of text again and again until it is told to stop or the connection ends.
func (w *wire) drip(piece string) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				if _, err := w.Write([]byte(piece)); err != nil {
					return
				}
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
	}
}

// TestRule12LetsNoStalledPeerHoldUpAnother has peers stall in every way that there is, and then wants others to be served.
func TestRule12LetsNoStalledPeerHoldUpAnother(t *testing.T) {
	const each = 30
	r := start(t, mockreceiver.Config{})
	stalls := map[string]string{
		"half":  "POST /hooks/half HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf",
		"head":  "POST /hooks/head HTTP/1.1\r\nHost:",
		"deaf":  request("/hooks/deaf", "x"), // never reads its endless answer
		"hang":  request("/hooks/hang", "x"),
		"hold":  request("/hooks/hold", "x"),
		"work":  request("/hooks/work", `{"id":"evt_1"}`), // all at the gate of one event
		"drip":  request("/hooks/drip", "x"),
		"close": request("/hooks/close", "x"),
	}
	for name, plan := range map[string]string{
		"half": "200", "head": "200", "deaf": "endless", "hang": "timeout", "hold": "502(delay=1h)", "work": "200(work=1h)",
		"drip": "drip(1, every=1h)", "close": "close-idle(after=1h)",
	} {
		r.endpoint(name, plan)
	}
	r.endpoint("e", "200")
	for range each {
		r.dial() // sends nothing
		for _, sent := range stalls {
			r.dial().send(sent)
		}
	}
	// The two that are not handled leave no record yet.
	r.arrivals(each * (len(stalls) - 2))
	for i := range 20 {
		w := r.dial()
		w.send(request("/hooks/e", fmt.Sprintf(`{"id":"evt_%d"}`, i)))
		if status, _ := w.answer(); status != 200 {
			t.Errorf("request %d: got %d", i, status)
		}
	}
	if status, _ := r.api("GET", "/v1/status", ""); status != 200 {
		t.Errorf("control API: got %d", status)
	}
	at := map[int64]*evidence.Arrival{}
	r.until("20 outcomes of the others", func(l []evidence.Record) bool {
		n := 0
		for _, a := range of[*evidence.Arrival](l) {
			at[a.Seq] = a
		}
		for _, o := range of[*evidence.Outcome](l) {
			if at[o.Of].Endpoint == "e" {
				n++
				if o.Delay != 0 || o.End != evidence.EndComplete {
					t.Errorf("outcome: %+v", o)
				}
			}
		}
		return n == 20
	})
}

// TestRule17NothingSlowIsOnThePath keeps readers of the journal at work as slowly as they can be, with all their
// connections, and wants answers all the same. Only the commit is waited for.
func TestRule17NothingSlowIsOnThePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: path})
	url, c := r.endpoint("e", "200"), client(t)
	for range 50 {
		post(t, c, url, strings.Repeat("x", 10_000))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// One that reads in the midst of a snapshot from outside, as a person with the sqlite shell does.
	outside, err := open(t, path).QueryContext(ctx, "SELECT body FROM arrival, (SELECT 1 FROM arrival), (SELECT 1 FROM arrival)")
	if err != nil {
		t.Fatal(err)
	}
	defer closeRows(t, outside)
	if !outside.Next() {
		t.Fatal("nothing to read")
	}
	// And more that wait than the journal has connections for readers.
	waiters := make(chan int)
	const waiting = 20
	for range waiting {
		go func() {
			n, _ := r.Wait(ctx, "e", 0, 1_000_000)
			waiters <- n
		}()
	}
	stop := make(chan struct{})
	readers := make(chan struct{})
	for range 4 {
		go func() {
			defer func() { readers <- struct{}{} }()
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := r.Attempts(ctx, journal.Query{Limit: 1000}); err != nil {
					return
				}
			}
		}()
	}
	for i := range 50 {
		if status, _ := post(t, c, url, "x"); status != 200 {
			t.Errorf("request %d: got %d", i, status)
		}
	}
	// The answer needs the arrival and nothing else: neither the outcome nor the effect is waited for, and both come later.
	for _, o := range r.outcomes(100) {
		for _, e := range of[*evidence.Effect](r.sofar()) {
			if e.Of == o.Of && o.ReplyStart < e.At {
				t.Errorf("request %d was answered at %s, before its commit at %s", o.Of, o.ReplyStart, e.At)
			}
		}
	}
	close(stop)
	for range 4 {
		<-readers
	}
	cancel()
	for range waiting {
		if n := <-waiters; n < 50 {
			t.Errorf("a wait saw %d requests, want at least 50", n)
		}
	}
}

func closeRows(t *testing.T, rows *sql.Rows) {
	t.Helper()
	if err := rows.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// stepped is t as it looks on a machine whose wall clock was set since: the monotonic reading stays, the wall clock's part
// differs. Package time has no way to make one, because there it happens by itself; its layout is as of Go 1.9.
func stepped(t *testing.T, at time.Time, by time.Duration) time.Time {
	t.Helper()
	inside := (*struct {
		wall uint64
		ext  int64
		loc  *time.Location
	})(unsafe.Pointer(&at)) //nolint:gosec // the only way to set a clock back without being root
	const secondsFrom = 30                               // the bit where the seconds begin
	inside.wall += uint64(by/time.Second) << secondsFrom //nolint:gosec // two's complement subtracts as well
	if !strings.Contains(at.String(), " m=") {
		t.Fatalf("%s has no monotonic reading: package time has another layout", at)
	}
	return at
}

// TestRule29OffsetsDoNotFollowTheWallClock starts receivers whose machine's clock was set to another day meanwhile.
func TestRule29OffsetsDoNotFollowTheWallClock(t *testing.T) {
	const day = 24 * time.Hour
	for _, by := range []time.Duration{-day, day} {
		t.Run(by.String(), func(t *testing.T) {
			before := time.Now()
			r := start(t, mockreceiver.Config{Started: stepped(t, before, by)})
			url := r.endpoint("e", "outage(to=1h), 200")
			post(t, client(t), url, `{"id":"1"}`)
			a, o := r.arrivals(1)[0], r.outcomes(1)[0]
			took := time.Since(before)
			for name, at := range map[string]time.Duration{
				"opened": a.Conn.Opened, "first byte": a.FirstByte, "body's end": a.BodyEnd, "reply": o.ReplyStart, "reply's end": o.ReplyEnd,
			} {
				if at <= 0 || at > took {
					t.Errorf("%s at %s of a run that took %s", name, at, took)
				}
			}
			// The clock's time is a fact of its own, and as the clock says.
			if a.Wall.Before(before.Round(0)) || a.Wall.After(before.Round(0).Add(took)) {
				t.Errorf("wall clock %s, want %s or a little later", a.Wall, before)
			}
			if o.Fault != "outage" || o.Status == 200 {
				t.Errorf("outcome: %+v, want the window to be one of this hour", o)
			}
		})
	}
}
