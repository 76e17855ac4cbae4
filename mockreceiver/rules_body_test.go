package mockreceiver_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func TestRule10CapsTheBodyAndRecordsWhatIsOver(t *testing.T) {
	r := start(t, mockreceiver.Config{MaxBody: 1000})
	url := r.endpoint("e", "200")
	if status, _ := post(t, client(t), url, strings.Repeat("x", 1000)); status != 200 {
		t.Errorf("at the limit: got %d, want 200", status)
	}
	if status, _ := post(t, client(t), url, strings.Repeat("x", 1001)); status != 413 {
		t.Errorf("over the limit: got %d, want 413", status)
	}
	a := r.arrivals(2)[1]
	if len(a.Body) != 1000 || a.BodySize != 1001 || a.BodyEnd != 0 || a.Attempt != 1 {
		t.Errorf("arrival: %d bytes kept of %d, %+v", len(a.Body), a.BodySize, a)
	}
	// 25 MB is the largest payload that a provider documents (GitHub): without a setting it must pass.
	large := start(t, mockreceiver.Config{})
	if status, _ := post(t, client(t), large.endpoint("e", "200"), strings.Repeat("x", 25<<20)); status != 200 {
		t.Errorf("25 MiB without a setting: got %d, want 200", status)
	}
}

func TestRule13BoundsTheBytesOfAllBodiesTogether(t *testing.T) {
	r := start(t, mockreceiver.Config{MaxInFlight: 1000})
	r.endpoint("slow", "timeout")
	url := r.endpoint("e", "200")
	w := r.dial()
	w.send(request("/hooks/slow", strings.Repeat("x", 900)))
	r.arrivals(1)
	if status, _ := post(t, client(t), url, strings.Repeat("x", 200)); status != 503 {
		t.Errorf("got %d, want 503", status)
	}
	if a := r.arrivals(2)[1]; !strings.Contains(a.BodyErr, "budget") {
		t.Errorf("arrival: %+v", a)
	}
	r.until("a trouble", func(l []evidence.Record) bool { return len(of[*evidence.Trouble](l)) == 1 })
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r.outcomes(2)
	r.until("the budget to be free again", func([]evidence.Record) bool {
		status, _ := post(t, client(t), url, strings.Repeat("x", 200))
		return status == 200
	})
}

// TestRule15RecordsAbortedRequests has clients that go away at each phase of a request, in order and with a reset.
func TestRule15RecordsAbortedRequests(t *testing.T) {
	const head = "POST /hooks/e HTTP/1.1\r\nHost: h\r\n"
	for name, tc := range map[string]struct{ sent, body string }{
		"in the head":             {head + "X-Half: ye", ""},
		"before the body":         {head + "Content-Length: 100\r\n\r\n", ""},
		"in the body":             {head + "Content-Length: 100\r\n\r\nhalf", "half"},
		"in a chunk":              {head + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n10\r\nqu", "halfqu"},
		"before the last chunk":   {head + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "half"},
		"in the trailers":         {head + "Transfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n4\r\nhalf\r\n0\r\nX-T", "half"},
		"one byte from the limit": {head + "Content-Length: 1001\r\n\r\n" + strings.Repeat("x", 1000), strings.Repeat("x", 1000)},
	} {
		for _, reset := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, reset %v", name, reset), func(t *testing.T) {
				r := start(t, mockreceiver.Config{MaxBody: 1000})
				r.endpoint("e", "200")
				w := r.dial()
				w.send(tc.sent)
				if reset {
					// Bytes that were not read yet die with a reset: the evidence is of what was seen.
					r.swallowed(w, tc.sent)
					if err := w.Conn.(*net.TCPConn).SetLinger(0); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				a, o := r.arrivals(1)[0], r.outcomes(1)[0]
				if string(a.Body) != tc.body || a.BodySize != int64(len(tc.body)) || a.BodyErr == "" || a.BodyEnd != 0 {
					t.Errorf("arrival: %+v", a)
				}
				if !strings.HasPrefix(tc.sent, string(a.Head)) || len(a.Head) == 0 {
					t.Errorf("head: %q", a.Head)
				}
				if o.End != evidence.EndPeerGone || o.Closed == 0 || o.Status == http.StatusRequestEntityTooLarge {
					t.Errorf("outcome: %+v", o)
				}
				if l := of[*evidence.Trouble](r.sofar()); len(l) != 0 {
					t.Errorf("an abort is the peer's doing and no trouble of ours: %+v", l[0])
				}
			})
		}
	}
}

