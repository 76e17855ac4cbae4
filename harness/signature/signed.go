package signature

import (
	"bytes"
	"net/http"
)

// Signed returns the exact bytes that a signature of the scheme covers in such a request, for people who look for the cause of a
// mismatch. They hold no key and no signature. ok is false where the headers do not say them; Verify says why.
func (s *Scheme) Signed(h http.Header, body []byte) (content []byte, ok bool) {
	r, f := s.read(canonical(h))
	if f.Reason != "" && f.Reason != NoSignature {
		return nil, false
	}
	r.parts.body = body
	return bytes.Join(s.content(s.rec.SignedContent, r.parts), nil), true
}
