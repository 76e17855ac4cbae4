package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// signedArrival is a request of the usual scheme that was signed by key, a second before it came.
func signedArrival(t *testing.T, seq int64, endpoint, key string, first time.Duration) *evidence.Arrival {
	t.Helper()
	scheme, err := signature.Lookup(usualScheme)
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"id":"evt_1"}`
	at := time.Unix(1_700_000_000, 0)
	h, err := scheme.Sign(signature.Content{At: at, Body: []byte(body)}, key)
	if err != nil {
		t.Fatal(err)
	}
	head := "POST /hook HTTP/1.1\r\nHost: x\r\n" + scheme.Header() + ": " + h.Get(scheme.Header()) + "\r\n\r\n"
	return &evidence.Arrival{
		Seq: seq, Endpoint: endpoint, FirstByte: first, BodyEnd: first, Wall: at.Add(time.Second).UTC(), Head: evidence.Raw(head), Body: evidence.Raw(body),
		BodySize: int64(len(body)), Attempt: 1,
	}
}

// command runs one command line.
func command(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = execute(t.Context(), args, streams{in: strings.NewReader(""), out: &stdout, err: &stderr})
	return stdout.String() + stderr.String(), code
}

func TestDiagnoseARecordOfEvidence(t *testing.T) {
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "evidence.ndjson")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := evidence.NewWriter(f)
	first := 10 * time.Second
	for _, r := range []evidence.Record{
		&evidence.Header{Schema: evidence.Schema, Started: time.Unix(1_700_000_000, 0), Contract: string(text)},
		&evidence.Endpoint{Name: "a", URL: "http://127.0.0.1:1/a", Secrets: []evidence.Secret{
			{Value: "canary-present", From: 5 * time.Second}, {Value: "canary-past", Until: 5 * time.Second},
		}},
		&evidence.Endpoint{Name: "b", URL: "http://127.0.0.1:1/b", Secrets: []evidence.Secret{{Value: "canary-other"}}},
		signedArrival(t, 1, "a", "canary-present", first),
		signedArrival(t, 2, "a", "canary-past", first),
		signedArrival(t, 3, "a", "canary-other", first),
		signedArrival(t, 4, "a", "canary-nobodys", first),
	} {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(time.Minute, ""); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"verified by key 1", "cause: key-old", "cause: key-of-another-endpoint", "no known mistake explains it"} {
		out, code := command(t, "diagnose", "--evidence", filepath.Dir(path), "--record", strconv.Itoa(4+i))
		if !strings.Contains(out, want) || code != min(i, 1) {
			t.Errorf("record %d: exit code %d, %s; want %q", 4+i, code, out, want)
		}
		if strings.Contains(out, "canary") {
			t.Errorf("a key is shown: %s", out)
		}
	}
	if out, code := command(t, "verify", "--evidence", path, "--record", "1"); code != exitBadInput || !strings.Contains(out, "record 1 is no request") {
		t.Errorf("exit code %d, %s", code, out)
	}
}

func TestDiagnoseARequestOfAJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j, err := journal.Open(t.Context(), path, journal.Normal)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := j.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w, err := j.Writer(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	a := signedArrival(t, 1, "a", "canary-present\n", 0)
	text, err := journal.Encode(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{
		func() error { return w.Begin(t.Context()) },
		func() error { return w.Write(t.Context(), []journal.Row{{Record: a, Text: text}}) },
		func() error { return w.Commit(t.Context()) }, w.Close, j.Close,
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	out, code := command(t, "diagnose", "--journal", path, "--record", "1", "--scheme", usualScheme, "--secret", "canary-present")
	if code != exitNotVerified || !strings.Contains(out, "cause: key-line-end") {
		t.Errorf("exit code %d, %s", code, out)
	}
	out, code = command(t, "diagnose", "--journal", path, "--record", "2", "--scheme", usualScheme, "--secret", "canary-present")
	if code != exitBadInput || !strings.Contains(out, "holds no request 2") {
		t.Errorf("exit code %d, %s", code, out)
	}
}

func TestCurlCommands(t *testing.T) {
	for _, tt := range []struct{ text, method, url, body, header string }{
		{`curl -XPUT https://a/b -H'X-A:1' -d a=1 -d b=2`, "PUT", "https://a/b", "a=1&b=2", "X-A: 1"},
		{`curl --url=https://a --request POST --data-raw '@x'`, "POST", "https://a", "@x", ""},
		{`curl "https://a?q=\"\\" -H "X-A;" --compressed`, "GET", `https://a?q="\`, "", "X-A: "},
		{`curl https://a --data-binary $'a\'\\\n\x41\101\u00e9'`, "POST", "https://a", "a'\\\nAAé", ""},
		{"curl \\\r\n  https://a # that is all", "GET", "https://a", "", ""},
		{`curl https://a -H 'Accept:'`, "GET", "https://a", "", ""},
	} {
		src, err := curlSource([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		r := src.req
		if r.Method != tt.method || r.URL != tt.url || string(r.Body) != tt.body {
			t.Errorf("%s: got %s %s %q", tt.text, r.Method, r.URL, r.Body)
		}
		told := func(f [2]string) bool { return f[0]+": "+f[1] == tt.header }
		if tt.header != "" && !slices.ContainsFunc(r.Fields, told) {
			t.Errorf("%s: got %v", tt.text, r.Fields)
		}
	}
	for _, bad := range []string{
		"", "wget x", "curl 'x", `curl "x`, "curl $'x", "curl x; rm y", "curl x > y", "curl `id`", `curl "$(id)"`, "curl x -H", "curl -F a=b x", "curl -d @- x",
	} {
		if _, err := curlSource([]byte(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

// FuzzShellWords quotes any two texts in single quotes and wants them back, and reads any text without a panic.
func FuzzShellWords(f *testing.F) {
	f.Add(`curl -d '{"a":1}'`, `x`)
	f.Add("$'\\x4", "\\")
	f.Fuzz(func(t *testing.T, a, b string) {
		_, _ = curlSource([]byte(a))
		_, _ = harSource([]byte(a), 1)
		quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
		words, err := shellWords(quote(a) + " \\\n" + quote(b))
		if err != nil || !slices.Equal(words, []string{a, b}) {
			t.Errorf("%q and %q became %q (%v)", a, b, words, err)
		}
	})
}

func TestSignedHeadersVerify(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(body, []byte("{}\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"github", "stripe", "svix", "slack", "square", "twitch-eventsub", "rfc9421-webhook"} {
		s, err := signature.Lookup(id)
		if err != nil {
			t.Fatal(err)
		}
		key, err := s.Secret(bytes.Repeat([]byte{7}, 32))
		if err != nil {
			t.Fatal(err)
		}
		common := []string{"--scheme", id, "--secret", key, "--body", body, "--url", "https://example.com/hook", "--method", http.MethodPost}
		out, code := command(t, append([]string{"sign", "--id", "evt_1"}, common...)...)
		if code != 0 {
			t.Errorf("%s: exit code %d, %s", id, code, out)
			continue
		}
		args := append([]string{"verify"}, common...)
		for line := range strings.Lines(out) {
			args = append(args, "--header", strings.TrimSpace(line))
		}
		if again, code := command(t, args...); code != 0 {
			t.Errorf("%s: exit code %d, %s of %s", id, code, again, fmt.Sprintf("%q", out))
		}
	}
}

// TestDiagnosisShowsNoKeyThatABodyHolds is about a sender that sends its key along.
func TestDiagnosisShowsNoKeyThatABodyHolds(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(body, []byte(`{"key":"canary-in-the-body"}`+strings.Repeat(" ", 2025)+"canary-in-the-body"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, code := command(t, "diagnose", "--scheme", "github", "--secret", "canary-in-the-body", "--body", body,
		"--header", "X-Hub-Signature-256: sha256="+strings.Repeat("00", 32))
	if code != exitNotVerified || !strings.Contains(out, "[secret]") || strings.Contains(out, "canary") {
		t.Errorf("exit code %d, %s", code, out)
	}
}
