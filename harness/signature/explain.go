package signature

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// maxDiagnosedBody bounds the work after a mismatch: about twenty digests of 1 MiB take some 50 ms, and larger bodies come
// only from tests of size.
const maxDiagnosedBody = 1 << 20

// maxIndented bounds how deep a body may be nested that is indented to look for the cause. Libraries that indent are not used
// on deeper ones.
const maxIndented = 64

// explain looks for the cause of a mismatch by recomputing what common mistakes would have signed. Only an exact match
// names a cause, so a named one is certain.
func (s *Scheme) explain(w *work, r *reading, secrets []string, usable []usableKey) (Reason, string) {
	if len(r.claims) != 1 || s.rec.Algorithm == algorithmToken {
		return Mismatch, noKeyVerifies
	}
	c := &r.claims[0]
	if len(r.body) > maxDiagnosedBody {
		return Mismatch, "no key verifies over the received bytes; the body is too large to look for the cause"
	}
	if s.rec.hmac() && s.proves(w, &usableKey{}, c, s.content(w, s.parts, &r.material)) {
		return EmptyKey, "the signature was made with an empty key"
	}
	for _, v := range slices.Concat(s.contentVariants(r.material), bodyVariants(s, r.material)) {
		pieces := s.content(w, v.parts, &v.material)
		for i := range usable {
			if s.proves(w, &usable[i], c, pieces) {
				return v.reason, v.detail
			}
		}
	}
	if !s.rec.hmac() {
		return Mismatch, noKeyVerifies
	}
	pieces := s.content(w, s.parts, &r.material)
	for _, secret := range secrets {
		for _, v := range keyVariants(secret) {
			if s.proves(w, &usableKey{bytes: v.key}, c, pieces) {
				return OtherKeyForm, "the key was used as " + v.form
			}
		}
	}
	return Mismatch, noKeyVerifies
}

const noKeyVerifies = "no key verifies over the received bytes"

// variant is other content than declared, with what it would mean.
type variant struct {
	reason   Reason
	detail   string
	parts    []part
	material material
}

func (s *Scheme) contentVariants(m material) []variant {
	var all []variant
	if len(s.parts) > 1 {
		all = append(all, variant{SignedBodyOnly, "only the body is signed", []part{{word: partBody}}, m})
	}
	if s.signs(partTimestamp) {
		all = append(all, variant{SignedWithoutTime, "the time is not signed", without(s.parts, partTimestamp), m})
	}
	if s.signs(partID) {
		all = append(all, variant{SignedWithoutID, "the id is not signed", without(s.parts, partID), m})
	}
	for _, t := range otherUnits(m.timestamp) {
		o := m
		o.timestamp = t
		all = append(all, variant{SignedOtherTime, "the signed time has another unit than the sent one", s.parts, o})
	}
	return all
}

// without leaves out a word and the text that follows it.
func without(parts []part, word string) []part {
	i := slices.IndexFunc(parts, func(p part) bool { return p.word == word })
	n := 1
	if i+1 < len(parts) && parts[i+1].word == "" {
		n++
	}
	return slices.Delete(slices.Clone(parts), i, i+n)
}

// otherUnits returns the time in milliseconds if it is in seconds, and in seconds if it is in milliseconds. Milliseconds
// that are no whole second cannot be guessed.
func otherUnits(text string) []string {
	switch {
	case !isDigits(text):
		return nil
	case len(text) == millisDigits:
		return []string{text[:millisDigits-3]}
	case len(text) <= maxSecondDigits:
		return []string{text + "000"}
	}
	return nil
}

