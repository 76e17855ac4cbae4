package signature

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"errors"
	"slices"
)

const ed25519Size = ed25519.SignatureSize

// provesPublic tells whether one of the claim's signatures verifies by the public key.
func (r Record) provesPublic(public crypto.PublicKey, c *claim, pieces [][]byte) bool {
	var sum []byte
	if r.Algorithm != algorithmEd25519 {
		sum = hashed(r.Digest, pieces)
	}
	return slices.ContainsFunc(c.sums, func(sig []byte) bool {
		switch k := public.(type) {
		case ed25519.PublicKey:
			return ed25519.Verify(k, slices.Concat(pieces...), sig)
		case *ecdsa.PublicKey:
			return ecdsa.VerifyASN1(k, sum, sig)
		case *rsa.PublicKey:
			return rsa.VerifyPKCS1v15(k, cryptoHash(r.Digest), sum, sig) == nil
		}
		return false
	})
}

// signPrivate makes a signature by the private key, the same for the same content.
func (r Record) signPrivate(p keyPair, pieces [][]byte) ([]byte, error) {
	if p.private == nil {
		return nil, errors.New("is a public key, which signs nothing")
	}
	if r.Algorithm == algorithmEd25519 {
		return p.private.Sign(nil, slices.Concat(pieces...), crypto.Hash(0))
	}
	return p.private.Sign(nil, hashed(r.Digest, pieces), cryptoHash(r.Digest))
}

func hashed(digest string, pieces [][]byte) []byte {
	h := newHash(digest)()
	for _, p := range pieces {
		h.Write(p)
	}
	return h.Sum(nil)
}
