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
