package refsender

import (
	"crypto/rand"
	"encoding/hex"
)

// newID returns a fresh identifier. 12 random bytes: a thousand million of them hold two equal ones with a chance below
// one in 10^10.
func newID(prefix string) string {
	b := make([]byte, 12)
	_, _ = rand.Read(b) // never errs, by its documentation
	return prefix + hex.EncodeToString(b)
}

// newSecret returns a secret of the scheme's form from 160 random bits, written as 40 hex digits: printable, and within
// the 24 to 64 bytes that Standard Webhooks asks for.
func (s *Sender) newSecret() (string, error) {
	b := make([]byte, 20)
	_, _ = rand.Read(b)
	return s.scheme.Secret([]byte(hex.EncodeToString(b)))
}
