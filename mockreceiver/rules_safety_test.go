package mockreceiver_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// routes are all methods and paths of the control API, with something in the place of each name.
func (r *rig) routes() (list [][2]string) {
	r.t.Helper()
	paths := []string{
		"/", "/v1", "/v1/", "/v1/status", "/v1/faults", "/v1/plans/check", "/v1/endpoints", "/v1/endpoints/e", "/v1/endpoints/e/plan", "/v1/endpoints/e/verify",
		"/v1/endpoints/e/reset", "/v1/endpoints/e/events/evt_1/plan", "/v1/attempts", "/v1/attempts/1", "/v1/attempts/1/body",
		"/v1/attempts/1/curl", "/v1/attempts/1/diff", "/v1/attempts/1/redeliver", "/v1/events", "/v1/events/e/evt_1",
		"/v1/wait", "/v1/acceptance", "/v1/inbox", "/v1/troubles", "/v1/export", "/v1/stream", "/v1/alarms", "/metrics", "/openapi.json", "/healthz",
	}
	for _, p := range paths {
		for _, m := range []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"} {
			list = append(list, [2]string{m, p})
		}
	}
	return list
}

// spoken sends lines to the control listener as they are and returns the head and the body of the answer.
func (r *rig) spoken(head string) (status string, fields, body string) {
	r.t.Helper()
	var d net.Dialer
	c, err := d.DialContext(context.Background(), "tcp", strings.TrimPrefix(r.ControlURL(), "http://"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		r.t.Fatal(err)
	}
	if _, err := io.WriteString(c, head); err != nil {
		r.t.Fatal(err)
	}
	all, err := io.ReadAll(bufio.NewReader(c))
	if err != nil {
		r.t.Fatalf("%q: %v", head, err)
	}
	fields, body, _ = strings.Cut(string(all), "\r\n\r\n")
	if len(fields) < 12 {
		r.t.Fatalf("%q: got %q", head, all)
	}
	return fields[9:12], fields, body
}

// TestRule26GuardsEveryRouteOfTheControlAPI asks for everything without what is needed for it, and on the data port. The page,
// its parts and a bare health check are for everybody and hold no data.
func TestRule26GuardsEveryRouteOfTheControlAPI(t *testing.T) {
	const secret = "canary-in-a-payload"
	r := start(t, mockreceiver.Config{})
	post(t, client(t), r.endpoint("e", "200"), `{"id":"evt_1","x":"`+secret+`"}`)
	host := strings.TrimPrefix(r.ControlURL(), "http://")
	for _, route := range r.routes() {
		method, path := route[0], route[1]
		open := path == "/" || path == "/healthz" || path == "/openapi.json"
		for name, lines := range map[string]string{
			"no token":        "Host: " + host + "\r\n",
			"wrong token":     "Host: " + host + "\r\nAuthorization: Bearer " + r.Token()[1:] + "\r\n",
			"longer token":    "Host: " + host + "\r\nAuthorization: Bearer " + r.Token() + "x\r\n",
			"token as basic":  "Host: " + host + "\r\nAuthorization: Basic " + r.Token() + "\r\n",
			"token elsewhere": "Host: " + host + "\r\nX-Token: " + r.Token() + "\r\nCookie: token=" + r.Token() + "\r\n",
			"another's page":  "Host: " + host + "\r\nOrigin: https://evil.example\r\nAuthorization: Bearer " + r.Token() + "\r\n",
			"a file's page":   "Host: " + host + "\r\nOrigin: null\r\nAuthorization: Bearer " + r.Token() + "\r\n",
			"a page's name":   "Host: evil.example\r\nAuthorization: Bearer " + r.Token() + "\r\n",
		} {
			status, fields, body := r.spoken(method + " " + path + " HTTP/1.1\r\n" + lines + "Connection: close\r\nContent-Length: 0\r\n\r\n")
			refused := status == "401" || status == "403"
			if !refused && !open {
				t.Errorf("%s %s, %s: got %s", method, path, name, status)
			}
			if strings.Contains(strings.ToLower(fields), "access-control-") {
				t.Errorf("%s %s, %s: lets pages in: %q", method, path, name, fields)
			}
			if strings.Contains(body, secret) || strings.Contains(body, r.Token()) {
				t.Errorf("%s %s, %s: tells %q", method, path, name, body)
			}
		}
		if path == "/" {
			continue // the data listener has paths of its own
		}
		w := r.dial()
		w.send(method + " " + path + " HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer " + r.Token() + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
		if got, err := w.rest(); err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 404 ") {
			t.Errorf("data listener, %s %s: got %q, %v", method, path, got, err)
		}
	}
	if ip, _, err := net.SplitHostPort(host); err != nil || !net.ParseIP(ip).IsLoopback() {
		t.Errorf("the control API listens on %s, want loopback where nothing is said", host)
	}
	if host == strings.TrimPrefix(r.DataURL(), "http://") {
		t.Error("one listener serves both")
	}
}

// tricks are names that lead elsewhere where they are taken for paths.
var tricks = []string{
	"../../../../etc/passwd", "..\\..\\..\\windows\\win.ini", "%2e%2e/%2e%2e/etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
	"..%2f..%2fetc%2fpasswd", "..%5c..%5cboot.ini", "%252e%252e%252fetc%252fpasswd", "....//....//etc/passwd", "..;/..;/etc/passwd",
	"%c0%ae%c0%ae/etc/passwd", "/etc/passwd", "//etc/passwd", "file:///etc/passwd", "a%00.js", "a%0d%0aX-Injected:%201", ".", "..", "%2e", "a/./b", "a//b", "~root", "CON", "C:\\x",
}

// TestRule27NamesNoFileAfterAnybody throws names that lead elsewhere at both listeners and at every setting that takes a name,
// and looks at which files were made, and whether any other was served.
func TestRule27NamesNoFileAfterAnybody(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", "200")
	host := strings.TrimPrefix(r.ControlURL(), "http://")
	for _, trick := range tricks {
		for _, target := range []string{"/" + trick, "/hooks/" + trick, "/hooks/e/" + trick, "/hooks/e?f=" + trick} {
			w := r.dial()
			w.send("POST " + target + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\nwebhook-id: " + trick + "\r\nContent-Length: 0\r\n\r\n")
			got, err := w.rest()
			want := map[bool]string{true: "200", false: "404"}[strings.HasPrefix(target, "/hooks/e?")]
			if err != nil || len(got) < 12 || string(got[9:12]) != want && string(got[9:12]) != "400" || strings.Contains(string(got), "\r\nLocation:") {
				t.Errorf("data, %s: got %q, %v, want %s or 400", target, got, err, want)
			}
			if strings.Contains(string(got), "\r\nX-Injected") || strings.Contains(string(got), "root:x:") {
				t.Errorf("data, %s: got %q", target, got)
			}
		}
		for _, target := range []string{
			"/" + trick, "/assets/" + trick, "/static/" + trick, "/console/" + trick, "/v1/" + trick, "/v1/endpoints/" + trick, "/v1/attempts/" + trick,
			"/v1/attempts/" + trick + "/body", "/v1/events/e/" + trick, "/v1/events/" + trick + "/x", "/v1/export?format=" + trick, "/v1/attempts?endpoint=" + trick,
		} {
			for _, lines := range []string{"", "Authorization: Bearer " + r.Token() + "\r\n"} {
				status, fields, body := r.spoken("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + lines + "\r\n")
				known := target == "/." || target == "/%2e" || strings.HasPrefix(target, "/v1/attempts?") || strings.HasPrefix(target, "/v1/events/e/") // an event of that id came
				if status == "200" && !known || status[0] == '3' || status[0] == '5' {
					t.Errorf("control, %s: got %s", target, status)
				}
				if strings.Contains(body, "root:x:") || strings.Contains(fields, "\r\nX-Injected") {
					t.Errorf("control, %s: got %q %q", target, fields, body)
				}
			}
		}
		// As the name of an endpoint, whether it is taken or not.
		_, _ = r.AddEndpoint(mockreceiver.Endpoint{Name: trick})
		if err := r.SetPlan("e", trick, mustPlan(t, "200")); err != nil {
			t.Errorf("%q as an event's id: %v", trick, err)
		}
	}
	r.until("the last outcome", func(l []evidence.Record) bool {
		return len(of[*evidence.Outcome](l)) >= len(of[*evidence.Arrival](l))
	})
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files = append(files, filepath.Base(name))
		if parts := strings.Split(name, string(filepath.Separator)); len(parts) != 2 || !strings.HasPrefix(parts[0], "hookassay-receiver-") {
			t.Errorf("file %s: want it in the receiver's own folder", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasPrefix(f, "journal.db") {
			t.Errorf("file %s: want the journal's only", f)
		}
	}
	if !slices.Contains(files, "journal.db") {
		t.Errorf("the journal is not where it was looked for: %v", files)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestRule28KeepsPayloadsInertAndSecretsOut puts what would act on a page, a terminal or a log into every part of a request that
// is shown again. The command's own lines, and the page in a browser, have tests where they are.
func TestRule28KeepsPayloadsInertAndSecretsOut(t *testing.T) {
	const hostile = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\x1b]0;owned\x07\x1b[2J\u202e\u2028"
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{Journal: path, Token: "canary-token-of-the-control-api", MaxInFlight: 4 << 10, Scheme: timeV1})
	r.AddIssuedKey("k", "canary-issued-key")
	url := r.add(mockreceiver.Endpoint{Name: "e", Verify: &mockreceiver.Verify{Scheme: timeV1, Secrets: []string{"canary-secret-of-e"}}})
	r.add(mockreceiver.Endpoint{Name: hostile, Path: "/x"})
	w := r.dial()
	w.send("POST /hooks/e?q=<script>alert(1)</script> HTTP/1.1\r\nHost: h\r\nwebhook-id: <script>alert(1)</script>\r\nContent-Type: text/html\r\n" +
		fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(hostile), hostile))
	w.answer()
	post(t, client(t), url, `{"id":"`+hostile[:40]+`","type":"<script>"}`)
	post(t, client(t), url, strings.Repeat("x", 5<<10)) // over the budget: its trouble names the endpoint
	r.until("a trouble", func(l []evidence.Record) bool { return len(of[*evidence.Trouble](l)) > 0 })
	for _, p := range []string{
		"/v1/status", "/v1/endpoints", "/v1/attempts", "/v1/attempts/1", "/v1/attempts/2", "/v1/attempts/1/body", "/v1/attempts/1/curl", "/v1/events", "/v1/troubles",
		"/v1/export?format=ndjson", "/v1/export?format=har", "/v1/export?format=curl", "/v1/attempts/1/diff?with=2", "/v1/nowhere<script>", "/metrics", "/v1/alarms",
	} {
		host := strings.TrimPrefix(r.ControlURL(), "http://")
		status, fields, body := r.spoken("GET " + p + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\nAuthorization: Bearer " + r.Token() + "\r\n\r\n")
		kind, _ := field(fields+"\r\n", "Content-Type")
		if strings.Contains(kind, "html") || strings.Contains(kind, "svg") || strings.Contains(kind, "script") || kind == "" && body != "" {
			t.Errorf("%s: comes as %q, which a browser may run", p, kind)
		}
		if sniff, _ := field(fields+"\r\n", "X-Content-Type-Options"); sniff != "nosniff" {
			t.Errorf("%s: a browser may take it for something else than %q", p, kind)
		}
		if strings.Contains(kind, "json") && strings.ContainsAny(body, "\x1b\x07") {
			t.Errorf("%s: would act on a terminal: %q", p, body)
		}
		for _, canary := range []string{"canary-token", "canary-issued", "canary-secret"} {
			if strings.Contains(fields+body, canary) {
				t.Errorf("%s: %s tells %s", p, status, canary)
			}
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	stored, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(stored), "onerror=alert") {
		t.Error("the journal does not hold the payload as it came")
	}
	for _, canary := range []string{"canary-token", "canary-issued", "canary-secret"} {
		if strings.Contains(string(stored), canary) {
			t.Errorf("the journal holds %s", canary)
		}
	}
}

// TestRule30ListensOnWhatItAnnounces asks for each family, and for both, and calls by the URL that the receiver gives.
func TestRule30ListensOnWhatItAnnounces(t *testing.T) {
	var lc net.ListenConfig
	six, err := lc.Listen(context.Background(), "tcp6", "[::1]:0")
	if err == nil {
		err = six.Close()
	}
	for addr, families := range map[string][]string{
		"":            {"127.0.0.1"},
		"127.0.0.1:0": {"127.0.0.1"},
		"localhost:0": {"localhost"},
		"[::1]:0":     {"::1"},
		"[::]:0":      {"127.0.0.1", "::1"},
		":0":          {"127.0.0.1", "::1"},
		"0.0.0.0:0":   {"127.0.0.1"},
	} {
		t.Run(addr, func(t *testing.T) {
			if err != nil && slices.Contains(families, "::1") {
				t.Skipf("this machine has no IPv6: %v", err)
			}
			r := &rig{t: t, changed: make(chan struct{})}
			receiver, err := mockreceiver.Listen(context.Background(), mockreceiver.Config{Observe: r.observe}, addr, addr)
			if err != nil {
				t.Fatal(err)
			}
			r.Receiver = receiver
			defer func() {
				if err := receiver.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			}()
			url := r.endpoint("e", "200(copies=1)")
			if status, _ := post(t, client(t), url, "x"); status != 200 {
				t.Errorf("%s: got %d", url, status)
			}
			if status, _ := r.api("GET", "/v1/status", ""); status != 200 {
				t.Errorf("%s: got %d", r.ControlURL(), status)
			}
			for _, ip := range families {
				for base, path := range map[string]string{r.DataURL(): "/hooks/e", r.ControlURL(): "/healthz"} {
					_, port, err := net.SplitHostPort(strings.TrimPrefix(base, "http://"))
					if err != nil {
						t.Fatalf("%s: %v", base, err)
					}
					req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://"+net.JoinHostPort(ip, port)+path, nil)
					if err != nil {
						t.Fatal(err)
					}
					resp, err := client(t).Do(req)
					if err != nil {
						t.Errorf("%s by %s: %v", addr, ip, err)
						continue
					}
					if err := resp.Body.Close(); err != nil || resp.StatusCode != 200 {
						t.Errorf("%s by %s: got %d, %v", path, ip, resp.StatusCode, err)
					}
				}
			}
			// Both copies, of the first and of each call, found their way back to the listener.
			r.outcomes(2 * (1 + len(families)))
			if l := of[*evidence.Trouble](r.sofar()); len(l) != 0 {
				t.Errorf("trouble: %+v", l[0])
			}
			for _, a := range of[*evidence.Arrival](r.sofar()) {
				if _, _, err := net.SplitHostPort(a.Conn.Remote); err != nil {
					t.Errorf("remote %q: %v", a.Conn.Remote, err)
				}
			}
		})
	}
}
