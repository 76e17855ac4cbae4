package evidence

import (
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
	// One copy, of which all the texts are parts: this is done for every request.
	line, rest, _ := strings.Cut(string(raw), "\n")
	method, words, ok := strings.Cut(strings.TrimRight(line, "\r"), " ")
	target, proto, twice := strings.Cut(words, " ")
	if !ok || !twice {
		return Head{}, fmt.Errorf("request line %q: want method, target and version", line)
	}
	h := Head{Method: method, Target: target, Proto: proto}
	var err error
	h.Fields, err = parseFields(rest)
	return h, err
}

// parseFields takes lines of fields apart, up to an empty one. With an error come the fields before the odd line.
func parseFields(rest string) ([][2]string, error) {
	list := make([][2]string, 0, min(strings.Count(rest, "\n"), usualFields))
	for rest != "" {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		l = strings.TrimRight(l, "\r")
		if l == "" {
			break
		}
		name, value, ok := cutField(l)
		if !ok {
			return list, fmt.Errorf("header line %q: no colon", l)
		}
		list = append(list, [2]string{name, strings.Trim(value, " \t")})
	}
	return list, nil
}

// TrailerFields are the fields behind the body, in order and case as they came, up to one that is none.
func (a *Arrival) TrailerFields() [][2]string {
	if len(a.Trailer) == 0 {
		return nil
	}
	list, _ := parseFields(string(a.Trailer)) // an error comes with what could be read
	return list
}

// usualFields is how many fields have room from the start.
const usualFields = 32

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

// URL is the whole URL of the request: its target at the scheme and host of the URL that the sender was told. It is empty if that is none.
func (h Head) URL(told string) string {
	scheme := strings.Index(told, "://")
	switch {
	case scheme < 0:
		return ""
	case strings.Contains(h.Target, "://"): // a proxy's form
		return h.Target
	}
	host := scheme + len("://")
	if i := strings.IndexAny(told[host:], "/?#"); i >= 0 {
		told = told[:host+i]
	}
	return told + h.Target
}
