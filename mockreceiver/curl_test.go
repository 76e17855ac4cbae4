package mockreceiver_test

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// shell runs a command in bash, in a directory of its own.
func shell(t *testing.T, command []byte) string {
	t.Helper()
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: %v", tool, err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-u")
	cmd.Stdin, cmd.Dir = bytes.NewReader(command), t.TempDir()
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, said, command)
	}
	return string(said)
}

// TestCurlOverTLS repeats requests of both versions of HTTP at a listener with a certificate that only the receiver's authority
// vouches for.
func TestCurlOverTLS(t *testing.T) {
	r := start(t, mockreceiver.Config{TLS: &mockreceiver.TLS{}, HTTP2: true})
	url := r.endpoint("a", "200")
	for _, version := range []string{"http1.1", "http2"} {
		shell(t, []byte("curl -sS --"+version+" --cacert <(printf %s '"+string(r.CA())+"') -d '{\"id\":\"evt "+version+"\"}' "+url))
	}
	r.outcomes(2)
	for _, path := range []string{"/v1/attempts/1/curl", "/v1/attempts/2/curl"} {
		_, command := r.raw(t, path)
		if said := shell(t, command); !strings.Contains(said, " 200") {
			t.Errorf("%s: %s", path, said)
		}
	}
	_, script := r.raw(t, "/v1/export?format=curl")
	said := shell(t, script)
	if want := "event \"evt http1.1\", attempt 1 at endpoint \"a\": 200\nevent \"evt http2\", attempt 1 at endpoint \"a\": 200\n"; !strings.HasPrefix(said, want) {
		t.Errorf("the script says %q, want it to begin with %q", said, want)
	}
	list, err := r.Attempts(context.Background(), journal.Query{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		want := map[string]string{"evt http1.1": "HTTP/1.1", "evt http2": "HTTP/2.0"}[a.Key]
		if a.Conn.Proto != want || a.Outcome != nil && a.Outcome.Status != 200 {
			t.Errorf("request %d of %s: %s, want %s and 200", a.Seq, a.Key, a.Conn.Proto, want)
		}
	}
	if len(list) != 8 {
		t.Errorf("%d requests, want two, one copy of each by hand and the script's four", len(list))
	}
}

// TestCurlScriptLeavesOwnCopiesOut exports an event that was sent once and delivered again by hand.
func TestCurlScriptLeavesOwnCopiesOut(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	r.endpoint("a", "200")
	w := r.dial()
	w.send("POST /hooks/a HTTP/1.1\r\nHost: h\r\nwebhook-id: evt_1\r\nContent-Length: 2\r\n\r\n{}")
	w.answer()
	_ = w.Close()
	r.outcomes(1)
	if _, err := r.Redeliver(t.Context(), 1, "the worker was down"); err != nil {
		t.Fatal(err)
	}
	r.outcomes(2)
	_, script := r.raw(t, "/v1/export?format=curl")
	text := string(script)
	if n := strings.Count(text, "curl -g"); n != 1 {
		t.Errorf("%d commands, want one:\n%s", n, text)
	}
	for _, want := range []string{`# event "evt_1", attempt 1 at endpoint "a", `, "\n# end: 1 attempts, and 1 of the receiver's own copies left out\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the script lacks %q:\n%s", want, text)
		}
	}
}
