package mockreceiver_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func mustConnPlan(t testing.TB, text string) fault.ConnPlan {
	t.Helper()
	p, err := fault.ParseConn(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// records waits for so many records of connections.
func (r *rig) connections(n int) []*evidence.Connection {
	r.t.Helper()
	return of[*evidence.Connection](r.until(fmt.Sprintf("%d records of connections", n), func(l []evidence.Record) bool {
		return len(of[*evidence.Connection](l)) >= n
	}))
}

// meet is what a client sees of a connection that begins with a fault: an empty text is a request that was answered 200.
func (r *rig) meet(base string) string { return r.meets(base, "") }

// meets is meet where want is to be seen. Only where that is no answer at all does the client wait for a short time.
func (r *rig) meets(base, want string) string {
	wait := patience
	if want == late {
		wait = time.Second // a busy machine has begun TLS by then
	}
	c := &http.Client{Timeout: wait, Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: r.CertPool()}, TLSHandshakeTimeout: wait,
	}}
	_, _, err := try(c, base+"/hooks/e", "x")
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	var timed net.Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE): // whichever call meets it first
		return reset
	case errors.As(err, &unknown):
		return "unknown authority"
	case errors.As(err, &invalid):
		return invalid.Error()
	case errors.As(err, &host):
		return "wrong host"
	case errors.As(err, &timed) && timed.Timeout():
		return late
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "server closed idle"):
		return ends
	}
	return err.Error()
}

// TestEveryConnKindOnTheWire says what Go's client sees of each kind in the form that the list shows, and what the evidence
// says of it. A kind without a row fails.
func TestEveryConnKindOnTheWire(t *testing.T) {
	type seen struct{ client, end, err string }
	want := map[string]seen{
		"ok":                {},
		"refuse":            {client: "refused", end: evidence.EndRefused},
		"accept-delay":      {client: late, end: evidence.EndPeerGone},
		"accept-stall":      {client: late, end: evidence.EndPeerGone},
		"accept-close":      {client: ends, end: evidence.EndClosed}, // or a reset, if the first message was there by then
		"accept-reset":      {client: reset, end: evidence.EndReset},
		"throttle":          {}, // it is short
		"tls-delay":         {client: late, end: evidence.EndPeerGone},
		"tls-stall":         {client: late, end: evidence.EndPeerGone},
		"tls-abort":         {client: ends, end: evidence.EndClosed},
		"tls-alert":         {client: "tls: handshake failure", end: evidence.EndClosed},
		"tls-expired":       {client: "certificate has expired", end: evidence.EndPeerGone, err: "bad certificate"},
		"tls-not-yet-valid": {client: "not yet valid", end: evidence.EndPeerGone, err: "bad certificate"},
		"tls-self-signed":   {client: "unknown authority", end: evidence.EndPeerGone, err: "bad certificate"},
		"tls-wrong-name":    {client: "wrong host", end: evidence.EndPeerGone, err: "bad certificate"},
		"tls-old":           {client: "protocol version not supported", end: evidence.EndClosed, err: "unsupported versions"},
		"max-streams":       {},
	}
	for _, k := range fault.ConnKinds() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			form := strings.Replace(k.Form, "-delay(300ms)", "-delay(3s)", 1) // far longer than the client waits
			r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: true, ConnPlan: mustConnPlan(t, form)})
			r.endpoint("e", "200")
			w, ok := want[k.Name]
			got := r.meets(r.DataURL(), w.client)
			if k.Name == "accept-close" && got == reset {
				got = ends
			}
			if !ok || !strings.Contains(got, w.client) || (got == "") != (w.client == "") {
				t.Errorf("the client saw %q, want %q", got, w.client)
			}
			if w.client == "" {
				if a := r.arrivals(1)[0]; a.Conn.Fault != form && k.Name != "ok" {
					t.Errorf("the evidence of the connection: %+v", a.Conn)
				}
				return
			}
			if k.Name == "refuse" {
				if err := r.Up(t.Context(), ""); err != nil {
					t.Fatal(err)
				}
			}
			c := r.connections(1)[0]
			if c.End != w.end || c.Fault != form || !strings.Contains(c.Err, w.err) || c.Closed < c.Opened || c.ID == 0 != (k.Name == "refuse") {
				t.Errorf("the record: %+v", c)
			}
			if c.TLS != nil != (strings.HasPrefix(k.Name, "tls-") || k.Name == "accept-delay") {
				t.Errorf("the record's TLS: %+v", c.TLS)
			}
		})
	}
}

