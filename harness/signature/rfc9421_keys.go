package signature

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"encoding/asn1"
	"errors"
	"math/big"
	"net/http"
)

// Algorithms of RFC 9421, by their names in its registry.
const (
	algHMAC    = "hmac-sha256"
	algEd25519 = "ed25519"
	algP256    = "ecdsa-p256-sha256"
	algP384    = "ecdsa-p384-sha384"
	algPSS     = "rsa-pss-sha512"
	algPKCS1   = "rsa-v1_5-sha256"
)

// messageAlgorithm is the algorithm that a key is for; empty: none. The signature's own word never chooses the kind of the key.
func messageAlgorithm(k usableKey) string {
	switch p := k.pair.public.(type) {
	case nil:
		return algHMAC
	case ed25519.PublicKey:
		return algEd25519
	case *ecdsa.PublicKey:
		switch p.Curve {
		case elliptic.P256():
			return algP256
		case elliptic.P384():
			return algP384
		}
	case *rsa.PublicKey:
		return algPSS
	}
	return ""
}

// verifiesMessage tells whether a signature is the key's. Only a key by RSA has two algorithms, of which a name may say the other one.
func verifiesMessage(k *usableKey, alg string, named bool, content, sig []byte) bool {
	own := messageAlgorithm(*k)
	if own == algPSS && alg == algPKCS1 {
		own = algPKCS1
	}
	if named && alg != own {
		return false
	}
	pieces := [][]byte{content}
	switch own {
	case algHMAC:
		return hmac.Equal(k.digest(nil, digestSHA256, pieces), sig)
	case algEd25519:
		p, ok := k.pair.public.(ed25519.PublicKey)
		return ok && ed25519.Verify(p, content, sig)
	case algP256:
		return verifiesPair(k, hashed(digestSHA256, pieces), sig)
	case algP384:
		return verifiesPair(k, hashed(digestSHA384, pieces), sig)
	case algPSS:
		p, ok := k.pair.public.(*rsa.PublicKey)
		return ok && rsa.VerifyPSS(p, crypto.SHA512, hashed(digestSHA512, pieces), sig, pssOptions()) == nil
	case algPKCS1:
		p, ok := k.pair.public.(*rsa.PublicKey)
		return ok && rsa.VerifyPKCS1v15(p, crypto.SHA256, hashed(digestSHA256, pieces), sig) == nil
	}
	return false
}

// pssOptions are those of RFC 9421, section 3.3.1: a salt of 64 bytes.
func pssOptions() *rsa.PSSOptions {
	const salt = 64
	return &rsa.PSSOptions{SaltLength: salt, Hash: crypto.SHA512}
}

// verifiesPair takes r and s of the same length, one after the other.
func verifiesPair(k *usableKey, sum, sig []byte) bool {
	p, ok := k.pair.public.(*ecdsa.PublicKey)
	if !ok || len(sig) != 2*coordinate(p.Curve) {
		return false
	}
	half := len(sig) / 2
	return ecdsa.Verify(p, sum, new(big.Int).SetBytes(sig[:half]), new(big.Int).SetBytes(sig[half:]))
}

// coordinate is the length of one number of a curve in bytes.
func coordinate(c elliptic.Curve) int {
	const bits = 8
	return (c.Params().BitSize + bits - 1) / bits
}

// signMessage signs by the algorithm that the key is for.
func signMessage(k *usableKey, content []byte) ([]byte, error) {
	pieces := [][]byte{content}
	alg := messageAlgorithm(*k)
	if alg == algHMAC {
		return k.digest(nil, digestSHA256, pieces), nil
	}
	if k.pair.private == nil {
		return nil, errors.New("is a public key, which signs nothing")
	}
	switch alg {
	case algEd25519:
		return k.pair.private.Sign(nil, content, crypto.Hash(0))
	case algPSS:
		return k.pair.private.Sign(rand.Reader, hashed(digestSHA512, pieces), pssOptions())
	case algP384:
		return signPair(k, hashed(digestSHA384, pieces), crypto.SHA384)
	}
	return signPair(k, hashed(digestSHA256, pieces), crypto.SHA256)
}

func signPair(k *usableKey, sum []byte, h crypto.Hash) ([]byte, error) {
	der, err := k.pair.private.Sign(nil, sum, h)
	if err != nil {
		return nil, err
	}
	var rs struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(der, &rs); err != nil {
		return nil, err
	}
	p, ok := k.pair.public.(*ecdsa.PublicKey)
	if !ok {
		return nil, errors.New("is no ECDSA key")
	}
	size := coordinate(p.Curve)
	sig := make([]byte, 2*size)
	rs.R.FillBytes(sig[:size])
	rs.S.FillBytes(sig[size:])
	return sig, nil
}

func withField(h http.Header, name, value string) http.Header {
	if h == nil {
		h = http.Header{}
	}
	h.Set(name, value)
	return h
}
