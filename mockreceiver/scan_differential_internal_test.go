package mockreceiver

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// serverHeads are the heads of the requests that net/http reads one after the other, as its server does, up to the first that
// it refuses or whose body makes no sense.
func serverHeads(data []byte) (list [][]byte) {
	from := bytes.NewReader(data)
	b := bufio.NewReaderSize(from, 64<<10)
	at := func() int { return len(data) - from.Len() - b.Buffered() }
	method := ""
	for {
		if method == http.MethodPost { // the server tolerates some empty lines behind a POST, and none elsewhere
			peek, _ := b.Peek(4)
			_, _ = b.Discard(len(peek) - len(bytes.TrimLeft(peek, "\r\n"))) // they are there
		}
		begin := at()
		req, err := http.ReadRequest(b)
		if err != nil {
			return list
		}
		list = append(list, data[begin:at()])
		method = req.Method
		_, err = io.Copy(io.Discard, req.Body)
		if req.Body.Close() != nil || err != nil {
			return list
		}
	}
}

// scanned are the heads that the scanner finds.
func scanned(data []byte) (list []rawHead) {
	var s headScanner
	s.feed(data, 0, time.Time{}, func(h rawHead) { list = append(list, h) })
	return list
}

// FuzzHeadsAsTheServer wants the scanner to find each request of net/http, in its place and with the same bytes, and none
// between them. Behind a head that others may cut off elsewhere nothing is compared, for nothing is taken from there.
func FuzzHeadsAsTheServer(f *testing.F) {
	for _, s := range []string{
		"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nHost: h\r\n\r\n",
		"POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: 1\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n",
		"POST /a HTTP/1.1\nHost: h\nContent-Length: 0\n\n\r\n\r\nGET /b HTTP/1.0\n\n",
		"GET /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nabcdeGET /b HTTP/1.1\r\nHost: h\r\n\r\n",
		"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n 5\r\n\r\nabcdeGET / HTTP/1.1\r\nHost: h\r\n\r\n",
		"POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
		"POST /a HTTP/1.1\r\nHost: h\r\ncontent-length : 5\r\n\r\nabcde",
		"POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n 3 \r\nabc\r\n00\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\n\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { sameHeads(t, data) })
}

// TestHeadsAsTheServer does the same with requests put together of parts, which random bytes hardly reach. Most are sound, so that
// something comes behind the odd ones.
func TestHeadsAsTheServer(t *testing.T) {
	sound := func(odd ...string) *rapid.Generator[string] { // mostly the first
		return rapid.Map(rapid.IntRange(0, 4*len(odd)), func(n int) string { return odd[max(0, n-3*len(odd)-1)] })
	}
	line := sound("POST /a HTTP/1.1", "GET /b HTTP/1.1", "PUT /c HTTP/1.0", "POST /d HTTP/1.1 ", "GET  /e HTTP/1.1", "/f")
	end := sound("\r\n", "\n", "\r\r\n")
	more := sound("X: y\r\n", " folded\r\n", ":\r\n", "x\r\n", "Connection: close\r\n", "Trailer: T\r\n", "Expect: 100-continue\r\n",
		"Content-Length: 3\r\n", "Content-Length: 4\r\n", "Transfer-Encoding: chunked\r\n", "Transfer_Encoding: chunked\r\n", "Content-Length:\n 3\r\n")
	length := sound("Content-Length: 3", "content-length:3", "Content-Length: +3", "Content-Length: 03", "Content-Length: 3, 3", "Content-Length: 0x3",
		"Content-Length : 3", "Content-Length:\r\n 3", "Content-Length: 3\t", "Content-Length: -3", "Content-Length: 3\v")
	coding := sound("Transfer-Encoding: chunked", "transfer-encoding:Chunked ", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding:",
		"Transfer-Encoding: identity", "Transfer-Encoding: chunked\v", "Transfer-Encoding:\r\n\tchunked", "Transfer-Encoding: chunked, chunked")
	chunk := sound("3\r\nabc\r\n", "3;a=b\r\nabc\r\n", "3\nabc\n", " 3\r\nabc\r\n", "3 \r\nabc\r\n", "03\r\nabc\r\n", "0x3\r\nabc\r\n", "+3\r\nabc\r\n",
		"3\r\nabcd\r\n", "3\r\nabc", "3\r\r\nabc\r\n", "ffffffffffffffff\r\nabc\r\n", "3\r\nabc\r\r\n", "3\r\nabc\r\n\r\n", "3\t;a\r\nabc\r\n", "\r\n", ";\r\n")
	last := sound("0\r\n\r\n", "0\n\n", "000\r\n\r\n", "0\r\nT: 1\r\n\r\n", "0\r\nT: 1\r\n U: 2\r\n\r\n", "0\r\n\n", "0\r\r\n\r\n", "0;a\r\n\r\n", "0 \r\n\r\n", "0\r\nT\r\n\r\n", "-0\r\n\r\n")
	behind := sound("", "\r\n", "\n", "\r\n\r\n", "\r\n\r\n\r\n")
	several := 0
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		for range rapid.IntRange(1, 4).Draw(t, "requests") {
			b.WriteString(line.Draw(t, "line") + end.Draw(t, "end") + "Host: h" + end.Draw(t, "end"))
			body := ""
			switch rapid.IntRange(0, 2).Draw(t, "framing") {
			case 1:
				b.WriteString(length.Draw(t, "length") + end.Draw(t, "end"))
				body = "abc"
			case 2:
				b.WriteString(coding.Draw(t, "coding") + end.Draw(t, "end"))
				body = strings.Join(rapid.SliceOfN(chunk, 0, 2).Draw(t, "chunks"), "") + last.Draw(t, "last")
			}
			b.WriteString(more.Draw(t, "more") + end.Draw(t, "end") + body + behind.Draw(t, "behind"))
		}
		if len(serverHeads(b.Bytes())) > 1 {
			several++
		}
		sameHeads(t, b.Bytes())
	})
	if several == 0 {
		t.Error("net/http never read a second request: the parts are too odd")
	}
}

func sameHeads(t interface{ Fatalf(string, ...any) }, data []byte) {
	got := scanned(data)
	for i, want := range serverHeads(data) {
		if i >= len(got) {
			t.Fatalf("request %d: not found: %q in %q", i+1, want, data)
		}
		if !bytes.Equal(bytes.TrimLeft(want, "\r\n"), got[i].bytes) {
			t.Fatalf("request %d: net/http has %q, the scanner %q in %q", i+1, want, got[i].bytes, data)
		}
		if got[i].odd || got[i].conflict {
			return
		}
	}
}
