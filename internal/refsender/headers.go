package refsender

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// headers are what an endpoint wants to be sent with each request, by name.
type headers map[string]string

const (
	// Ten headers carry any token and trace that an endpoint may want, and leave a request small.
	headersMax = 10
	headerMax  = 1000 // bytes of a value; a signed token fits
)

// tokenLetters are those of a header's name, by RFC 9110 section 5.6.2.
const tokenLetters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// check refuses what would not be one header each on the wire.
func (h headers) check() error {
	if len(h) > headersMax {
		return refuse(http.StatusBadRequest, "headers must have at most %d entries", headersMax)
	}
	for name, value := range h {
		if name == "" || strings.Trim(name, tokenLetters) != "" {
			return refuse(http.StatusBadRequest, "headers must be named by letters, digits and signs of a token")
		}
		odd := func(r rune) bool { return r < ' ' || r > '~' }
		if len(value) > headerMax || strings.ContainsFunc(value, odd) || strings.TrimSpace(value) != value {
			return refuse(http.StatusBadRequest, "headers must have values of at most %d printable ASCII letters", headerMax)
		}
	}
	return nil
}

func (h headers) text() (string, error) {
	if h == nil {
		h = headers{}
	}
	b, err := json.Marshal(h)
	return string(b), err
}

func parseHeaders(text string) (headers, error) {
	var h headers
	err := json.Unmarshal([]byte(text), &h)
	return h, err
}

// framing tells whether a header is about the connection or the body's bytes, where only the HTTP library knows the right value.
func framing(name string) bool {
	return slices.Contains([]string{
		"Connection", "Content-Encoding", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
	}, http.CanonicalHeaderKey(name))
}

// customise adds an endpoint's own headers to a request. What the sender sets itself stays its own.
func (d defect) customise(h http.Header, custom headers) {
	for name, value := range custom {
		if !framing(name) && (h.Get(name) == "" || d == hdrCustomOverridesSigned) {
			h.Set(name, value)
		}
	}
}
