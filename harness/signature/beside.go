package signature

import (
	"bytes"
	"slices"
)

// Beside returns the places of the keys that a request verifies with, as VerifyRequest does, for keys that are not the right ones: own
// has those that are, and may be nil. It costs one HMAC for each of own's keys where these account for every signature of the request,
// however many keys v has: a signature is one key's alone, unless another key is the same in all but its text.
func (v *Verifier) Beside(req Request, own *Verifier) []int {
	if own != nil && own.accounts(req, v.keys) {
		return nil
	}
	return v.VerifyRequest(req).Keys
}

// accounts tells whether none of the others can verify a request, since v's keys made its signatures. False says nothing.
func (v *Verifier) accounts(req Request, others []usableKey) bool {
	s := v.scheme
	if s.code != nil || !s.rec.hmac() {
		return false
	}
	b, _ := v.idle.Get().(*bench)
	defer func() {
		b.reset()
		v.idle.Put(b)
	}()
	if f := s.read(&b.work, &req); f.Reason != "" {
		return true // nobody's key verifies what cannot be read
	}
	for i := range b.claims {
		c := &b.claims[i]
		if c.digest != digestMD5 && s.made(&b.work, c, b.keys) && !sameKey(c.digest, b.keys, others) {
			return true // a key must make one signature of each claim
		}
	}
	return false
}

// made tells whether each signature of a claim is by one of the keys.
func (s *Scheme) made(w *work, c *claim, keys []usableKey) bool {
	for _, sum := range c.sums {
		one := *c
		one.sums = [][]byte{sum}
		by := false
		for i := range keys {
			by = by || s.holds(w, &one, &keys[i])
		}
		if !by {
			return false
		}
	}
	return true
}

// sameKey tells whether one of two lists has a key that makes the same HMACs as one of the other.
func sameKey(digest string, a, b []usableKey) bool {
	h := newHash(digest)()
	block := h.BlockSize()
	// What an HMAC makes of a key first (RFC 2104, section 2): cut by the digest to a block, which zeros fill.
	filled := func(k *usableKey) []byte {
		key := k.bytes
		if len(key) > block {
			h.Reset()
			h.Write(key)
			key = h.Sum(nil)
		}
		return bytes.TrimRight(key, "\x00")
	}
	for i := range a {
		one := filled(&a[i])
		if slices.ContainsFunc(b, func(k usableKey) bool { return bytes.Equal(one, filled(&k)) }) {
			return true
		}
	}
	return false
}
