package mockreceiver_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
)

// enemy makes requests that no good client sends. The same seed makes the same ones.
type enemy struct{ *rand.Rand }

func (h enemy) one(list ...string) string { return list[h.IntN(len(list))] }

func (h enemy) bytes(n int) string {
	b := make([]byte, h.IntN(n))
	for i := range b {
		b[i] = byte(h.Uint32())
	}
	return string(b)
}

// piece is a header line, or what is meant to pass for one.
func (h enemy) piece() string {
	return h.one(
		"Content-Length: 0\r\n", "Content-Length: 5\r\n", "Content-Length: 5 \r\n", "Content-Length: +5\r\n", "Content-Length: 5, 5\r\n", "content-length:5\r\n",
		"Content-Length : 5\r\n", "Content-Length:\r\n 5\r\n", "Content-Length: 99999999999\r\n", "Content-Length: -1\r\n",
		"Transfer-Encoding: chunked\r\n", "Transfer-Encoding: Chunked\r\n", "Transfer-Encoding:\r\n\tchunked\r\n", "Transfer-Encoding: gzip\r\n",
		"Transfer-Encoding: identity\r\n", "Transfer-Encoding : chunked\r\n", "Expect: 100-continue\r\n", "Expect: 9\r\n",
		"Connection: close\r\n", "Connection: keep-alive\r\n", "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
		"Connection: Upgrade\r\nUpgrade: websocket\r\n", "Host: other\r\n", "Host: a b\r\n", "X: a\r\n b\r\n", "X:\r\n", ": x\r\n", "X\r\n", " X: y\r\n", "X: a\rb\r\n",
		"X: \x00\r\n", "X: a\nY: b\r\n", "webhook-id: evt_1\r\n", "webhook-id: "+strings.Repeat("i", 5000)+"\r\n", "Trailer: X-T\r\n", "TE: trailers\r\n", "X: \xff\xfe\r\n",
		"Date: never\r\n", "Range: bytes=0-1\r\n", "X-"+h.bytes(20)+"\r\n",
	)
}

// request is most often a whole request that is odd in one place or another.
func (h enemy) request() string {
	switch h.IntN(20) {
	case 0:
		return h.bytes(400)
	case 1:
		return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00" + h.bytes(50)
	case 2:
		return "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + h.bytes(200)
	case 3:
		return "POST /hooks/e HTTP/1.1\r\nHost: h\r\nX: " + strings.Repeat("x", h.IntN(80_000)) + "\r\n\r\n"
	case 4:
		return strings.Repeat("\r\n", h.IntN(20))
	}
	var b strings.Builder
	b.WriteString(h.one("POST", "GET", "PUT", "HEAD", "OPTIONS", "CONNECT", "TRACE", "post", "M-SEARCH", "POST", "POST", "POST", "", "P OST", "\xff"))
	b.WriteString(" " + h.one("/hooks/e", "/hooks/e", "/hooks/e", "/hooks/e?x=1", "*", "http://h/hooks/e", "https://other/hooks/e", "h:443", "/hooks/../e", "//", "/%zz",
		"/hooks/e#f", "/%2e%2e/", "/\\", "hooks/e", "", "/"+h.bytes(30), "/hooks/early", "/hooks/close", "/hooks/reset", "/hooks/cut", "/hooks/chance"))
	b.WriteString(" " + h.one("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.2", "HTTP/1.1 ", "HTTP/9", "", "http/1.1"))
	b.WriteString(h.one("\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r\r\n"))
	if h.IntN(10) > 0 {
		b.WriteString("Host: h\r\n")
	}
	for range h.IntN(4) {
		b.WriteString(h.piece())
	}
	b.WriteString(h.one("\r\n", "\r\n", "\r\n", "\r\n", "\n", ""))
	b.WriteString(h.one("", "hello", "5\r\nhello\r\n0\r\n\r\n", "5;a=b\r\nhello\r\n0\r\nX-T: 1\r\n\r\n", "5\nhello\r\n0\r\n\r\n", "fffffffffffffffff\r\n", "-5\r\nhello\r\n",
		"0\r\n\r\n", "zz\r\n", `{"id":"evt_2"}`, h.bytes(100), strings.Repeat("x", h.IntN(5000))))
	return b.String()
}

