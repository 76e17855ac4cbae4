package signature

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
)

// keyPair is an asymmetric key. Without a private half it only verifies.
type keyPair struct {
	public  crypto.PublicKey
	private crypto.Signer
}

// keyPair reads a key: 32 bytes of an ed25519 public key, or 64 of a private one (seed and public key); else DER.
func (r Record) keyPair(raw []byte) (keyPair, error) {
	if r.Algorithm == algorithmEd25519 {
		switch len(raw) {
		case ed25519.PublicKeySize:
			return keyPair{public: ed25519.PublicKey(raw)}, nil
		case ed25519.PrivateKeySize:
			return seededKey(raw)
		}
	}
	p, err := parseDER(raw)
	if err != nil {
		return keyPair{}, err
	}
	return p, r.fits(p)
}

func (r Record) fits(p keyPair) error {
	ok := false
	switch k := p.public.(type) {
	case ed25519.PublicKey:
		ok = r.Algorithm == algorithmEd25519
	case *ecdsa.PublicKey:
		ok = r.Algorithm == algorithmECDSA && k.Curve == elliptic.P256()
	case *rsa.PublicKey:
		ok = r.Algorithm == algorithmRSA
	}
	if !ok {
		return fmt.Errorf("is a key of another kind than %s", r.Algorithm)
	}
	return nil
}

// seededKey refuses a private key whose public half is another's: what it signs would give the seed away.
func seededKey(raw []byte) (keyPair, error) {
	private := ed25519.NewKeyFromSeed(raw[:ed25519.SeedSize])
	if !private.Equal(ed25519.PrivateKey(raw)) {
		return keyPair{}, errors.New("is a seed with the public key of another")
	}
	public, _ := private.Public().(ed25519.PublicKey)
	return keyPair{public: public, private: private}, nil
}

// parseDER reads a public key (SPKI), a certificate, or a private key (PKCS #8, PKCS #1).
func parseDER(der []byte) (keyPair, error) {
	if k, err := x509.ParsePKIXPublicKey(der); err == nil {
		return keyPair{public: k}, nil
	}
	if c, err := x509.ParseCertificate(der); err == nil {
		return keyPair{public: c.PublicKey}, nil
	}
	if k, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return keyPair{public: k.Public(), private: k}, nil
	}
	if k, err := x509.ParsePKCS8PrivateKey(der); err == nil {
		if signer, ok := k.(crypto.Signer); ok {
			return keyPair{public: signer.Public(), private: signer}, nil
		}
	}
	return keyPair{}, errors.New("is neither a public key, a certificate nor a private key")
}

// privateKey makes a private key of 32 random bytes, in the bytes that keyPair reads.
func (r Record) privateKey(random []byte) ([]byte, error) {
	const size = 32
	if len(random) != size {
		return nil, fmt.Errorf("a key of %s is made of %d random bytes, not of %d", r.Algorithm, size, len(random))
	}
	switch r.Algorithm {
	case algorithmEd25519:
		return ed25519.NewKeyFromSeed(random), nil
	case algorithmECDSA:
		k, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), random)
		if err != nil {
			return nil, fmt.Errorf("the random bytes are no key: %w", err) // one draw of 2^32
		}
		return x509.MarshalPKCS8PrivateKey(k)
	case algorithmRSA:
		return nil, errors.New("keys of rsa-pkcs1v15 are not made here: openssl genpkey -algorithm RSA makes one")
	}
	return nil, fmt.Errorf("%s has no key", r.Algorithm)
}
