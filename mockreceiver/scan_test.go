package mockreceiver

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"testing"
	"time"
)

// heads feeds data in pieces of a size and returns the heads found.
func heads(data []byte, piece int) (list [][]byte) {
	var s headScanner
	for len(data) > 0 {
		n := min(piece, len(data))
		s.feed(data[:n], 0, time.Time{}, func(h rawHead) { list = append(list, h.bytes) })
		data = data[n:]
	}
	return list
}

// FuzzHeads wants the heads found not to depend on how the bytes came in, and each to be a part of the input.
func FuzzHeads(f *testing.F) {
	for _, s := range []string{
		"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n",
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nT: 1\r\n\r\nGET / HTTP/1.1\n\n",
		"\r\n\r\nGET / HTTP/1.0\r\nTransfer-Encoding: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
		"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		whole := heads(data, max(1, len(data)))
		for _, piece := range []int{1, 3} {
			got := heads(data, piece)
			if len(got) != len(whole) {
				t.Fatalf("in pieces of %d: %d heads, at once %d", piece, len(got), len(whole))
			}
			for i := range got {
				if !bytes.Equal(got[i], whole[i]) || !bytes.Contains(data, got[i]) {
					t.Fatalf("head %d: %q and %q", i, got[i], whole[i])
				}
			}
		}
	})
}

// FuzzHeadsAreThoseOfNetHTTP wants the scanner to find each head that net/http takes for a request, at the same place, for
// as long as no head is one that readers could cut off elsewhere.
func FuzzHeadsAreThoseOfNetHTTP(f *testing.F) {
	for _, s := range []string{
		"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nT: 1\r\n\r\nGET /2 HTTP/1.1\n\n",
		"POST / HTTP/1.1\r\nContent-Length:\r\n 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
		"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n",
		"GET / HTTP/1.1\r\nX: a\r\n\tContent-Length: 3\r\n\r\nGET /2 HTTP/1.1\r\n\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var found []rawHead
		var s headScanner
		s.feed(data, 0, time.Time{}, func(h rawHead) { found = append(found, h) })
		b := bufio.NewReader(bytes.NewReader(data))
		for i := 0; ; i++ {
			req, err := http.ReadRequest(b)
			if err != nil {
				return
			}
			if i >= len(found) {
				t.Fatalf("net/http has request %d, %s %s, and the scanner has no head for it", i, req.Method, req.RequestURI)
			}
			if !bytes.HasPrefix(found[i].bytes, []byte(req.Method+" "+req.RequestURI)) {
				t.Fatalf("request %d is %s %s, its head %q", i, req.Method, req.RequestURI, found[i].bytes)
			}
			if _, err := io.Copy(io.Discard, req.Body); err != nil || found[i].odd || found[i].conflict {
				return // the connection ends with it
			}
		}
	})
}

// FuzzLookup wants no panic, and no id out of nothing.
func FuzzLookup(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"id":"x"}]}`), "/a/1/id")
	f.Add([]byte(`{"id":"x"}`), "/id")
	f.Add([]byte(`{"a/b":{"~":7}}`), "/a~1b/~0")
	f.Add([]byte(`[[[[`), "/0/0")
	f.Fuzz(func(t *testing.T, body []byte, pointer string) {
		if v, ok := lookup(body, pointer); ok && v == "" {
			t.Fatal("an empty id was found")
		}
	})
}

func TestLookup(t *testing.T) {
	for _, tc := range []struct{ body, pointer, want string }{
		{`{"id":"a"}`, "/id", "a"},
		{`{"x":{"id":"no"},"y":[{"id":"no"}],"id":"yes"}`, "/id", "yes"},
		{`{"data":{"object":{"id":12345678901234567890}}}`, "/data/object/id", "12345678901234567890"},
		{`{"list":[{},{"id":"b"}]}`, "/list/1/id", "b"},
		{`{"a/b":{"~":"c"}}`, "/a~1b/~0", "c"},
		{`{"id":"first","id":"second"}`, "/id", "first"},
		{`{"id":null}`, "/id", ""},
		{`{"id":{}}`, "/id", ""},
		{`{"id":""}`, "/id", ""},
		{`{"id`, "/id", ""},
		{`"id"`, "/id", ""},
		{``, "/id", ""},
	} {
		if got, _ := lookup([]byte(tc.body), tc.pointer); got != tc.want {
			t.Errorf("%s at %s: got %q, want %q", tc.body, tc.pointer, got, tc.want)
		}
	}
}

func TestOwnHost(t *testing.T) {
	for _, tc := range []struct {
		host, local string
		want        bool
	}{
		{"localhost:80", "127.0.0.1:80", true},
		{"127.0.0.1", "127.0.0.1:80", true},
		{"[::1]:80", "[::1]:80", true},
		{"LOCALHOST", "[::ffff:127.0.0.1]:80", true},
		{"evil.example:80", "127.0.0.1:80", false},
		{"127.0.0.1.evil.example", "127.0.0.1:80", false},
		{"", "127.0.0.1:80", false},
		{"receiver:80", "10.0.0.2:80", true},
	} {
		if got := ownHost(tc.host, addr(tc.local)); got != tc.want {
			t.Errorf("%q on %s: got %v, want %v", tc.host, tc.local, got, tc.want)
		}
	}
}

type addr string

func (addr) Network() string  { return "tcp" }
func (a addr) String() string { return string(a) }
