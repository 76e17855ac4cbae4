package mockreceiver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
)

// ask sends a raw request to the control listener.
func (r *rig) ask(t *testing.T, target, token string) *http.Response {
	t.Helper()
	var d net.Dialer
	host := strings.TrimPrefix(r.ControlURL(), "http://")
	c, err := d.DialContext(context.Background(), "tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", target, host, token); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// TestPathTricks: no way of writing a path reaches anything but a route as it stands in the table, and none of it without the
// token.
func TestPathTricks(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("a", "200")
	post(t, client(t), r.DataURL()+"/hooks/a", `{"id":"1"}`)
	for _, target := range []string{
		"//v1/status", "/v1//status", "/v1/../v1/status", "/./v1/status", "/x/../v1/status", "/v1/status/", "/v1/status/.",
		"/v1%2fstatus", "/v1/%73tatus/x", "/%2e%2e/v1/status", "/..%2f..%2fetc/passwd", "/v1/attempts/..%2f..%2fetc%2fpasswd",
		"/v1/attempts/1%00", "/v1/attempts/1/body/..", "/v1/endpoints/..%2fa", "/v1/endpoints/%00", "/v1/endpoints/a%00",
		"/v1/events/a/..%2f..%2f1", "/V1/status", "/v1/status;x=1", "/v1/status%00", "/v1/attempts/%31%2f..%2f1",
	} {
		resp := r.ask(t, target, r.Token())
		b, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode/100 == 2 || resp.StatusCode/100 == 3 || strings.Contains(string(b), "root:") {
			t.Errorf("%s: got %d %s %v, want a refusal", target, resp.StatusCode, b, err)
		}
		resp = r.ask(t, target, "wrong")
		_ = resp.Body.Close()
		// What is outside of the API may be the console's to refuse.
		if resp.StatusCode != 401 && resp.StatusCode/100 != 4 {
			t.Errorf("%s with a wrong token: got %d", target, resp.StatusCode)
		}
	}
}

// TestScriptsInPayloadsAreInert: whatever shows what a stranger sent is no page, and a browser is told so.
func TestScriptsInPayloadsAreInert(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("a", "200")
	const script = `<script>fetch("/v1/endpoints")</script>`
	w := r.dial()
	body := `{"id":"` + "1" + `","type":"</script><img src=x onerror=alert(1)>","x":"` + "<script>alert(1)</script>" + `"}`
	w.send(fmt.Sprintf("POST /hooks/a?%s HTTP/1.1\r\nHost: h\r\nContent-Type: text/html\r\nX: %s\r\nContent-Length: %d\r\n\r\n%s",
		"%3Cscript%3E", script, len(body), body))
	w.answer()
	r.effects(1)
	for path, wantType := range map[string]string{
		"/v1/attempts": "application/json", "/v1/attempts/1": "application/json", "/v1/events/a/1": "application/json",
		"/v1/attempts/1/body": "application/octet-stream", "/v1/attempts/1/curl": "text/plain; charset=utf-8",
		"/v1/export?format=har": "application/json", "/v1/export?format=ndjson": "application/x-ndjson",
		"/v1/export?format=curl": "text/plain; charset=utf-8", "/v1/attempts/1/diff?with=1": "application/json",
		"/v1/nowhere/<script>": "application/json", "/v1/attempts?class=<script>": "application/json",
	} {
		resp, _ := r.raw(t, strings.ReplaceAll(path, "<script>", "%3Cscript%3E"))
		h := resp.Header
		if h.Get("Content-Type") != wantType {
			t.Errorf("%s: content type %q, want %q", path, h.Get("Content-Type"), wantType)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" ||
			!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: headers %v", path, h)
		}
	}
	resp, b := r.raw(t, "/v1/attempts/1/body")
	if string(b) != body || !strings.HasPrefix(resp.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("body: got %q %v", b, resp.Header)
	}
}

// TestEveryRouteIsProtected: reads, streams and exports too.
func TestEveryRouteIsProtected(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for _, path := range []string{
		"/v1/status", "/v1/attempts", "/v1/attempts/1", "/v1/attempts/1/body", "/v1/attempts/1/curl", "/v1/events", "/v1/events/a/b",
		"/v1/stream", "/v1/export?format=har", "/v1/wait?endpoint=a", "/v1/acceptance", "/v1/faults", "/v1/endpoints", "/v1/troubles",
		"/v1/alarms", "/metrics", "/v1/attempts?token=" + r.Token(), "/v1/status?access_token=" + r.Token(),
	} {
		for _, auth := range []string{"", "Bearer", "Bearer ", "Bearer " + r.Token() + "x", "Bearer  " + r.Token(), "Basic " + r.Token(), r.Token()} {
			if status, a := r.api("GET", path, "", "Authorization", auth); status != 401 || a["error"] == nil {
				t.Errorf("%s with %q: got %d %v, want 401", path, auth, status, a)
			}
		}
		if status, _ := r.api("GET", path, "", "Origin", "https://evil.example"); status != 403 {
			t.Errorf("%s from a foreign page: got %d, want 403", path, status)
		}
		if status, _ := r.api("OPTIONS", path, "", "Origin", "https://evil.example", "Access-Control-Request-Method", "GET"); status != 403 {
			t.Errorf("%s: a preflight of a foreign page got %d, want 403", path, status)
		}
	}
}

// TestSecondOriginAndHost sends a header twice, of which another reader could heed the other one.
func TestSecondOriginAndHost(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	base := r.ControlURL()
	host := strings.TrimPrefix(base, "http://")
	for extra, want := range map[string]string{
		"": "200", "Origin: " + base + "\r\n": "200",
		"Origin: " + base + "\r\nOrigin: https://evil.example\r\n": "403",
		"Host: evil.example\r\n":                                   "400",
	} {
		conn, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, err = fmt.Fprintf(conn, "GET /v1/status HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n%sConnection: close\r\n\r\n", host, r.Token(), extra)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 "+want) {
			t.Errorf("with %q: got %.40q and %v, want %s", extra, answer, err, want)
		}
	}
}
