package signature

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Secret returns random bytes in the scheme's secret form, for a harness or sender that makes its own keys: always printable
// ASCII, hex where the text itself is the key. The caller brings the randomness; what makes no key that the scheme takes
// is refused, and 32 bytes suit every scheme.
func (s *Scheme) Secret(random []byte) (string, error) {
	text := s.rec.Secret.StripPrefix
	switch s.rec.Secret.Decode {
	case decodeBase64:
		text += base64.StdEncoding.EncodeToString(random)
	default:
		text += hex.EncodeToString(random)
	}
	if _, err := s.key(text); err != nil {
		return "", err
	}
	return text, nil
}

// key turns a secret's text into the bytes that sign. Its errors never hold the secret.
func (s *Scheme) key(secret string) ([]byte, error) {
	if secret == "" {
		return nil, errors.New("is empty")
	}
	k := []byte(strings.TrimPrefix(secret, s.rec.Secret.StripPrefix))
	if s.rec.Secret.Decode == decodeBase64 {
		dec, err := decodeBase64Text(string(k))
		if err != nil {
			return nil, fmt.Errorf("is not standard base64; this scheme wants %s", s.keyForm())
		}
		k = dec
	}
	if lo := max(s.rec.Secret.MinBytes, 1); len(k) < lo {
		return nil, fmt.Errorf("is %d bytes long; this scheme wants at least %d", len(k), lo)
	}
	if hi := s.rec.Secret.MaxBytes; hi > 0 && len(k) > hi {
		return nil, fmt.Errorf("is %d bytes long; this scheme wants at most %d", len(k), hi)
	}
	return k, nil
}

// decodeBase64Text is strict: the standard decoder skips line ends, and lets unused bits of the last letter vary, so that
// two texts would stand for one signature.
func decodeBase64Text(s string) ([]byte, error) {
	if strings.ContainsAny(s, "\r\n") {
		return nil, errors.New("line end in base64")
	}
	return base64.StdEncoding.Strict().DecodeString(s)
}
