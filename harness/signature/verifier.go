package signature

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// Verifier verifies by a fixed set of keys whose bytes were made once, for a receiver that decides about each request. It is
// immutable and safe for concurrent use.
type Verifier struct {
	scheme *Scheme
	keys   []usableKey
	idle   *sync.Pool // of *bench
}

// bench is what one verification works with: memory, and the keys with digests that are ready.
type bench struct {
	work
	keys []usableKey
}

// Verifier returns a verifier by the secrets' texts, several during a rotation. It refuses an empty list, and a secret that the
// scheme cannot use, the empty one first of all; the error names its place and never holds it.
func (s *Scheme) Verifier(secrets ...string) (*Verifier, error) {
	if len(secrets) == 0 {
		return nil, errors.New("there is no secret: nothing can be verified without one")
	}
	v := &Verifier{scheme: s}
	for i, secret := range secrets {
		k, err := s.key(secret)
		if err != nil {
			return nil, fmt.Errorf("secret %d %w", i+1, err)
		}
		k.index = i
		v.keys = append(v.keys, k)
	}
	v.idle = &sync.Pool{New: func() any { return v.newBench() }}
	return v, nil
}

func (v *Verifier) newBench() *bench {
	b := &bench{keys: slices.Clone(v.keys)}
	if v.scheme.rec.hmac() {
		for i := range b.keys {
			b.keys[i].makeReady(v.scheme.rec.Digest)
			for _, m := range v.scheme.rec.Mirrors {
				b.keys[i].makeReady(m.Digest)
			}
		}
	}
	return b
}

// Verify checks the signatures of a request over the raw body bytes with each key, in constant time. Its finding says less
// than that of Scheme.Verify: it does not look for the cause of a mismatch, which would cost much and differ by cause. The
// digests are made even where nothing is there to compare them with, so that refusals take the same time.
func (v *Verifier) Verify(h http.Header, body []byte) Finding {
	return v.VerifyRequest(Request{Header: h, Body: body})
}

// VerifyRequest does the same with all that a request has.
func (v *Verifier) VerifyRequest(req Request) Finding {
	if code := v.scheme.code; code != nil {
		return code.verify(req, v.keys)
	}
	b, _ := v.idle.Get().(*bench)
	f := v.scheme.read(&b.work, &req)
	if f.Reason == "" {
		v.scheme.conclude(&b.work, &f, b.keys)
	} else {
		v.waste(b, req.Body)
	}
	b.reset()
	v.idle.Put(b)
	return f
}

// waste makes the digests that a well-formed request would have cost.
func (v *Verifier) waste(b *bench, body []byte) {
	c := claim{digest: v.scheme.rec.Digest}
	b.pieces = append(b.pieces[:0], body)
	for i := range b.keys {
		v.scheme.proves(&b.work, &b.keys[i], &c, b.pieces)
	}
}
