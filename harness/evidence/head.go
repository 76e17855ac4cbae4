package evidence

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// Head is a request head taken apart. Field names keep their case and the fields their order. The pseudo-header fields of
// HTTP/2 are among them.
type Head struct {
	Method, Target, Proto string
	Fields                [][2]string
}

// ParseHead takes a raw head apart. It is lenient about line ends and keeps what it can: the head was already accepted by
// the receiver, and the evidence must stay readable when it is odd.
func ParseHead(raw Raw) (Head, error) {
	line, rest, _ := bytes.Cut(raw, []byte("\n"))
	parts := strings.SplitN(strings.TrimRight(string(line), "\r"), " ", 3)
	if len(parts) != 3 {
		return Head{}, fmt.Errorf("request line %q: want method, target and version", line)
	}
	h := Head{Method: parts[0], Target: parts[1], Proto: parts[2]}
	for l := range strings.SplitSeq(string(rest), "\n") {
		l = strings.TrimRight(l, "\r")
		if l == "" {
			break
		}
		name, value, ok := cutField(l)
		if !ok {
			return h, fmt.Errorf("header line %q: no colon", l)
		}
		h.Fields = append(h.Fields, [2]string{name, strings.Trim(value, " \t")})
	}
	return h, nil
}

// cutField cuts a field's line at its colon. The pseudo-header fields of HTTP/2 (RFC 9113, 8.3) have one in their names.
func cutField(l string) (name, value string, ok bool) {
	rest, pseudo := strings.CutPrefix(l, ":")
	name, value, ok = strings.Cut(rest, ":")
	if pseudo {
		name = ":" + name
	}
	return name, value, ok
}

// Get returns the first value of a field, whatever the case of its name.
func (h Head) Get(name string) string {
	for _, f := range h.Fields {
		if strings.EqualFold(f[0], name) {
			return f[1]
		}
	}
	return ""
}

// Header returns the fields in canonical form, for code that wants the standard type, without pseudo-header fields.
func (h Head) Header() http.Header {
	out := make(http.Header, len(h.Fields))
	for _, f := range h.Fields {
		if !strings.HasPrefix(f[0], ":") {
			out.Add(f[0], f[1])
		}
	}
	return out
}
