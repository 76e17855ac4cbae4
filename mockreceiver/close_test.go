package mockreceiver_test

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

func TestCloseEndsHangingRequests(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: path})
	for name, plan := range map[string]string{"hang": "timeout", "hold": "502(delay=1h)", "work": "200(work=1h)", "wait": "timeout(1h)"} {
		r.endpoint(name, plan)
		r.dial().send(request("/hooks/"+name, "x"))
	}
	r.endpoint("half", "200")
	r.dial().send("POST /hooks/half HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf")
	r.dial() // sends nothing
	slow := r.tcp(strings.TrimPrefix(r.ControlURL(), "http://"))
	fmt.Fprintf(slow, "PUT /v1/endpoints/half/plan HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"Expect: 100-continue\r\nContent-Length: 10\r\n\r\n", r.Token())
	if _, err := slow.Read(make([]byte, 1)); err != nil { // it is asked for the body, and sends none
		t.Fatal(err)
	}
	r.arrivals(4)
	closed := make(chan error, 1)
	go func() { closed <- r.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(patience):
		t.Fatal("close hangs")
	}
	for _, o := range of[*evidence.Outcome](r.sofar()) {
		if o.End != evidence.EndShutdown || o.Closed == 0 || o.Status != 0 {
			t.Errorf("outcome: %+v", o)
		}
	}
	if n := len(of[*evidence.Outcome](r.sofar())); n < 4 {
		t.Errorf("%d outcomes, want one for each request", n)
	}
	if err := r.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	noGoroutines(t)
	if n := scan(t, open(t, path), "SELECT count(*) FROM arrival a JOIN outcome o ON o.seq = a.seq"); n < 4 {
		t.Errorf("%d requests with outcome on disk, want at least 4", n)
	}
	var d net.Dialer
	if c, err := d.DialContext(context.Background(), "tcp", strings.TrimPrefix(r.DataURL(), "http://")); err == nil {
		_ = c.Close()
		t.Error("the listener is still there")
	}
}

// noGoroutines waits until none runs code of the receiver.
func noGoroutines(t *testing.T) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		var b strings.Builder
		if err := pprof.Lookup("goroutine").WriteTo(&b, 2); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), "/mockreceiver.(*") {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("goroutines outlive the receiver:\n%s", b.String())
		}
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for name, tc := range map[string]struct {
		cfg  mockreceiver.Config
		want string
	}{
		"no monotonic reading": {mockreceiver.Config{Started: time.Now().Round(0)}, "monotonic"},
		"no pointer":           {mockreceiver.Config{IDBody: "id"}, "JSON pointer"},
		"no URL":               {mockreceiver.Config{AdvertisedURL: "here"}, "advertised URL"},
		"below zero":           {mockreceiver.Config{MaxBody: -1}, "below zero"},
		"no such folder":       {mockreceiver.Config{Journal: filepath.Join(t.TempDir(), "no", "such", "x.db")}, "open journal"},
	} {
		r, err := mockreceiver.New(tc.cfg)
		if err == nil {
			_ = r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q in it", name, err, tc.want)
		}
	}
}
