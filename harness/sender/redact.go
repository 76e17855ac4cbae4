package sender

import (
	"slices"
	"strings"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Redactor keeps the secrets of an instance out of messages, for drivers. It is safe for concurrent use. Its zero value is ready to use.
type Redactor struct {
	mu      sync.Mutex
	secrets []string // in every form in which they could appear
}

// Add makes s a secret. A text that is too short for one is none: taking it out would eat ordinary words.
func (r *Redactor) Add(s string) {
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

// Clean is text without the secrets.
func (r *Redactor) Clean(text string) string {
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

// Wrap is err without the secrets; nil if err is nil.
func (r *Redactor) Wrap(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	clean := r.Clean(text)
	if clean == text {
		return err
	}
	return &cleanError{clean, err}
}
