package signature

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
)

// Verifier verifies by a fixed set of keys whose bytes were made once, for a receiver that decides about each request. It is
// immutable and safe for concurrent use.
type Verifier struct {
	scheme *Scheme
	keys   []usableKey
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
		v.keys = append(v.keys, usableKey{index: i, bytes: k, idle: new(sync.Pool)})
	}
	return v, nil
}

// Verify checks the signatures of a request over the raw body bytes with each key, in constant time. Its finding says less
// than that of Scheme.Verify: it does not look for the cause of a mismatch, which would cost much and differ by cause. The
// digests are made even where nothing is there to compare them with, so that refusals take the same time.
func (v *Verifier) Verify(h http.Header, body []byte) Finding { return v.verify(canonical(h), body) }

// VerifyFields does the same with the fields of a head as they came, without a standard header made of them first. A name that is
// not ASCII is none.
func (v *Verifier) VerifyFields(h [][2]string, body []byte) Finding { return v.verify(fields(h), body) }

func (v *Verifier) verify(h headers, body []byte) Finding {
	r, f := v.scheme.read(h)
	r.parts.body = body
	keys := v.scheme.verifying(r, v.keys)
	if f.Reason != "" {
		return f
	}
	f.Keys = keys
	timeReason, timeDetail := f.timeForm()
	switch {
	case len(keys) == 0 && len(r.sums) == 0:
		f.Reason, f.Detail = BadEncoding, r.encodingDetail
	case timeReason != "":
		f.Reason, f.Detail = timeReason, timeDetail
	case len(keys) == 0:
		f.Reason, f.Detail = Mismatch, "no key verifies over the received bytes"
	default:
		f.Reason = Verified
	}
	return f
}
