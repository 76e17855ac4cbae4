package signature

import (
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
)

// Bounds of the texts that are read in another way.
const (
	maxAltered = 4
	// minCut is the fewest bytes of a signature that is cut short for which a match is no chance.
	minCut = 8
)

// value is a way to read the signature's text, with what would then be wrong with it.
type value struct {
	claim

	mistakes []mistake
	cut      bool // sums are the beginning of the signatures only
}

// values are the declared reading, and the others that give a signature's length.
func (d *diagnosis) values() (declared value, altered []value) {
	declared = value{claim: *d.claim}
	if d.claim.what != "" {
		return declared, nil // of a mirror or an item the text is not kept
	}
	for _, text := range d.w.texts[:min(d.w.n, maxAltered)] {
		altered = append(altered, d.s.readings(strings.Clone(text))...)
	}
	return declared, altered
}

// coded is a text's bytes by one encoding.
type decodedText struct {
	encoding string
	mistake  mistake
	bytes    []byte
}

func decodings(text string) []decodedText {
	var all []decodedText
	add := func(encoding string, m mistake, b []byte, err error) {
		if err == nil && len(b) > 0 {
			all = append(all, decodedText{encoding, m, b})
		}
	}
	other := func(form string) mistake { return mistake{causeEncoding, "the signature is in " + form} }
	even := text[:len(text)&^1] // hex that is cut may end in half a byte
	b, err := hex.DecodeString(even)
	if hasUpper(text) {
		add("", mistake{causeCase, "the signature is hex in upper case"}, b, err)
	} else {
		add(encodingHex, other("hex"), b, err)
	}
	bare := strings.TrimRight(text, "=")
	if bare != text {
		b, err = strictBase64(base64.StdEncoding, text)
		add(encodingBase64, other("padded base64"), b, err)
		b, err = strictBase64(base64.URLEncoding, text)
		add("", other("padded base64 of the URL alphabet"), b, err)
	}
	b, err = strictBase64(base64.RawStdEncoding, bare)
	add("", other("base64"), b, err)
	if err == nil {
		b, err = hex.DecodeString(string(b))
		add("", other("base64 of its hex text"), b, err)
	}
	b, err = strictBase64(base64.RawURLEncoding, bare)
	add(encodingB64URL, other("base64 of the URL alphabet"), b, err)
	return all
}

// readings are the ways to read a text that are not the declared one.
func (s *Scheme) readings(text string) []value {
	var all []value
	add := func(digest string, sum []byte, cut bool, mistakes ...mistake) {
		mistakes = slices.DeleteFunc(mistakes, func(m mistake) bool { return m.cause == "" })
		if len(mistakes) > 0 {
			all = append(all, value{claim{digest: digest, sums: [][]byte{sum}}, mistakes, cut})
		}
	}
	for _, dec := range decodings(text) {
		if dec.encoding == s.rec.Encoding {
			dec.mistake = mistake{}
		}
		if !s.rec.hmac() {
			add(s.rec.Digest, dec.bytes, false, dec.mistake)
			continue
		}
		want := digestSize(s.rec.Digest)
		for _, name := range digestNames() {
			switch {
			case digestSize(name) != len(dec.bytes):
			case name == s.rec.Digest:
				add(name, dec.bytes, false, dec.mistake)
			default:
				add(name, dec.bytes, false, mistake{causeDigest, "the digest is " + name + " instead of " + s.rec.Digest}, dec.mistake)
			}
		}
		if n := len(dec.bytes); n >= minCut && n < want {
			add(s.rec.Digest, dec.bytes, true, mistake{causeTruncated, "the signature is cut short"}, dec.mistake)
		}
	}
	return all
}

// repaired are requests whose signature's header is put together as declared, of the texts that the header holds, with what was
// wrong with it.
func (s *Scheme) repaired(req Request) (all []Request, wrong []mistake) {
	if s.rec.Carrier.Header == "" || s.series() || !s.rec.symmetric() || s.rec.Algorithm == algorithmToken {
		return nil, nil
	}
	given, n := req.headers().value(s.rec.Carrier.Header)
	if n != 1 || len(given) > maxRepaired {
		return nil, nil
	}
	texts, at := s.looseTexts(given)
	for _, text := range texts {
		m := mistake{causeValueForm, "the signature's header is put together in another way than declared"}
		if text == strings.TrimSpace(given) {
			m = mistake{causePrefix, "what stands before the signature is missing in its header"}
		}
		again := req
		again.Fields, again.Header = nil, http.Header{}
		for _, f := range req.fields() {
			if !strings.EqualFold(f[0], s.rec.Carrier.Header) {
				again.Header[f[0]] = append(again.Header[f[0]], f[1])
			}
		}
		again.Header[s.rec.Carrier.Header] = []string{s.writeCarrier(at, []string{text})}
		all, wrong = append(all, again), append(wrong, m)
	}
	return all, wrong
}

// maxRepaired is the length of a header's value that is looked into; real ones have a few hundred characters.
const maxRepaired = 4096

// looseTexts are what may be signatures in a header, however it is put together, and the time of it if it carries one.
func (s *Scheme) looseTexts(given string) (texts []string, at string) {
	split := func(r rune) bool { return strings.ContainsRune(" \t,;", r) }
	for _, token := range strings.FieldsFunc(given, split) {
		_, rest, tagged := strings.Cut(token, "=")
		if !tagged || strings.Trim(rest, "=") == "" {
			rest = token // the = is the padding of base64
		}
		rest = strings.Trim(rest, `"`)
		if isDigits(rest) && len(rest) <= maxMilliDigits {
			at = rest
			continue
		}
		if len(rest) >= 2*minCut && len(texts) < maxAltered {
			texts = append(texts, rest)
		}
	}
	return texts, at
}

// fields are the head's fields, in whichever form they were handed in.
func (r Request) fields() [][2]string {
	if r.Fields != nil {
		return r.Fields
	}
	var all [][2]string
	for name, values := range r.Header {
		for _, v := range values {
			all = append(all, [2]string{name, v})
		}
	}
	return all
}
