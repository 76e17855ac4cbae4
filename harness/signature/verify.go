package signature

import (
	"fmt"
	"net/http"
)

// Verify checks the signatures of a request over the raw body bytes with each key, and says why none verifies. It
// recomputes with other contents and key forms only after a mismatch, to name the cause. Keys are the secrets' texts; the
// comparison takes constant time. Header names are looked up whatever their case. It never fails otherwise than by its
// Finding. For schemes that look at more than header and body, see VerifyRequest.
func (s *Scheme) Verify(h http.Header, body []byte, keys ...string) Finding {
	return s.VerifyRequest(Request{Header: h, Body: body}, keys...)
}

// VerifyRequest does the same with all that a request has.
func (s *Scheme) VerifyRequest(req Request, keys ...string) Finding {
	return s.verify(req, Hints{}, keys)
}

// verify looks for the cause of what does not verify as well.
func (s *Scheme) verify(req Request, hints Hints, keys []string) Finding {
	usable, badKey := s.usable(keys)
	if s.code != nil {
		f := s.code.verify(req, usable)
		if f.Reason == Mismatch && len(usable) == 0 && s.rec.Algorithm != algorithmRFC9530 {
			f.Reason, f.Detail = NoKey, "there is no key to verify with"
			if badKey != "" {
				f.Reason, f.Detail = BadKey, badKey
			}
		}
		s.explainCode(req, hints, keys, usable, &f)
		return f
	}
	var w work
	f := s.read(&w, &req)
	if f.Reason != "" {
		s.explainMalformed(req, hints, keys, usable, &f)
		s.explainMissing(req, usable, &f)
		return f
	}
	if len(keys) == 0 {
		f.Reason, f.Detail = NoKey, "there is no key to verify with"
		return f
	}
	s.conclude(&w, &f, usable)
	if len(f.Keys) > 0 {
		return f
	}
	s.explainMismatch(&w, &f, hints, keys, usable, badKey)
	return f
}

// Verifies returns the places of the keys that a request verifies with, and looks for no cause where there are none: it is for
// keys that need not be the right ones, of which most verify nothing. A cause costs hundreds of digests. Keys that the scheme
// cannot use verify nothing.
func (s *Scheme) Verifies(req Request, keys ...string) []int {
	usable, _ := s.usable(keys)
	if s.code != nil {
		return s.code.verify(req, usable).Keys
	}
	var w work
	if f := s.read(&w, &req); f.Reason != "" {
		return nil
	}
	return s.verifying(&w, usable)
}

// conclude finds the keys that verify, and the reason.
func (s *Scheme) conclude(w *work, f *Finding, keys []usableKey) {
	f.Keys = s.verifying(w, keys)
	timeReason, timeDetail := s.timeForm(f)
	switch {
	case len(f.Keys) == 0 && w.unreadable():
		f.Reason, f.Detail = BadEncoding, w.encodingDetail
	case timeReason != "":
		f.Reason, f.Detail = timeReason, timeDetail
	case len(f.Keys) == 0:
		f.Reason, f.Detail = Mismatch, noKeyVerifies
	default:
		f.Reason = Verified
	}
}

// unreadable tells whether some claim has no signature that decodes.
func (r *reading) unreadable() bool {
	for i := range r.claims {
		if len(r.claims[i].sums) == 0 {
			return true
		}
	}
	return false
}

func (s *Scheme) usable(keys []string) (usable []usableKey, problem string) {
	for i, secret := range keys {
		k, err := s.key(secret)
		if err != nil {
			problem = fmt.Sprintf("key %d %v", i, err)
			continue
		}
		k.index = i
		usable = append(usable, k)
	}
	return usable, problem
}

// verifying returns the places of the keys for which each claim holds, ascending.
func (s *Scheme) verifying(w *work, keys []usableKey) []int {
	var verify []int
	for i := range keys {
		holds := len(w.claims) > 0
		for j := range w.claims {
			if !s.holds(w, &w.claims[j], &keys[i]) {
				holds = false
			}
		}
		if holds {
			verify = append(verify, keys[i].index)
		}
	}
	return verify
}

// holds tries a claim with each form of the URL.
func (s *Scheme) holds(w *work, c *claim, k *usableKey) bool {
	m := &w.material
	m.item = c.item
	if len(s.rec.URLVariants) == 0 {
		return s.proves(w, k, c, s.content(w, s.parts, m))
	}
	found := false
	for _, u := range s.urls(m.req.URL) {
		m.url = u
		if s.proves(w, k, c, s.content(w, s.parts, m)) {
			found = true
		}
	}
	return found
}
