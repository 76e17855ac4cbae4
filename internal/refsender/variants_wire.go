package refsender

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/signature"
)

// transport changes how connections are used.
func (v variant) transport(t *http.Transport) *http.Transport {
	switch v {
	case connectionPerRequest:
		t.DisableKeepAlives = true
	case longReuse:
		t.IdleConnTimeout = 0
	case lowerCaseHeaders:
		t.DialContext = lowering(t.DialContext)
	case http2:
		t.ForceAttemptHTTP2 = true
	default:
	}
	return t
}

// dress changes how a request stands on the wire.
func (v variant) dress(req *http.Request) {
	switch v {
	case chunkedFraming:
		req.ContentLength = -1 // not known, so that the transport sends chunks
	case libraryResend:
		// A key without a value is not sent: it allows the transport to send a request again on another connection whenever a kept
		// one ended without an answer.
		req.Header["Idempotency-Key"] = []string{}
	default:
	}
}

// signed adds to a signature header what receivers pass over: signatures of versions that they do not know, on both sides.
func (v variant) signed(s *signature.Scheme, h http.Header) http.Header {
	if v != signatureList {
		return h
	}
	right := h.Get(s.Header())
	switch s.ID() {
	case "timestamp-v1":
		at, sigs, _ := strings.Cut(right, ",")
		h.Set(s.Header(), at+",v0="+strings.Repeat("0a", 32)+","+sigs+",v9="+strings.Repeat("f5", 64))
	case "standard-webhooks-v1":
		h.Set(s.Header(), "v1a,"+strings.Repeat("A", 86)+"== "+right+" v9,"+strings.Repeat("B", 43)+"=")
	}
	return h
}

// takes is how many bytes of an answer's body are read before the connection is closed.
func (v variant) takes(usual int64) int64 {
	const some = 8
	if v == partialRead {
		return some
	}
	return usual
}

// lowering dials connections on which header names are in lower case. Go's client has no setting for that.
func lowering(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &lowered{Conn: conn}, nil
	}
}

// lowered writes the header names of HTTP/1.1 requests with a length in lower case, and all else as it is.
type lowered struct {
	net.Conn
	head  []byte // begun, and not written yet
	body  int64  // bytes that belong to the body of the latest head
	plain bool   // it carries something else, such as TLS
}

// Write implements net.Conn. What it keeps back of a head goes out with the head's end.
func (c *lowered) Write(p []byte) (int, error) {
	if c.plain || len(c.head) == 0 && c.body == 0 && !bytes.HasPrefix(p, []byte(http.MethodPost+" ")) {
		c.plain = true
		return c.Conn.Write(p)
	}
	var out []byte
	for rest := p; len(rest) > 0; {
		if n := min(c.body, int64(len(rest))); n > 0 {
			out, rest = append(out, rest[:n]...), rest[n:]
			c.body -= n
			continue
		}
		c.head = append(c.head, rest...)
		rest = nil
		if end := bytes.Index(c.head, []byte("\r\n\r\n")); end >= 0 {
			end += len("\r\n\r\n")
			rest = c.head[end:]
			out = append(out, c.lower(c.head[:end])...)
			c.head = nil
		}
	}
	if _, err := c.Conn.Write(out); err != nil {
		return 0, err // how much of p went out cannot be said, and the connection is over
	}
	return len(p), nil
}

func (c *lowered) lower(head []byte) []byte {
	lines := strings.Split(string(head), "\r\n")
	for i, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		name = strings.ToLower(name)
		lines[i+1] = name + ":" + value
		if name == "content-length" {
			c.body, _ = strconv.ParseInt(strings.TrimSpace(value), 10, 64) // our own transport wrote it
		}
	}
	return []byte(strings.Join(lines, "\r\n"))
}
