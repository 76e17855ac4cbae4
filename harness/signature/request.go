package signature

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Request is what a verification looks at. What a scheme does not need may be left out: most look at header fields and body alone.
type Request struct {
	Method string
	URL    string // whole: scheme, host and target, as the sender was told it
	// Header or Fields are the head's fields; the second as they came. Only one of them is looked at: Fields, unless it is nil.
	Header http.Header
	Fields [][2]string
	Body   []byte // raw, as it came over the wire
	Status int    // of a signed response, for RFC 9421; else 0
}

// Content is what one attempt signs.
type Content struct {
	ID     string    // the event's id; needed only where the scheme signs it
	At     time.Time // the attempt's time; cut to the scheme's unit
	Body   []byte    // as it goes over the wire
	Method string    // needed only where the scheme signs it, as URL
	URL    string
	Header http.Header // of the request, where the scheme signs a header or looks at the content type
}

// headers are where the values of a header are looked up.
type headers struct {
	canonical http.Header
	fields    [][2]string
}

func (r Request) headers() headers { return headers{r.Header, r.Fields} }

// value returns one value of a header, and how many there are. net/http canonicalises names, but a header may come from elsewhere, so
// names are compared without case; a name that is not ASCII is none.
func (h headers) value(name string) (one string, n int) {
	if h.fields != nil {
		for i := range h.fields {
			f := &h.fields[i]
			if len(f[0]) == len(name) && strings.EqualFold(f[0], name) {
				one, n = f[1], n+1
			}
		}
		return one, n
	}
	for k, v := range h.canonical {
		if len(v) > 0 && len(k) == len(name) && strings.EqualFold(k, name) {
			one, n = v[0], n+len(v)
		}
	}
	return one, n
}

// single returns the only value of a header.
func (h headers) single(name string) (string, Finding) {
	value, n := h.value(name)
	switch {
	case n == 0:
		return "", Finding{Reason: MissingHeader, Detail: name + " is absent"}
	case n > 1:
		return "", Finding{Reason: RepeatedHeader, Detail: fmt.Sprintf("%s came %d times", name, n)}
	case value == "":
		return "", Finding{Reason: MissingHeader, Detail: name + " is empty"}
	}
	return value, Finding{}
}

// all returns the values of a header in order.
func (h headers) all(name string) []string {
	var all []string
	for _, f := range h.fields {
		if strings.EqualFold(f[0], name) {
			all = append(all, f[1])
		}
	}
	if h.fields != nil {
		return all
	}
	for k, v := range h.canonical {
		if strings.EqualFold(k, name) {
			all = append(all, v...)
		}
	}
	return all
}
