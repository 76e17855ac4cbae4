package signature

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"hash"
	"strings"
)

// Secret returns random bytes in the scheme's secret form, for a harness or sender that makes its own keys: always printable
// ASCII, hex where the text itself is the key, a private key where those who verify have only its public half. The caller brings the
// randomness; what makes no key that the scheme takes is refused. 32 bytes suit every scheme but those by RSA, whose keys are
// made by other means, and those without any key.
func (s *Scheme) Secret(random []byte) (string, error) {
	raw := random
	if !s.rec.symmetric() && s.rec.Algorithm != algorithmRFC9421 {
		var err error
		if raw, err = s.rec.privateKey(random); err != nil {
			return "", err
		}
	}
	if s.rec.Algorithm == algorithmToken && s.rec.Encoding == encodingBase64 && len(random) > 0 {
		return "hookassay:" + hex.EncodeToString(random), nil // user and password, of basic authentication
	}
	text := s.rec.Secret.StripPrefix
	switch s.rec.Secret.Decode {
	case decodeBase64:
		text += base64.StdEncoding.EncodeToString(raw)
	case decodeBase64URL:
		text += base64.RawURLEncoding.EncodeToString(raw)
	case decodePEM:
		text += string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
	default:
		text += hex.EncodeToString(raw)
	}
	if _, err := s.key(text); err != nil {
		return "", err
	}
	return text, nil
}

// usableKey is a key that the scheme can use, with its place among those given.
type usableKey struct {
	index int
	bytes []byte // of a symmetric key
	pair  keyPair
	// ready are HMACs made ready with the key, for one that is used again and again. One that is not there is made for each use,
	// which costs as much as hashing 200 bytes, and 900 bytes of memory.
	ready []readyMAC
}

// readyMAC is an HMAC of a key by a digest.
type readyMAC struct {
	digest string
	mac    hash.Hash
}

func (k *usableKey) mac(digest string) hash.Hash {
	for i := range k.ready {
		if k.ready[i].digest == digest {
			return k.ready[i].mac
		}
	}
	return hmac.New(newHash(digest), k.bytes)
}

func (k *usableKey) makeReady(digest string) {
	k.ready = append(k.ready, readyMAC{digest, k.mac(digest)})
}

// digest is the key's HMAC of the pieces, appended to dst.
func (k *usableKey) digest(dst []byte, digest string, pieces [][]byte) []byte {
	m := k.mac(digest)
	for _, p := range pieces {
		m.Write(p)
	}
	dst = m.Sum(dst)
	m.Reset()
	return dst
}

// key turns a secret's text into what signs or verifies. Its errors never hold the secret.
func (s *Scheme) key(secret string) (usableKey, error) {
	if s.rec.Algorithm == algorithmRFC9530 {
		return usableKey{}, nil
	}
	if secret == "" {
		return usableKey{}, errors.New("is empty")
	}
	if s.rec.Algorithm == algorithmRFC9421 {
		return messageKey(secret)
	}
	raw, err := s.decodeKey(secret)
	if err != nil {
		return usableKey{}, err
	}
	if lo := max(s.rec.Secret.MinBytes, 1); len(raw) < lo {
		return usableKey{}, fmt.Errorf("is %d bytes long; this scheme wants at least %d", len(raw), lo)
	}
	if hi := s.rec.Secret.MaxBytes; hi > 0 && len(raw) > hi {
		return usableKey{}, fmt.Errorf("is %d bytes long; this scheme wants at most %d", len(raw), hi)
	}
	if s.rec.symmetric() {
		return usableKey{bytes: raw}, nil
	}
	pair, err := s.rec.keyPair(raw)
	if err != nil {
		return usableKey{}, fmt.Errorf("%w; this scheme wants %s", err, s.keyForm())
	}
	return usableKey{pair: pair}, nil
}

func (s *Scheme) decodeKey(secret string) ([]byte, error) {
	form := s.rec.Secret
	text := strings.TrimPrefix(secret, form.StripPrefix)
	if form.PublicPrefix != "" {
		text = strings.TrimPrefix(text, form.PublicPrefix)
	}
	switch form.Decode {
	case decodeBase64, decodeBase64URL:
		encoding, name := base64.StdEncoding, "standard base64"
		if form.Decode == decodeBase64URL {
			encoding, name = base64.RawURLEncoding, "base64 of the URL alphabet"
		}
		raw, err := strictBase64(encoding, text)
		if err != nil {
			return nil, fmt.Errorf("is not %s; this scheme wants %s", name, s.keyForm())
		}
		return raw, nil
	case decodeHex:
		raw, err := hex.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("is not hex; this scheme wants %s", s.keyForm())
		}
		return raw, nil
	case decodePEM:
		block, rest := pem.Decode([]byte(text))
		if block == nil || strings.TrimSpace(string(rest)) != "" {
			return nil, fmt.Errorf("is not one PEM block; this scheme wants %s", s.keyForm())
		}
		return block.Bytes, nil
	}
	return []byte(text), nil
}

// keyForm says for people how a key is written.
func (s *Scheme) keyForm() string {
	k := s.rec.Secret
	switch {
	case s.rec.Algorithm == algorithmRFC9530:
		return "no key"
	case s.rec.Algorithm == algorithmRFC9421:
		return messageKeyForm
	case k.Decode == decodeRaw:
		return "the secret's text as it is"
	case k.Decode == decodePEM:
		return "a PEM block with the key or a certificate"
	}
	size := ""
	if k.MinBytes > 0 && k.MaxBytes > 0 {
		size = fmt.Sprintf(", %d to %d bytes", k.MinBytes, k.MaxBytes)
	}
	what := "the key in " + k.Decode
	if k.StripPrefix != "" {
		what = k.StripPrefix + " and " + what
	}
	if k.PublicPrefix != "" {
		what += " (of the public key: " + k.PublicPrefix + ")"
	}
	return what + size
}

// strictBase64 is strict: the decoder of the library skips line ends, and lets unused bits of the last letter vary, so that two texts
// would stand for one signature.
func strictBase64(e *base64.Encoding, s string) ([]byte, error) {
	if strings.ContainsAny(s, "\r\n") {
		return nil, errors.New("line end in base64")
	}
	return e.Strict().DecodeString(s)
}

func decodeBase64Text(s string) ([]byte, error) { return strictBase64(base64.StdEncoding, s) }
