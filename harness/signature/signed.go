package signature

import (
	"bytes"
	"net/http"
)

// Signed returns the exact bytes that a signature of the scheme covers in such a request, for people who look for the cause of a
// mismatch. They hold no key and no signature. ok is false where the request does not say them; Verify says why. For schemes that look
// at more than header and body, see SignedRequest.
func (s *Scheme) Signed(h http.Header, body []byte) (content []byte, ok bool) {
	return s.SignedRequest(Request{Header: h, Body: body})
}

// SignedRequest does the same with all that a request has. Where items are signed one by one it is the content of the first, and the URL is
// taken as it was handed in.
func (s *Scheme) SignedRequest(req Request) (content []byte, ok bool) {
	if s.code != nil {
		return s.code.signed(req)
	}
	var w work
	f := s.read(&w, &req)
	if f.Reason != "" && f.Reason != NoSignature || s.rec.Algorithm == algorithmToken {
		return nil, false
	}
	if len(w.list) > 0 {
		w.item = w.list[0].item
	}
	return bytes.Join(s.content(&w, s.parts, &w.material), nil), true
}
