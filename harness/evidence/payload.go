package evidence

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
)

// mostPayload is how much a coded body may grow to: twice what the largest payload of any suite has. More is taken for a bomb.
const mostPayload = 8 << 20

// Payload is the body of a request without its content coding (RFC 9110, 8.4), which may be gzip or deflate. readable is false for
// another coding, for a body that is not coded as it says, and for one that grows beyond 8 MiB: payload is then the body as it came.
func Payload(head Head, body []byte) (payload []byte, readable bool) {
	coding := strings.ToLower(strings.TrimSpace(head.Get("Content-Encoding")))
	var r io.Reader
	var err error
	switch coding {
	case "", "identity":
		return body, true
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(bytes.NewReader(body))
	case "deflate":
		r, err = zlib.NewReader(bytes.NewReader(body))
	default:
		return body, false
	}
	if err != nil {
		return body, false
	}
	payload, err = io.ReadAll(io.LimitReader(r, mostPayload+1))
	if err != nil || len(payload) > mostPayload {
		return body, false
	}
	return payload, true
}
