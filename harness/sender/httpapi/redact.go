package httpapi

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// redactor keeps the secrets of an instance out of messages. Its zero value is ready to use.
type redactor struct {
	mu      sync.Mutex
	secrets []string // in every form in which they could appear
}

// add makes s a secret.
func (r *redactor) add(s string) {
	if s == "" {
		return
	}
	forms := []string{
		s, url.QueryEscape(s), url.PathEscape(s), jsonInner(s, true), jsonInner(s, false), hex.EncodeToString([]byte(s)),
		strings.ToUpper(hex.EncodeToString([]byte(s))),
		base64.RawStdEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s)),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range forms {
		if !slices.Contains(r.secrets, f) {
			r.secrets = append(r.secrets, f)
		}
	}
	// The longest first, so that no part of one stays behind when another is within it.
	slices.SortStableFunc(r.secrets, func(a, b string) int { return len(b) - len(a) })
}

func (r *redactor) clean(text string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.secrets {
		text = strings.ReplaceAll(text, s, "[secret]")
	}
	return text
}

// jsonInner is s as it stands within a JSON string.
func jsonInner(s string, html bool) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	if err := enc.Encode(s); err != nil {
		return s
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), `"`), `"`)
}

// cleanError is an error whose text has been redacted. Its cause stays reachable for errors.Is and As.
type cleanError struct {
	text  string
	cause error
}

func (e *cleanError) Error() string { return e.text }
func (e *cleanError) Unwrap() error { return e.cause }

func (r *redactor) wrap(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	clean := r.clean(text)
	if clean == text {
		return err
	}
	return &cleanError{clean, err}
}
