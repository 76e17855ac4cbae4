package mockreceiver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// raw calls the control API and returns the answer as it is.
func (r *rig) raw(t *testing.T, path string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, r.ControlURL()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+r.Token())
	resp, err := client(t).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, b
}

// hostile are requests whose parts would do harm in a shell, in curl or on a terminal if any of them were more than data. OUT is a
// file that none of them may make.
func hostile(out string) []string {
	touch := "$(touch " + out + ")`touch " + out + "`"
	body := func(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }
	return []string{
		"POST /hooks/a HTTP/1.1\r\nHost: h\r\n" + body("plain"),
		"POST /hooks/a?q=" + touch[:0] + "'%27&x=[1-3]{a,b} HTTP/1.1\r\nHost: h\r\n" + body("'; touch "+out+"; '"),
		"POST /hooks/a HTTP/1.1\r\nHost: h\r\nX-A: " + touch + "\r\nX-B: '\"; touch " + out + " #\r\n" + body(touch),
		"POST /hooks/a HTTP/1.1\r\nHost: h\r\nX-Empty:\r\nX-At: @/etc/passwd\r\nX-Bytes: \x80\xff\r\n" + body("@/etc/passwd"),
		"POST /hooks/a HTTP/1.1\r\nHost: h\r\n" + body("\x1b]0;title\x07\x1b[31m\r\n\\n 'x\u202e"),
		"POST /hooks/a HTTP/1.1\r\nHost: h\r\nContent-Type: a/b; c='d'\r\n" + body("\x00\xff\xfe"+strings.Repeat("'\n", 200)),
		"POST /hooks/a HTTP/1.1\r\nHost: h\r\n" + body(strings.Repeat("long ", 20_000)+"'"),
		"POST /hooks/a HTTP/1.1\r\nHost: h\r\n" + body("-d @/etc/passwd"),
		"POST /hooks/a HTTP/1.1\r\nHost: h\r\n" + body(""),
		"GET /hooks/a HTTP/1.1\r\nHost: h\r\nUser-Agent: -o " + out + "\r\n\r\n",
		"DELETE /hooks/a HTTP/1.1\r\nHost: h\r\nAccept: */*\r\n\r\n",
		"P'$(touch) /hooks/a HTTP/1.1\r\nHost: h\r\n\r\n", // refused: no method
		"POST /hooks/a#frag HTTP/1.1\r\nHost: h\r\n" + body("x"),
		"POST /hooks/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na'b\r\n2\r\n\n\n\r\n0\r\n\r\n",
	}
}

