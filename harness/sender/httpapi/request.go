package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// url builds the URL of c under base.
func (c *call) url(base string, v values) (string, error) {
	path, err := c.path.expand(v, escapeSegment)
	if err != nil {
		return "", fmt.Errorf("path: %w", err)
	}
	query, err := encoded(c.query, v)
	if err != nil {
		return "", err
	}
	out := strings.TrimSuffix(base, "/") + path
	if query != "" {
		out += "?" + query
	}
	return out, nil
}

// escapeSegment makes value a part of one path segment. An empty one would address something else, and so would dots.
func escapeSegment(name, value string) (string, error) {
	switch value {
	case "":
		return "", fmt.Errorf("${%s} is empty", name)
	case ".", "..":
		return "", fmt.Errorf("${%s} is %q, which is no segment of a path", name, value)
	}
	return url.PathEscape(value), nil
}

func isControl(c rune) bool { return unicode.IsControl(c) && c != '\t' }

// headerValue refuses what could end a header and begin another.
func headerValue(name, value string) (string, error) {
	if strings.ContainsFunc(value, isControl) {
		return "", fmt.Errorf("${%s} holds a line end or another control character", name)
	}
	return value, nil
}

// request builds the request of c.
func (c *call) request(ctx context.Context, base string, a *Adapter, v values) (*http.Request, error) {
	target, err := c.url(base, v)
	if err != nil {
		return nil, err
	}
	text, mediaType, err := c.payload(v)
	if err != nil {
		return nil, err
	}
	var body io.Reader
	if text != nil {
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, c.method, target, body)
	if err != nil {
		return nil, withoutURL(err)
	}
	if mediaType != "" {
		req.Header.Set("Content-Type", mediaType)
	}
	req.Header.Set("Accept", "application/json")
	if err := a.auth.put(req, v); err != nil {
		return nil, err
	}
	for _, p := range append(slices.Clip(a.headers), c.headers...) {
		s, err := p.value.expand(v, headerValue)
		if err != nil {
			return nil, fmt.Errorf("header %s: %w", p.name, err)
		}
		if s != "" || !p.optional {
			req.Header.Set(p.name, s)
		}
	}
	forbidReplay(req)
	return req, nil
}

// forbidReplay keeps net/http from sending a request a second time on its own: it does so on a dead pooled connection when
// a key header declares the request repeatable, if it can have the body again.
func forbidReplay(req *http.Request) {
	if req.Method == http.MethodGet || req.Header.Get("Idempotency-Key") == "" && req.Header.Get("X-Idempotency-Key") == "" {
		return
	}
	if req.Body == nil {
		req.Body = io.NopCloser(strings.NewReader(""))
	}
	req.GetBody = nil
}

// withoutURL drops what net/http puts around an error, since the caller names the URL, redacted, itself.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}
