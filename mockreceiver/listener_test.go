package mockreceiver_test

import (
	"cmp"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestPlansOfPlainListeners(t *testing.T) {
	for plan, want := range map[string]string{
		"accept-delay(10ms)": "", "accept-close": ends, "accept-reset": reset, "accept-stall": late, "throttle(1000000)": "", "refuse": "refused",
	} {
		r := start(t, mockreceiver.Config{ConnPlan: mustConnPlan(t, plan)})
		r.endpoint("e", "200")
		got := r.meets(r.DataURL(), want)
		if want == ends && got == reset { // it depends on whether the request was there by then
			got = ends
		}
		if got != want {
			t.Errorf("%s: the client saw %q, want %q", plan, got, want)
		}
	}
}

func TestPlanGoesByConnection(t *testing.T) {
	r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, ConnPlan: mustConnPlan(t, "tls-expired, refuse, tls-self-signed, ok")})
	r.endpoint("e", "200")
	meets := func(want string) {
		t.Helper()
		if got := r.meet(r.DataURL()); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	meets("expired")
	meets("refused")
	meets("refused")
	for range 2 {
		if err := r.Up(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
	meets("unknown authority")
	meets("")
	meets("")
	if err := r.SetConnPlan("", mustConnPlan(t, "tls-wrong-name, ok")); err != nil {
		t.Fatal(err)
	}
	meets("wrong host")
	meets("")
}

func TestRefusalEndsByItself(t *testing.T) {
	t.Parallel()
	r := start(t, mockreceiver.Config{ConnPlan: mustConnPlan(t, "ok, refuse(1s)*2, ok")}) // ample for a connection of a busy machine
	r.endpoint("e", "200")
	if got := r.meet(r.DataURL()); got != "" {
		t.Fatalf("the first connection: %s", got)
	}
	if got := r.meet(r.DataURL()); got != "refused" {
		t.Errorf("the second connection: got %q, want it refused", got)
	}
	c := r.connections(1)[0]
	if c.End != evidence.EndRefused || c.Closed-c.Opened < 2*time.Second || c.Fault != "refuse(2s)" {
		t.Errorf("the record: %+v", c)
	}
	if got := r.meet(r.DataURL()); got != "" {
		t.Errorf("after the time: %s", got)
	}
}

func TestDownAndUp(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "200")
	kept := r.dial()
	kept.send(request("/hooks/e", "x"))
	kept.answer()
	for range 2 {
		if err := r.Down(""); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.meet(r.DataURL()); got != "refused" {
		t.Errorf("got %q, want it refused", got)
	}
	kept.send(request("/hooks/e", "x"))
	if status, _ := kept.answer(); status != 200 {
		t.Errorf("a connection of before: got %d", status)
	}
	for range 2 {
		if err := r.Up(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.meet(r.DataURL()); got != "" {
		t.Errorf("up again: %s", got)
	}
	for _, err := range []error{r.Down("none"), r.Up(t.Context(), "none"), r.SetConnPlan("none", fault.ConnPlan{})} {
		if err == nil || !strings.Contains(err.Error(), `listener "none"`) {
			t.Errorf("a listener that is not there: %v", err)
		}
	}
	if err := r.Down(""); err != nil { // the receiver is closed while it is down
		t.Fatal(err)
	}
}

func TestLocalhostMeansBothFamilies(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	base, err := r.AddListener(t.Context(), mockreceiver.Listener{Name: "x", Addr: "localhost:0", Plan: mustConnPlan(t, "ok*4")})
	if err != nil {
		t.Fatal(err)
	}
	port, ok := strings.CutPrefix(base, "http://localhost:")
	if !ok {
		t.Fatalf("its URL is %s", base)
	}
	var lc net.ListenConfig
	six, err := lc.Listen(t.Context(), "tcp", "[::1]:0")
	if err == nil {
		_ = six.Close()
	}
	for range 2 { // also after it was down
		for _, ip := range []string{"127.0.0.1", "::1"} {
			if ip == "::1" && err != nil {
				continue
			}
			if status, _ := post(t, client(t), "http://"+net.JoinHostPort(ip, port)+"/", "x"); status != 404 {
				t.Errorf("%s: got %d", ip, status)
			}
		}
		if err := errors.Join(r.Down("x"), r.Up(t.Context(), "x")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBothFamilies(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		var lc net.ListenConfig
		l, err := lc.Listen(t.Context(), "tcp", addr)
		if err != nil {
			t.Logf("this machine has no %s", addr)
			continue
		}
		_ = l.Close()
		r := start(t, mockreceiver.Config{})
		base, err := r.AddListener(t.Context(), mockreceiver.Listener{Name: "x", Addr: addr, TLS: &mockreceiver.TLS{}, HTTP2: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "e", Listener: "x"}); err != nil {
			t.Fatal(err)
		}
		if status, _ := post(t, r.trusting(true), base+"/hooks/e", "x"); status != 200 {
			t.Errorf("%s: got %d", cmp.Or(base, addr), status)
		}
	}
}