// bodyVariants are other serialisations of the same JSON, as libraries make them between signing and sending.
func bodyVariants(s *Scheme, v material) []variant {
	var all []variant
	add := func(detail string, body []byte) {
		if bytes.Equal(body, v.body) {
			return
		}
		w := v
		w.body = body
		all = append(all, variant{SignedOtherBody, "the signature covers " + detail, s.parts, w})
	}
	add("an empty body", nil)
	add("the body without its final line end", bytes.TrimRight(v.body, "\r\n"))
	add("the body with a final line end", append(bytes.Clone(v.body), '\n'))
	var compact bytes.Buffer
	if json.Compact(&compact, v.body) != nil {
		return all
	}
	add("the body without spaces", compact.Bytes())
	if indented, ok := Indented(v.body, maxIndented); ok {
		add("the body indented", indented)
	}
	add("the body with a space after each colon and comma", spaced(compact.Bytes()))
	add("the body with non-ASCII characters escaped", escapeNonASCII(v.body))
	if sorted, plain, ok := decoded(v.body); ok {
		add("the body with its keys sorted", sorted)
		add("the body with its keys sorted and characters unescaped", plain)
	}
	if raw, ok := unescapeNonASCII(v.body); ok {
		add("the body with escaped characters written out", raw)
	}
	return all
}

// spaced is the default layout of Python's json module.
func spaced(compact []byte) []byte {
	var out []byte
	inString, escaped := false, false
	for _, c := range compact {
		out = append(out, c)
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case !inString && (c == ':' || c == ','):
			out = append(out, ' ')
		}
	}
	return out
}

func escapeNonASCII(body []byte) []byte {
	var out []byte
	for _, r := range string(body) {
		switch {
		case r < 0x80:
			out = append(out, byte(r))
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = appendEscape(appendEscape(out, hi), lo)
		default:
			out = appendEscape(out, r)
		}
	}
	return out
}

func appendEscape(out []byte, r rune) []byte {
	const width = 4 // of the hex digits in a JSON escape
	digits := strconv.FormatInt(int64(r), 16)
	return append(out, `\u`+strings.Repeat("0", width-len(digits))+digits...)
}

// unescapeNonASCII keeps the layout and writes each escaped non-ASCII character as UTF-8.
func unescapeNonASCII(body []byte) ([]byte, bool) {
	if !bytes.Contains(body, []byte(`\u`)) {
		return nil, false
	}
	var out []byte
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' || i+1 >= len(body) {
			out = append(out, body[i])
			continue
		}
		text, n := unescapeOne(body[i:])
		out = append(out, text...)
		i += n - 1
	}
	return out, true
}

// unescapeOne takes one escape, or a pair of surrogates, from the start of b. b is valid JSON, so escapes are complete.
func unescapeOne(b []byte) (text []byte, n int) {
	const single, pair = 6, 12 // bytes of one unicode escape, and of two
	for _, size := range []int{pair, single} {
		if len(b) < size || b[1] != 'u' {
			continue
		}
		var s string
		if json.Unmarshal([]byte(`"`+string(b[:size])+`"`), &s) != nil {
			continue
		}
		if runes := []rune(s); len(runes) == 1 && runes[0] >= 0x80 && runes[0] != '\uFFFD' {
			return []byte(s), size
		}
	}
	return b[:2], 2
}

// decoded re-encodes the JSON with sorted keys, with and without escapes of HTML characters. Numbers keep their tokens.
func decoded(body []byte) (escaped, plain []byte, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil, nil, false
	}
	escaped, err := json.Marshal(v)
	if err != nil {
		return nil, nil, false
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil, nil, false
	}
	return escaped, bytes.TrimSuffix(buf.Bytes(), []byte("\n")), true
}

// keyForm is a secret wrongly turned into bytes.
type keyForm struct {
	form string
	key  []byte
}

func keyVariants(secret string) []keyForm {
	all := []keyForm{{"its text, undecoded and with its prefix", []byte(secret)}}
	bare := secret
	if _, rest, ok := strings.Cut(secret, "_"); ok {
		bare = rest
		all = append(all, keyForm{"its text without the prefix, undecoded", []byte(bare)})
	}
	if b, err := decodeBase64Text(bare); err == nil && len(b) > 0 {
		all = append(all, keyForm{"its base64-decoded bytes", b})
	}
	if b, err := hex.DecodeString(bare); err == nil && len(b) > 0 {
		all = append(all, keyForm{"its hex-decoded bytes", b})
	}
	return append(all, keyForm{"its base64 text", []byte(base64.StdEncoding.EncodeToString([]byte(secret)))},
		keyForm{"its text with a final line end", []byte(secret + "\n")})
}
