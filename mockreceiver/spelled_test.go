package mockreceiver_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// answered sends one request to a plan and returns the answer's first line, its fields and its body as they were on the wire, and
// wants the evidence to say the same.
func answered(t *testing.T, plan string) (line string, head evidence.Head, body string) {
	t.Helper()
	r := start(t, mockreceiver.Config{})
	r.endpoint("e", plan)
	w := r.dial()
	w.send("POST /hooks/e HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx")
	raw, err := w.rest()
	if err != nil {
		t.Fatalf("%s: %v", plan, err)
	}
	top, body, ok := strings.Cut(string(raw), "\r\n\r\n")
	if !ok {
		t.Fatalf("%s: got %q", plan, raw)
	}
	head, err = evidence.ParseHead(evidence.Raw(top + "\r\n\r\n"))
	if err != nil {
		t.Fatalf("%s: %v", plan, err)
	}
	line, _, _ = strings.Cut(top, "\r\n")
	o := r.outcomes(1)[0]
	if fmt.Sprint(o.Status) != head.Target || fmt.Sprint(o.Header) != fmt.Sprint(head.Fields) || string(o.Body) != body {
		t.Errorf("%s: the evidence says %d %v %q, the wire %s %v %q", plan, o.Status, o.Header, o.Body, line, head.Fields, body)
	}
	return line, head, body
}

// TestAnyStatus covers the registered ones and such as are in no class.
func TestAnyStatus(t *testing.T) {
	for _, status := range []int{200, 201, 202, 204, 205, 206, 226, 299, 300, 304, 399, 400, 401, 403, 404, 405, 408, 410, 413, 418, 422, 425, 429, 499, 500, 502, 503, 504, 511, 599, 600, 999} {
		line, head, body := answered(t, fmt.Sprint(status))
		if want := fmt.Sprintf("HTTP/1.1 %d ", status); !strings.HasPrefix(line, want) || body != "" {
			t.Errorf("%d: got %q and body %q", status, line, body)
		}
		if length := head.Get("Content-Length"); (status == 204 || status == 304) != (length == "") {
			t.Errorf("%d: Content-Length %q", status, length)
		}
	}
}

// TestRetryAfterGoodAndBad reads the header as sent.
func TestRetryAfterGoodAndBad(t *testing.T) {
	for plan, want := range map[string]string{
		"429(retry-after=2)":                              "2",
		"503(retry-after=0)":                              "0",
		`503(retry-after="-5")`:                           "-5",
		`503(retry-after="soon")`:                         "soon",
		`503(retry-after="1e3")`:                          "1e3",
		`503(retry-after="1.5")`:                          "1.5",
		"503(retry-after=315360000)":                      "315360000", // ten years
		`503(header="Retry-After: ")`:                     "",
		`200(retry-after=3)`:                              "3",
		`redirect(to="/x", retry-after=4)`:                "4",
		"503(retry-after=123456789012345678901234567890)": "123456789012345678901234567890",
	} {
		_, head, _ := answered(t, plan)
		if got := head.Get("Retry-After"); got != want {
			t.Errorf("%s: got %q, want %q", plan, got, want)
		}
	}
	for plan, in := range map[string]time.Duration{"503(retry-after=date+3s)": 3 * time.Second, "503(retry-after=date-1h)": -time.Hour} {
		_, head, _ := answered(t, plan)
		at, err := http.ParseTime(head.Get("Retry-After"))
		if err != nil {
			t.Fatalf("%s: %v", plan, err)
		}
		// The other way round than the time of the answer, which a busy machine makes late.
		date, err := http.ParseTime(head.Get("Date"))
		if err != nil {
			t.Fatal(err)
		}
		if off := at.Sub(date) - in; off.Abs() > patience {
			t.Errorf("%s: %s, answered on %s", plan, at, date)
		}
	}
	_, head, _ := answered(t, `429(retry-after=2, header="Retry-After: 30")`)
	var both []string
	for _, f := range head.Fields {
		if f[0] == "Retry-After" {
			both = append(both, f[1])
		}
	}
	if fmt.Sprint(both) != "[2 30]" {
		t.Errorf("two of them: %v", both)
	}
}

// TestAnyBody covers types, encodings that lie, and bytes that are no text.
func TestAnyBody(t *testing.T) {
	for plan, want := range map[string][2]string{
		"200":            {"", ""},
		`200(body="ok")`: {"text/plain; charset=utf-8", "ok"},
		`500(body="<h1>oops</h1><script>alert(1)</script>", header="Content-Type: text/html")`:  {"text/html", "<h1>oops</h1><script>alert(1)</script>"},
		`200(body="{\"ok\":", header="Content-Type: application/json")`:                         {"application/json", `{"ok":`},
		`200(body="plain", header="Content-Type: text/plain", header="Content-Encoding: gzip")`: {"text/plain", "plain"},
		`200(body="\x00\xff\xfe", header="Content-Type: image/png")`:                            {"image/png", "\x00\xff\xfe"},
	} {
		_, head, body := answered(t, plan)
		if got := [2]string{head.Get("Content-Type"), body}; got != want {
			t.Errorf("%s: got %q, want %q", plan, got, want)
		}
	}
}

// TestAnyHeader is not put right by anybody.
func TestAnyHeader(t *testing.T) {
	_, head, _ := answered(t, `200(header="X-Odd: a  b", header="Set-Cookie: a=1", header="Set-Cookie: b=2", header="Server: ä", header="X-Empty: ")`)
	for name, want := range map[string]string{"X-Odd": "a  b", "Set-Cookie": "a=1", "Server": "ä", "X-Empty": ""} {
		if got := head.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// TestRedirectsToAnywhere has a path, another port, another host and another scheme as targets.
func TestRedirectsToAnywhere(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{"/elsewhere?a=b", "http://127.0.0.1:1/x", "https://internal.example/", "//other.example/x", "http://[::1]:9/"} {
			line, head, _ := answered(t, fmt.Sprintf("redirect(to=%q, status=%d)", to, status))
			if !strings.HasPrefix(line, fmt.Sprintf("HTTP/1.1 %d ", status)) || head.Get("Location") != to {
				t.Errorf("%d to %s: got %q with Location %q", status, to, line, head.Get("Location"))
			}
		}
	}
}

// TestAnotherAnswerAfterTheFirstSuccess is one that most receivers of this kind cannot give.
func TestAnotherAnswerAfterTheFirstSuccess(t *testing.T) {
	r := start(t, mockreceiver.Config{})
	url, c := r.endpoint("e", "200, 410"), client(t)
	for i, want := range []int{200, 410, 410, 410} {
		if got, _ := post(t, c, url, `{"id":"1"}`); got != want {
			t.Errorf("request %d: got %d, want %d", i+1, got, want)
		}
	}
	if got, _ := post(t, c, url, `{"id":"2"}`); got != 200 {
		t.Errorf("another event: got %d, want 200", got)
	}
}
