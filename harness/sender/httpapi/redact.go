package httpapi

import (
	"slices"
	"strings"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
)

// redactor keeps the secrets of an instance out of messages. Its zero value is ready to use.
type redactor struct {
	mu      sync.Mutex
	secrets []string // in every form in which they could appear
}

// add makes s a secret. A text that is too short for one is none: taking it out would eat ordinary words.
func (r *redactor) add(s string) {
	forms := evidence.Forms(s)
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