// talk sends requests over one connection, in pieces or at once, cuts some of them off, and ends in one way or another. It
// returns the answers, each by its status; whole tells whether the last of the bytes were an answer too.
func (h enemy) talk(addr string) (statuses []int, err error) {
	var d net.Dialer
	c, err := d.DialContext(context.Background(), "tcp", addr)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	var all string
	for range 1 + h.IntN(3) {
		all += h.request()
	}
	if h.IntN(4) == 0 {
		all = all[:h.IntN(len(all)+1)]
	}
	step := []int{len(all) + 1, 1 + h.IntN(50), 1 + h.IntN(2000)}[h.IntN(3)]
	for rest := all; len(rest) > 0; {
		n := min(step, len(rest))
		if _, err := io.WriteString(c, rest[:n]); err != nil {
			break // it was refused already
		}
		rest = rest[n:]
	}
	switch h.IntN(6) {
	case 0:
		_ = c.(*net.TCPConn).SetLinger(0)
		return nil, nil
	case 1:
		return nil, nil
	}
	_ = c.(*net.TCPConn).CloseWrite() // an end that the receiver sees; what it still has to say is read
	got, err := io.ReadAll(bufio.NewReader(c))
	var still net.Error
	if errors.As(err, &still) && still.Timeout() {
		return nil, fmt.Errorf("no end after %q; got %q", all, got)
	}
	for b := bufio.NewReader(bytes.NewReader(got)); ; {
		// A HEAD has an answer without its body; lengths of others are declared and their bodies are empty or short.
		resp, err := http.ReadResponse(b, &http.Request{Method: http.MethodHead})
		if err != nil {
			return statuses, nil
		}
		if resp.StatusCode >= http.StatusOK {
			statuses = append(statuses, resp.StatusCode)
		}
	}
}

// TestHostileClients lets thousands of odd requests loose on a receiver, over many connections at once, and looks at what is
// left of it.
func TestHostileClients(t *testing.T) {
	talks := 3000
	if testing.Short() {
		talks = 300
	}
	warm := start(t, mockreceiver.Config{})
	post(t, client(t), warm.endpoint("e", "200"), "x")
	if err := warm.Close(); err != nil {
		t.Fatal(err)
	}
	before := handles(t)
	path := filepath.Join(t.TempDir(), "journal.db")
	r := start(t, mockreceiver.Config{
		Journal: path, Quick: true, MaxBody: 4000, HeaderTimeout: time.Second, BodyTimeout: time.Second, IdleTimeout: time.Second,
	})
	for name, plan := range map[string]string{
		"e": "200, 502, 204", "early": "early", "close": "close", "reset": "reset", "cut": "cut(after=3)", "chance": "chance(0.5)",
	} {
		r.endpoint(name, plan)
	}
	addr := strings.TrimPrefix(r.DataURL(), "http://")
	const seed = 1
	var mu sync.Mutex
	answered := map[int]int{}
	var all sync.WaitGroup
	const clients = 32
	for n := range clients {
		all.Go(func() {
			h := enemy{rand.New(rand.NewPCG(seed, uint64(n)))}
			for range talks / clients {
				statuses, err := h.talk(addr)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				for _, s := range statuses {
					answered[s]++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	// It still answers, at each listener.
	if status, _ := post(t, client(t), r.DataURL()+"/hooks/chance", `{"id":"last"}`); status != 200 && status != 503 {
		t.Errorf("afterwards: got %d", status)
	}
	if status, _ := r.api("GET", "/v1/status", ""); status != 200 {
		t.Errorf("afterwards the control API: got %d", status)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	noGoroutines(t)
	leaked(t, before)

	records := r.sofar()
	for _, tr := range of[*evidence.Trouble](records) {
		t.Errorf("trouble: %s", tr.What)
	}
	outcomes := map[int64]int{}
	said := map[int]int{}
	for _, o := range of[*evidence.Outcome](records) {
		outcomes[o.Of]++
		said[o.Status]++
	}
	places := map[string]bool{}
	for _, a := range of[*evidence.Arrival](records) {
		place := fmt.Sprintf("%d/%d", a.Conn.ID, a.Conn.Request)
		if outcomes[a.Seq] != 1 || places[place] {
			t.Errorf("request %s has %d outcomes, seen before: %v", place, outcomes[a.Seq], places[place])
		}
		places[place] = true
	}
	// Each answer that a client read is one that the journal has; it may have more, for those who did not stay to read them.
	total := 0
	for status, n := range answered {
		total += n
		if said[status] < n {
			t.Errorf("%d answers %d were read, and %d recorded", n, status, said[status])
		}
	}
	if total < talks/4 {
		t.Errorf("only %d answers from %d connections: the test lets nothing loose", total, talks)
	}
	if n := scan(t, open(t, path), "SELECT count(*) FROM arrival a JOIN outcome o ON o.seq = a.seq"); n != len(places) {
		t.Errorf("the file has %d requests with outcomes, observed were %d", n, len(places))
	}
}
