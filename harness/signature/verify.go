package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"hash"
	"net/http"
	"sync"
)

// Verify checks the signatures of a request over the raw body bytes with each key, and says why none verifies. It
// recomputes with other contents and key forms only after a mismatch, to name the cause. Keys are the secrets' texts; the
// comparison takes constant time. Header names are looked up whatever their case. It never fails otherwise than by its
// Finding.
func (s *Scheme) Verify(h http.Header, body []byte, keys ...string) Finding {
	r, f := s.read(canonical(h))
	if f.Reason != "" {
		return f
	}
	if len(keys) == 0 {
		f.Reason, f.Detail = NoKey, "there is no key to verify with"
		return f
	}
	r.parts.body = body
	usable, badKey := s.usable(keys)
	f.Keys = s.verifying(r, usable)
	timeReason, timeDetail := f.timeForm()
	switch {
	case len(f.Keys) > 0 && timeReason != "":
		f.Reason, f.Detail = timeReason, timeDetail
	case len(f.Keys) > 0:
		f.Reason = Verified
	case len(r.sums) == 0:
		f.Reason, f.Detail = BadEncoding, r.encodingDetail
	default:
		f.Reason, f.Detail = s.explain(r, keys, usable)
		if f.Reason == Mismatch && timeReason != "" {
			f.Reason, f.Detail = timeReason, timeDetail+"; no key verifies either"
		} else if f.Reason == Mismatch && len(usable) == 0 {
			f.Reason, f.Detail = BadKey, badKey
		}
	}
	return f
}

// usableKey is a key that the scheme can use, with its place among those given.
type usableKey struct {
	index int
	bytes []byte
	// idle holds digests made ready with the key, for one that is used again and again; nil: none are kept.
	idle *sync.Pool
}

// digest is the key's digest of the pieces. A digest that is made anew costs as much as hashing 200 bytes, and 900 bytes of memory.
func (k usableKey) digest(pieces [][]byte) []byte {
	if k.idle == nil {
		return digest(k.bytes, pieces)
	}
	m, ok := k.idle.Get().(hash.Hash)
	if !ok {
		m = hmac.New(sha256.New, k.bytes)
	}
	for _, p := range pieces {
		m.Write(p)
	}
	sum := m.Sum(nil)
	m.Reset()
	k.idle.Put(m)
	return sum
}

func (s *Scheme) usable(keys []string) (usable []usableKey, problem string) {
	for i, secret := range keys {
		k, err := s.key(secret)
		if err != nil {
			problem = fmt.Sprintf("key %d %v", i, err)
			continue
		}
		usable = append(usable, usableKey{index: i, bytes: k})
	}
	return usable, problem
}

func (s *Scheme) verifying(r reading, usable []usableKey) []int {
	var verify []int
	content := s.content(s.rec.SignedContent, r.parts)
	for _, k := range usable {
		if r.holds(k.digest(content)) {
			verify = append(verify, k.index)
		}
	}
	return verify
}

// reading is what the headers of a request say.
type reading struct {
	parts          signedParts
	sums           [][]byte // decoded signatures of the scheme's version
	encodingDetail string   // of the last signature that does not decode
}

// holds compares with every signature, without an early exit.
func (r reading) holds(sum []byte) bool {
	found := false
	for _, got := range r.sums {
		if hmac.Equal(got, sum) {
			found = true
		}
	}
	return found
}

// digestSize is the length of a decoded signature.
const digestSize = sha256.Size