// swallowed waits until the receiver's end of a connection has read so many bytes, as the kernel of this machine tells.
func (r *rig) swallowed(w *wire, sent string) {
	r.t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for unread(r.t, w.RemoteAddr(), w.LocalAddr()) != 0 {
		select {
		case <-tick.C:
		case <-deadline:
			r.t.Fatalf("%d bytes were never read", len(sent))
		}
	}
}

// careless faults are those of authors who forgot something.
type careless struct {
	fault.Fault
	act func()
}

func (c careless) Act(fault.Exchange) { c.act() }
func (careless) Kind() string         { return "careless" }
func (careless) String() string       { return "careless" }

// TestRule16AnswersEveryRequest wants the planned answer to any payload, and an end where a fault forgets to make one.
func TestRule16AnswersEveryRequest(t *testing.T) {
	t.Run("whatever the payload", func(t *testing.T) {
		r := start(t, mockreceiver.Config{})
		url, c := r.endpoint("e", "202"), client(t)
		for name, body := range map[string]string{
			"empty":             "",
			"NUL":               "\x00",
			"no UTF-8":          "\xff\xfe\x80",
			"byte order mark":   "\ufeff{\"id\":\"1\"}",
			"half JSON":         `{"id":"`,
			"JSON and more":     `{"id":"1"} {"id":"2"}`,
			"deep":              strings.Repeat("[", 1<<20),
			"deep under a name": `{"a":` + strings.Repeat(`{"a":`, 1<<18),
			"huge number":       `{"id":1e400,"n":` + strings.Repeat("9", 1<<16) + `}`,
			"lone surrogate":    `{"id":"\ud800"}`,
			"long id":           `{"id":"` + strings.Repeat("x", 1<<20) + `"}`,
			"many names":        `{` + strings.Repeat(`"a":1,`, 1<<16) + `"a":1}`,
			"gzip":              "\x1f\x8b\x08\x00\x00\x00\x00\x00",
			"a request":         request("/hooks/e", "x"),
		} {
			if got, _ := post(t, c, url, body); got != 202 {
				t.Errorf("%s: got %d, want 202", name, got)
			}
		}
		if l := of[*evidence.Trouble](r.sofar()); len(l) != 0 {
			t.Errorf("trouble: %+v", l[0])
		}
	})
	for name, act := range map[string]func(){
		"a fault that does nothing": func() {},
		"a fault that panics":       func() { panic("careless") },
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, mockreceiver.Config{})
			if _, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "e", Scenario: "s", Plan: fault.Of(careless{act: act})}); err != nil {
				t.Fatal(err)
			}
			w := r.dial()
			w.send(request("/hooks/e", "x"))
			got, err := w.rest()
			if err != nil || len(got) > 0 && !strings.HasPrefix(string(got), "HTTP/1.1 500 ") {
				t.Errorf("got %q and %v, want an end", got, err)
			}
			says := map[bool]string{true: "careless at ", false: "left its request without an end"}[len(got) > 0]
			r.until("a trouble", func(l []evidence.Record) bool {
				list := of[*evidence.Trouble](l)
				return len(list) == 1 && list[0].Scenario == "s" && strings.Contains(list[0].What, says)
			})
			if o := r.outcomes(1)[0]; (o.Status == 500) != (len(got) > 0) || o.End == "" {
				t.Errorf("outcome: %+v", o)
			}
		})
	}
}