func TestDelaysAreAtLeastWhatIsPlanned(t *testing.T) {
	const d = 100 * time.Millisecond
	for _, plan := range []string{"accept-delay(100ms)", "tls-delay(100ms)", "tls-delay(from=100ms, to=110ms)"} {
		r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, ConnPlan: mustConnPlan(t, plan)})
		began := time.Now()
		c, err := r.tlsDial(r.DataURL(), &tls.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < d {
			t.Errorf("%s: the handshake took %s", plan, took)
		}
		_ = c.Close()
	}
}

// TestPlanGoesByConnection: each connection takes one step, the last repeats, and refusals take none.
// TestRefusalEndsByItself: the same port is there again after the time.
// TestTLSFaultsNeedTLS: what could not be acted out is refused at once.
func TestTLSFaultsNeedTLS(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for plan, want := range map[string]string{"ok, tls-stall": "needs TLS", "max-streams(1)": "needs TLS"} {
		if err := r.SetConnPlan("", mustConnPlan(t, plan)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", plan, err)
		}
	}
	_, err := r.AddListener(t.Context(), mockreceiver.Listener{Name: "x", TLS: &mockreceiver.TLS{}, Plan: mustConnPlan(t, "max-streams")})
	if err == nil || !strings.Contains(err.Error(), "needs HTTP/2") {
		t.Errorf("got %v", err)
	}
}

// TestFlawsAreSeenDespiteAnEarlierSession: a session of before must not hide the certificate.
func TestFlawsAreSeenDespiteAnEarlierSession(t *testing.T) {
	r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, ConnPlan: mustConnPlan(t, "ok*2, tls-expired")})
	url := r.endpoint("e", "200")
	c := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{
		RootCAs: r.CertPool(), ClientSessionCache: tls.NewLRUClientSessionCache(0),
	}}}
	post(t, c, url, "x")
	post(t, c, url, "x")
	if a := r.arrivals(2); a[0].Conn.TLS.Resumed || !a[1].Conn.TLS.Resumed {
		t.Errorf("resumed: %+v, %+v", a[0].Conn.TLS, a[1].Conn.TLS)
	}
	if _, _, err := try(c, url, "x"); err == nil || !strings.Contains(err.Error(), "expired") {
		t.Errorf("the third: %v", err)
	}
}

// TestASenderThatDoesNotLook delivers all the same, and the evidence says over what.
func TestASenderThatDoesNotLook(t *testing.T) {
	r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: true, ConnPlan: mustConnPlan(t, "tls-expired, tls-old, ok")})
	url := r.endpoint("e", "200")
	for _, want := range []string{"tls-expired", "tls-old(1.1)"} {
		c := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{
			InsecureSkipVerify: true, MinVersion: tls.VersionTLS10,
		}}}
		post(t, c, url, "x")
		a := r.arrivals(1)
		if got := a[len(a)-1].Conn; got.Fault != want || got.TLS.Version == "TLS 1.1" != (want == "tls-old(1.1)") ||
			got.TLS.Flaw == "expired" != (want == "tls-expired") {
			t.Errorf("%+v", got)
		}
	}
}

// TestThrottleHaltsTheWrite: what is not read piles up at the sender.
func TestThrottleHaltsTheWrite(t *testing.T) {
	r := start(t, mockreceiver.Config{ConnPlan: mustConnPlan(t, "throttle(1000)")})
	r.endpoint("e", "200")
	w := r.dial()
	if tcp, ok := w.Conn.(*net.TCPConn); !ok || tcp.SetWriteBuffer(1) != nil {
		t.Fatal("no TCP connection")
	}
	if err := w.SetWriteDeadline(time.Now().Add(200 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	_, err := io.WriteString(w, request("/hooks/e", strings.Repeat("x", 4<<20)))
	var late net.Error
	if !errors.As(err, &late) || !late.Timeout() {
		t.Errorf("the write ended with %v, want the time limit", err)
	}
}

// TestOneStreamAtATime: the peer is told, and a stream beyond is refused and recorded.
func TestOneStreamAtATime(t *testing.T) {
	r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: true, ConnPlan: mustConnPlan(t, "max-streams(1)")})
	r.endpoint("e", "timeout, 200")
	p := r.peer2()
	if n, ok := p.settings.Value(http2.SettingMaxConcurrentStreams); !ok || n != 1 {
		t.Errorf("SETTINGS_MAX_CONCURRENT_STREAMS: %d %v", n, ok)
	}
	p.post(1, "/hooks/e", "x")
	r.arrivals(1)
	p.headers(3, true, "/hooks/e")
	if got, want := p.frames(1), "3 RST_STREAM REFUSED_STREAM"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if a := r.arrivals(2)[1]; a.Handled() || a.Conn.Stream != 3 || !strings.Contains(a.BodyErr, "beyond") {
		t.Errorf("%+v", a)
	}
}

