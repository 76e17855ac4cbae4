package httpapi

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// form reads the fields of a body that is sent as a web form. It is never nil, so that an empty one is sent as such.
func (r *reader) form(n ast.Node, at pos, what string, sc scope) []pair {
	fields := r.pairs(n, what+": form", sc)
	if len(fields) == 0 {
		r.errorf(at, "%s: form: want at least one field", what)
		return []pair{}
	}
	return fields
}

// payload is what the call sends, and its media type. text is nil where it sends nothing.
func (c *call) payload(v values) (text []byte, mediaType string, err error) {
	switch {
	case c.body != nil:
		var b bytes.Buffer
		if _, err := c.body.write(&b, v); err != nil {
			return nil, "", fmt.Errorf("body: %w", err)
		}
		return b.Bytes(), "application/json", nil
	case c.form != nil:
		s, err := encoded(c.form, v)
		if err != nil {
			return nil, "", fmt.Errorf("form: %w", err)
		}
		return []byte(s), "application/x-www-form-urlencoded", nil
	}
	return nil, "", nil
}

// encoded is the form encoding of pairs, in their order, as queries and forms have it.
func encoded(pairs []pair, v values) (string, error) {
	var out []string
	for _, p := range pairs {
		s, err := p.value.expand(v, plain)
		if err != nil {
			return "", err
		}
		if s != "" || !p.optional {
			out = append(out, url.QueryEscape(p.name)+"="+url.QueryEscape(s))
		}
	}
	return strings.Join(out, "&"), nil
}