// TestCurlScriptRepeatsRequests runs an exported script with bash and looks at what arrives: the same method, target, fields and
// body, and nothing that a stranger's bytes could have done.
func TestCurlScriptRepeatsRequests(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "base64"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: %v", tool, err)
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	r := start(t, mockreceiver.Config{})
	r.endpoint("a", "200")
	list := hostile(out)
	for _, text := range list {
		w := r.dial()
		w.send(text)
		w.answer()
		_ = w.Close()
	}
	r.outcomes(len(list))
	first, err := r.Attempts(context.Background(), journal.Query{Endpoint: "a", Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	_, script := r.raw(t, "/v1/export?format=curl&endpoint=a")
	if !bytes.HasSuffix(script, []byte("\n# end: "+fmt.Sprint(len(first))+" attempts\n")) {
		t.Errorf("the script has no end: %.200q", script[max(0, len(script)-200):])
	}
	for i, c := range script {
		if c != '\n' && (c < ' ' || c > '~') {
			t.Fatalf("the script holds byte %#x at %d, which may act on a terminal", c, i)
		}
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-u")
	cmd.Stdin = bytes.NewReader(script)
	cmd.Dir = t.TempDir()
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	all, err := r.Attempts(context.Background(), journal.Query{Endpoint: "a", After: first[len(first)-1].Seq, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sent(t, first), sent(t, all)); d != "" {
		t.Errorf("%s\n%s", d, said)
	}
	if files, _ := filepath.Glob(out + "*"); files != nil {
		t.Errorf("the script made %v", files)
	}
	if files, _ := filepath.Glob(filepath.Join(cmd.Dir, "*")); files != nil {
		t.Errorf("the script made %v", files)
	}
}

// sent is what a sender sent, without what each HTTP client makes itself.
func sent(t *testing.T, list []journal.Attempt) (out []string) {
	t.Helper()
	for _, a := range list {
		h, err := evidence.ParseHead(a.Head)
		if err != nil {
			t.Fatal(err)
		}
		if !a.Handled() {
			continue // it was no HTTP, which the script says
		}
		text := fmt.Sprintf("%s %s", h.Method, h.Target)
		for _, f := range h.Fields {
			switch strings.ToLower(f[0]) {
			case "content-length", "transfer-encoding":
			default:
				text += fmt.Sprintf("\n%s: %s", f[0], f[1])
			}
		}
		out = append(out, text+"\n\n"+string(a.Body))
	}
	return out
}

func TestExportNDJSON(t *testing.T) {
	dir := t.TempDir()
	cfg := mockreceiver.Config{Journal: filepath.Join(dir, "j.db"), Contract: "name: x\n", Version: "v0"}
	r := start(t, cfg)
	url := r.endpoint("a", "502, 200")
	post(t, client(t), url, `{"id":"1"}`)
	post(t, client(t), url, `{"id":"1"}`)
	r.effects(1)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r = start(t, cfg) // a second run, whose offsets begin anew
	url = r.endpoint("a", "200")
	post(t, client(t), url, `{"id":"2"}`)
	r.effects(1)
	resp, b := r.raw(t, "/v1/export?format=ndjson")
	if got := resp.Header.Get("Content-Type"); got != "application/x-ndjson" {
		t.Errorf("content type %q", got)
	}
	run, err := evidence.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	if !run.Complete() || run.Header.Contract != "name: x\n" || len(run.Attempts) != 3 || len(run.Effects) != 2 || len(run.Endpoints) != 1 {
		t.Errorf("got %+v", run)
	}
	for i, a := range run.Attempts {
		if a.Outcome == nil {
			t.Fatalf("attempt %d has no outcome", i+1)
		}
		if i > 0 && a.FirstByte <= run.Attempts[i-1].Outcome.ReplyStart {
			t.Errorf("attempt %d at %s is not after the answer to the one before at %s", i+1, a.FirstByte, run.Attempts[i-1].Outcome.ReplyStart)
		}
	}
	_, b = r.raw(t, "/v1/export?format=ndjson&status=502")
	if run, err = evidence.Read(bytes.NewReader(b)); err != nil || len(run.Attempts) != 1 {
		t.Errorf("filtered: %v %+v", err, run)
	}
}

func TestExportKeepsNoSecret(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	_, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "a", Verify: &mockreceiver.Verify{Scheme: "standard-webhooks-v1", Secrets: []string{secret}}})
	if err != nil {
		t.Fatal(err)
	}
	post(t, client(t), r.DataURL()+"/hooks/a", `{"id":"1"}`)
	r.outcomes(1)
	for _, path := range []string{
		"/v1/export?format=ndjson", "/v1/export?format=har", "/v1/export?format=curl", "/v1/attempts/1", "/v1/attempts",
		"/v1/endpoints", "/v1/endpoints/a", "/v1/events/a/1",
	} {
		_, b := r.raw(t, path)
		for _, form := range evidence.Forms(secret) {
			if bytes.Contains(b, []byte(form)) {
				t.Errorf("%s shows the secret", path)
			}
		}
	}
}

func TestExportHAR(t *testing.T) {
	r := start(t, mockreceiver.Config{Version: `v"1`})
	url := r.endpoint("a", `302(header="Location: /x"), reset, 200(body="{}", header="Content-Type: application/json")`)
	c := client(t)
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	post := func(body string) { _, _, _ = try(c, url+"?b=2&a=1&a=%27", body) }
	post("{\"id\":\"1\",\"x\":\"<\xff\"}")
	post(`{"id":"1"}`)
	post(`{"id":"1"}`)
	r.outcomes(3)
	var har struct {
		Log struct {
			Version string
			Creator struct{ Name, Version string }
			Entries []struct {
				Request struct {
					Method, URL string
					QueryString []struct{ Name, Value string }
					PostData    struct {
						Text     string
						Encoding string `json:"_encoding"`
					}
				}
				Response struct {
					Status      int
					RedirectURL string
					Content     struct{ Text, MimeType string }
				}
				Time float64
				End  string `json:"_end"`
			}
		}
	}
	_, b := r.raw(t, "/v1/export?format=har")
	if err := json.Unmarshal(b, &har); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	l := har.Log
	if l.Version != "1.2" || l.Creator.Version != `v"1` || len(l.Entries) != 3 {
		t.Fatalf("got %+v", l)
	}
	first, second, third := l.Entries[0], l.Entries[1], l.Entries[2]
	if first.Request.URL != url+"?b=2&a=1&a=%27" || len(first.Request.QueryString) != 3 || first.Request.PostData.Encoding != "base64" ||
		first.Response.Status != 302 || first.Response.RedirectURL != "/x" {
		t.Errorf("first: %+v", first)
	}
	if second.Response.Status != 0 || second.End != "reset" || second.Request.PostData.Text != `{"id":"1"}` {
		t.Errorf("second: %+v", second)
	}
	if third.Response.Status != 200 || third.Response.Content.Text != "{}" || third.Response.Content.MimeType != "application/json" || third.Time <= 0 {
		t.Errorf("third: %+v", third)
	}
	_, b = r.raw(t, "/v1/export?format=har&since=0s")
	if err := json.Unmarshal(b, &har); err != nil {
		t.Errorf("an empty archive: %v in %s", err, b)
	}
}

func TestExportRefuses(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	for path, want := range map[string]string{
		"/v1/export": "ndjson, har or curl", "/v1/export?format=xml": "ndjson, har or curl",
		"/v1/export?format=har&class=odd": "class", "/v1/export?format=har&frob=1": "frob",
	} {
		if status, a := r.api("GET", path, ""); status != 400 || !strings.Contains(fmt.Sprint(a["error"]), want) {
			t.Errorf("%s: got %d %v", path, status, a)
		}
	}
}