// TestConnectionsWithoutARequest leave a record each, also where no fault was planned.
func TestConnectionsWithoutARequest(t *testing.T) {
	r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: true})
	addr := strings.TrimPrefix(r.DataURL(), "https://")
	for name, tc := range map[string]struct {
		act       func()
		err, alpn string
	}{
		"nothing": {act: func() { _ = r.tcp(addr).Close() }},
		"no TLS": {act: func() {
			c := r.tcp(addr)
			_, _ = io.WriteString(c, request("/hooks/e", "x"))
			_, _ = io.Copy(io.Discard, c)
		}, err: "first record does not look like a TLS handshake"},
		"an authority that is unknown": {act: func() {
			_, _ = r.tlsDial(r.DataURL(), &tls.Config{RootCAs: x509.NewCertPool()})
		}, err: "bad certificate"},
		"no request": {act: func() {
			c, err := r.tlsDial(r.DataURL(), clientTLS("h2"))
			if err == nil {
				_ = c.Close()
			}
		}, alpn: "h2"},
		"no HTTP/2": {act: func() {
			c, err := r.tlsDial(r.DataURL(), clientTLS("h2"))
			if err == nil {
				_, _ = io.WriteString(c, request("/hooks/e", "x"))
				_, _ = io.Copy(io.Discard, c)
			}
		}, alpn: "h2", err: "does not speak HTTP/2"},
	} {
		before := len(of[*evidence.Connection](r.sofar()))
		tc.act()
		c := r.connections(before + 1)[before]
		alpn := ""
		if c.TLS != nil {
			alpn = c.TLS.ALPN
		}
		if !strings.Contains(c.Err, tc.err) || tc.err == "" && c.Err != "" || alpn != tc.alpn || c.ID == 0 || c.Remote == "" {
			t.Errorf("%s: %+v", name, c)
		}
	}
	list, next, err := r.Connections(context.Background(), 0, 3)
	if err != nil || len(list) != 3 || next == 0 {
		t.Fatalf("the first page: %d, next %d, %v", len(list), next, err)
	}
	list, next, err = r.Connections(context.Background(), next, 3)
	if err != nil || len(list) != 2 || next != 0 || list[0].Kind != evidence.KindConnection {
		t.Errorf("the last page: %d, next %d, %v", len(list), next, err)
	}
	if n := len(of[*evidence.Arrival](r.sofar())); n != 0 {
		t.Errorf("%d arrivals", n)
	}
}

// TestLocalhostMeansBothFamilies: a sender may take either address of what it is told.
func TestCloseEndsFaultsOfConnections(t *testing.T) {
	r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: true, ConnPlan: mustConnPlan(t,
		"accept-stall, accept-delay(1h), tls-stall, tls-delay(1h), throttle(1), refuse(1h)")})
	addr := strings.TrimPrefix(r.DataURL(), "https://")
	for range 5 {
		c := tls.Client(r.tcp(addr), &tls.Config{InsecureSkipVerify: true})
		go func() { _ = c.Handshake() }()
	}
	for deadline := time.After(patience); !r.IsDown(""); {
		select {
		case <-time.After(time.Millisecond):
		case <-deadline:
			t.Fatal("the listener does not go down")
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	noGoroutines(t)
	if n := len(of[*evidence.Connection](r.sofar())); n != 6 {
		t.Errorf("%d records, want one for each connection and one for the refusal", n)
	}
}
