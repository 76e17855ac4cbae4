package signature

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Bounds of the keys that are tried, of each kind: more would use up the digests before the pairs are reached.
const (
	maxFormedKeys = 4
	maxHintedKeys = 32
)

// otherKey is a key that should not have signed.
type otherKey struct {
	mistake
	usableKey
}

// otherKeys are the given keys wrongly turned into bytes, then those of old and of other endpoints.
func (d *diagnosis) otherKeys() []otherKey {
	var all []otherKey
	if d.s.rec.hmac() {
		for _, secret := range d.secrets[:min(len(d.secrets), maxFormedKeys)] {
			all = append(all, d.s.otherForms(secret)...)
		}
	}
	add := func(secret string, m mistake) {
		if k, err := d.s.key(secret); err == nil && !slices.Contains(d.secrets, secret) {
			all = append(all, otherKey{m, k})
		}
	}
	for i, secret := range d.hints.Old[:min(len(d.hints.Old), maxHintedKeys)] {
		add(secret, mistake{causeKeyOld, fmt.Sprintf("it was signed with old key %d", i)})
	}
	for _, k := range d.hints.Foreign[:min(len(d.hints.Foreign), maxHintedKeys)] {
		add(k.Secret, mistake{causeKeyForeign, fmt.Sprintf("it was signed with the key of %q", k.Name)})
	}
	return all
}

// otherForms are a secret wrongly turned into bytes, each form once, and never the right one.
func (s *Scheme) otherForms(secret string) []otherKey {
	right, _ := s.key(secret) // an unusable one has no right form
	seen := []string{string(right.bytes), ""}
	var all []otherKey
	add := func(cause, form string, key []byte) {
		if !slices.Contains(seen, string(key)) {
			seen = append(seen, string(key))
			all = append(all, otherKey{mistake{cause, saysKeyUsedPrefix + form}, usableKey{bytes: key}})
		}
	}
	bare, prefixed := secret, false
	if _, rest, ok := strings.Cut(secret, "_"); ok {
		bare, prefixed = rest, true
	}
	whole := causeKeyText
	if s.rec.Secret.StripPrefix != "" && prefixed {
		whole = causeKeyPrefix
	}
	add(whole, "its text, undecoded and with its prefix", []byte(secret))
	if prefixed {
		cause := causeKeyNoPrefix
		if s.rec.Secret.Decode != decodeRaw {
			cause = causeKeyText
		}
		add(cause, "its text without the prefix, undecoded", []byte(bare))
	}
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if b, err := strictBase64(e, bare); err == nil {
			add(causeKeyBase64, "its base64-decoded bytes", b)
		}
	}
	if b, err := hex.DecodeString(bare); err == nil {
		add(causeKeyHex, "its hex-decoded bytes", b)
	}
	add(causeKeyAsBase64, "its base64 text", []byte(base64.StdEncoding.EncodeToString([]byte(secret))))
	add(causeKeyAsHex, "its hex text", []byte(hex.EncodeToString([]byte(secret))))
	if len(right.bytes) > 0 {
		add(causeKeyAsBase64, "the base64 text of its bytes", []byte(base64.StdEncoding.EncodeToString(right.bytes)))
		add(causeKeyAsHex, "the hex text of its bytes", []byte(hex.EncodeToString(right.bytes)))
	}
	add(causeKeyLineEnd, "its text with a final line end", []byte(secret+"\n"))
	add(causeKeyLineEnd, "its text with a final line end of two characters", []byte(secret+"\r\n"))
	add(causeKeyLineEnd, "its text without the space around it", []byte(strings.TrimSpace(secret)))
	return all
}
