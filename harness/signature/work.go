package signature

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Bounds of what is looked at in one request, so that work and memory do not grow with what strangers send. The most signatures that a
// known sender makes is eleven: Svix, with ten old keys.
const (
	maxSignatures = 32
	maxPairs      = 128
	maxItems      = 128 // of a body whose items are signed one by one
)

// work is what one verification needs of memory. It is used again and again, and never grows with the number of signatures.
type work struct {
	text   []byte   // the content's parts that are no body, one after another
	pieces [][]byte // of the content
	sums   [][]byte // decoded signatures, parts of room
	room   []byte
	mac    []byte
	reading
	list []claim
	carried
}

// claim is what must hold for a key to verify: that one of its signatures is the key's over the content. There is one, but for mirrors
// and items.
type claim struct {
	digest string
	item   any      // at which the pointers begin; nil: the body
	sums   [][]byte // decoded signatures
	what   string   // of whose signatures a detail speaks
}

// reset forgets what was read, and keeps the memory. Nothing of a large request is kept.
func (w *work) reset() {
	const keep = 64 << 10 // of keys by RSA 32 signatures are 16 KiB
	clear(w.pieces)
	clear(w.list)
	clear(w.texts[:w.n])
	w.text, w.pieces, w.sums, w.room, w.list = w.text[:0], w.pieces[:0], w.sums[:0], w.room[:0], w.list[:0]
	w.n, w.at, w.reading = 0, "", reading{}
	if cap(w.text) > keep {
		w.text = nil
	}
	if cap(w.room) > keep {
		w.room = nil
	}
}

// decode adds the bytes of a signature's text to those of the claim, or says what is wrong with it.
func (s *Scheme) decode(w *work, encoding, digest, text string) (problem string) {
	from := len(w.room)
	if text == "" {
		return "is empty"
	}
	n, err := 0, error(nil)
	switch encoding {
	case encodingRaw:
		w.room = append(w.room, text...)
		n = len(text)
	case encodingBase64, encodingB64URL:
		n, err = w.decodeBase64(s.alphabet(encoding), text)
	default:
		if !s.rec.HexCaseInsensitive && hasUpper(text) && isHexOf(text, s.sumSize(digest)) {
			return "is hex in upper case; this scheme wants lower case"
		}
		n, err = w.decodeHex(text, s.rec.HexCaseInsensitive)
	}
	sum := w.room[from : from+n]
	if want := s.sumSize(digest); err == nil && (want == 0 || len(sum) == want) {
		w.sums = append(w.sums, sum)
		return ""
	} else if err == nil {
		return fmt.Sprintf("decodes to %d bytes; want %d", len(sum), want)
	}
	w.room = w.room[:from]
	return fmt.Sprintf("is not %s%s", encoding, looksLike(text, encoding, s.sumSize(digest)))
}

func (s *Scheme) alphabet(encoding string) *base64.Encoding {
	if encoding == s.rec.Encoding {
		return s.base64
	}
	if encoding == encodingB64URL {
		return base64.RawURLEncoding.Strict()
	}
	return base64.StdEncoding.Strict()
}

// decodeBase64 takes the text's bytes through the room itself: the library's decoders of text copy it.
func (w *work) decodeBase64(e *base64.Encoding, text string) (int, error) {
	if strings.ContainsAny(text, "\r\n") {
		return 0, base64.CorruptInputError(0)
	}
	w.text = append(w.text[:0], text...)
	from, size := len(w.room), e.DecodedLen(len(text))
	w.room = slices.Grow(w.room, size)[:from+size]
	return e.Decode(w.room[from:], w.text)
}

func (w *work) decodeHex(text string, anyCase bool) (int, error) {
	if !anyCase && hasUpper(text) {
		return 0, hex.InvalidByteError('A')
	}
	from := len(w.room)
	w.room = append(w.room, text...)
	return hex.Decode(w.room[from:], w.room[from:])
}

func hasUpper(text string) bool {
	for i := range len(text) {
		if text[i] >= 'A' && text[i] <= 'Z' {
			return true
		}
	}
	return false
}

// sumSize is the length of a decoded signature; 0: it depends on the key.
func (s *Scheme) sumSize(digest string) int {
	switch s.rec.Algorithm {
	case "", algorithmHMAC:
		return digestSize(digest)
	case algorithmEd25519:
		return ed25519Size
	}
	return 0
}

// looksLike names the other encoding if the text is exactly a digest in it.
func looksLike(text, encoding string, size int) string {
	if encoding != encodingHex && isHexOf(text, size) {
		return "; it looks like hex"
	}
	if b, err := decodeBase64Text(text); encoding == encodingHex && err == nil && len(b) == size {
		return "; it looks like base64"
	}
	return ""
}

func isHexOf(text string, size int) bool {
	if len(text) != hex.EncodedLen(size) {
		return false
	}
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == size
}

// proves tells whether one of the claim's signatures is the key's over the pieces. HMACs are compared with each, without an early
// exit, in constant time.
func (s *Scheme) proves(w *work, k *usableKey, c *claim, pieces [][]byte) bool {
	if !s.rec.symmetric() {
		return s.rec.provesPublic(k.pair.public, c, pieces)
	}
	if s.rec.Algorithm == algorithmToken {
		w.mac = append(w.mac[:0], k.bytes...)
	} else {
		w.mac = k.digest(w.mac[:0], c.digest, pieces)
	}
	found := false
	for _, got := range c.sums {
		if hmac.Equal(got, w.mac) {
			found = true
		}
	}
	return found
}