// TestRule22SaysContinueOnlyWhereTheBodyIsRead looks at the first line that a peer gets which waits to be told to go on.
func TestRule22SaysContinueOnlyWhereTheBodyIsRead(t *testing.T) {
	const fields = "Host: h\r\nContent-Length: 4\r\n"
	for name, tc := range map[string]struct {
		plan, head string
		lines      []string
		kept       bool
	}{
		"read":            {"200", "POST /hooks/e HTTP/1.1\r\n" + fields + "Expect: 100-continue\r\n\r\n", []string{"100", "200"}, true},
		"any case":        {"503", "POST /hooks/e HTTP/1.1\r\n" + fields + "expect: 100-Continue\r\n\r\n", []string{"100", "503"}, true},
		"no endpoint":     {"200", "POST /nowhere HTTP/1.1\r\n" + fields + "Expect: 100-continue\r\n\r\n", []string{"100", "404"}, true},
		"left unread":     {"early(status=503)", "POST /hooks/e HTTP/1.1\r\n" + fields + "Expect: 100-continue\r\n\r\n", []string{"503"}, false},
		"two framings":    {"200", "POST /hooks/e HTTP/1.1\r\n" + fields + "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n", []string{"400"}, false},
		"another wish":    {"200", "POST /hooks/e HTTP/1.1\r\n" + fields + "Expect: 200-ok\r\n\r\n", []string{"417"}, false},
		"of the old days": {"200", "POST /hooks/e HTTP/1.0\r\n" + fields + "Expect: 100-continue\r\n\r\nbody", []string{"200"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// A request that expects what nobody knows is net/http's own affair: only the limits end it.
			const limit = 2 * time.Second // for its head and its body; a busy machine has sent all by then
			r := start(t, mockreceiver.Config{HeaderTimeout: limit, BodyTimeout: limit})
			r.endpoint("e", tc.plan)
			w := r.dial()
			w.send(tc.head)
			var last int
			for _, want := range tc.lines {
				status, _ := w.answer()
				if last = status; fmt.Sprint(status) != want {
					t.Fatalf("got %d, want %s", status, want)
				}
				if status == http.StatusContinue {
					w.send("body")
				}
			}
			if tc.kept {
				w.send(request("/hooks/e", "x"))
				if status, _ := w.answer(); status == 0 {
					t.Error("the connection is of no more use")
				}
			} else if got, err := w.rest(); err != nil || len(got) != 0 {
				t.Errorf("after a final answer came %q and %v, want an orderly end", got, err)
			}
			if o := r.outcomes(1)[0]; o.Status != last {
				t.Errorf("outcome: %+v, want status %d", o, last)
			}
		})
	}
}

// TestRule23NeverMakesRequestsOfLeftoverBytes sends requests that two readers would cut in different places, each with
// something in it or behind it that must not come out as a request of its own.
func TestRule23NeverMakesRequestsOfLeftoverBytes(t *testing.T) {
	const (
		evil = "GET /hooks/evil HTTP/1.1\r\nHost: h\r\n\r\n"
		head = "POST /hooks/e HTTP/1.1\r\nHost: h\r\n"
		te   = "Transfer-Encoding: chunked\r\n"
	)
	for name, tc := range map[string]struct {
		sent   string
		status string
	}{
		"both framings, length first":      {head + "Content-Length: 6\r\n" + te + "\r\n0\r\n\r\n" + evil, "400"},
		"both framings, chunks first":      {head + te + "Content-Length: 4\r\n\r\n" + "25\r\n" + evil + "\r\n0\r\n\r\n", "400"},
		"two lengths":                      {head + "Content-Length: 0\r\nContent-Length: 37\r\n\r\n" + evil, "400"},
		"a list of lengths":                {head + "Content-Length: 0, 38\r\n\r\n" + evil, "400"},
		"space before the length's colon":  {head + "Content-Length : 38\r\n\r\n" + evil, "400"},
		"space before the coding's colon":  {head + "Content-Length: 0\r\nTransfer-Encoding : chunked\r\n\r\n" + evil, "400"},
		"tab before the coding's colon":    {head + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n" + evil, "400"},
		"length with a sign":               {head + "Content-Length: +0\r\n\r\n" + evil, "400"},
		"negative length":                  {head + "Content-Length: -1\r\n\r\n" + evil, "400"},
		"length in hex":                    {head + "Content-Length: 0x26\r\n\r\n" + evil, "400"},
		"length over 64 bits":              {head + "Content-Length: 18446744073709551616\r\n\r\n" + evil, "400"},
		"empty length":                     {head + "Content-Length:\r\n\r\n" + evil, "400"},
		"folded length":                    {head + "Content-Length:\r\n 4\r\n\r\nbody" + evil, "200"},
		"folded coding":                    {head + "Transfer-Encoding:\r\n chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n" + evil, "200"},
		"folded coding and a length":       {head + "Content-Length: 4\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + evil, "400"},
		"two codings":                      {head + te + te + "\r\n0\r\n\r\n" + evil, "501"},
		"a list of codings":                {head + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + evil, "501"},
		"a coding of another name":         {head + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + evil, "501"},
		"a coding behind a vertical tab":   {head + "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + evil, "400"},
		"a coding in old HTTP":             {"POST /hooks/e HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\n" + te + "\r\n0\r\n\r\n" + evil, "200"},
		"a line end within a field":        {head + "X: a\rTransfer-Encoding: chunked\r\n\r\n" + evil, "400"},
		"NUL within a field":               {head + "X: a\x00b\r\n\r\n" + evil, "400"},
		"a field before the first":         {"POST /hooks/e HTTP/1.1\r\n Content-Length: 37\r\nHost: h\r\n\r\n" + evil, "400"},
		"a doubled carriage return":        {head + "X: a\r\n\r\r\n" + evil, "400"},
		"chunk size over 64 bits":          {head + te + "\r\n10000000000000026\r\n" + evil, "400"},
		"chunk size of many zeros":         {head + te + "\r\n" + strings.Repeat("0", 40) + "\r\n\r\n" + evil, "400"},
		"chunk size with a sign":           {head + te + "\r\n+4\r\nbody\r\n0\r\n\r\n" + evil, "400"},
		"negative chunk size":              {head + te + "\r\n-1\r\n\r\n" + evil, "400"},
		"chunk size with a prefix":         {head + te + "\r\n0x4\r\nbody\r\n0\r\n\r\n" + evil, "400"},
		"chunk size with an underscore":    {head + te + "\r\n0_0\r\n\r\n" + evil, "400"},
		"chunk size after a space":         {head + te + "\r\n 0\r\n\r\n" + evil, "400"},
		"no chunk size":                    {head + te + "\r\n\r\n\r\n" + evil, "400"},
		"bare line end after a chunk size": {head + te + "\r\n4\nbody\r\n0\r\n\r\n" + evil, "400"},
		"bare line end in an extension":    {head + te + "\r\n4;a\nbody\r\n0\r\n\r\n" + evil, "400"},
		"bare line end after a chunk":      {head + te + "\r\n4\r\nbody\n0\r\n\r\n" + evil, "400"},
		"more than a chunk's size":         {head + te + "\r\n1\r\nbody\r\n0\r\n\r\n" + evil, "400"},
		"over the limit":                   {request("/hooks/e", strings.Repeat("x", 2000)+evil), "413"},
		"left unread":                      {request("/hooks/early", evil), "413"},
		"within a body":                    {request("/hooks/e", evil), "200"},
		"asks for another protocol": {head + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n" +
			"Content-Length: 37\r\n\r\n" + evil, "200"},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, mockreceiver.Config{MaxBody: 1000, IdleTimeout: 50 * time.Millisecond})
			r.endpoint("e", "200")
			r.endpoint("early", "early")
			r.endpoint("evil", "218")
			w := r.dial()
			w.send(tc.sent)
			got, err := w.rest()
			if err != nil {
				t.Errorf("the connection ended with %v, want an orderly end", err)
			}
			if n := strings.Count(string(got), "HTTP/1."); n != 1 || len(got) < 12 || string(got[9:12]) != tc.status {
				t.Errorf("got %d answers, %q, want one of %s", n, got, tc.status)
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			for i, a := range of[*evidence.Arrival](r.sofar()) {
				if i > 0 || a.Endpoint == "evil" || !strings.HasPrefix(string(a.Head), tc.sent[:14]) {
					t.Errorf("arrival: %s attempt %d, %q", a.Endpoint, a.Attempt, a.Head)
				}
			}
		})
	}
}
