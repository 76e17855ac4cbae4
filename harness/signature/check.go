package signature

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Bounds of a record, which may come from outside: far above every known scheme.
const (
	maxParts = 64
	maxWord  = 256 // bytes of one text
)

// checker collects what is wrong with a record.
type checker struct{ errs []error }

func (k *checker) add(field, format string, args ...any) {
	k.errs = append(k.errs, &FieldError{field, fmt.Sprintf(format, args...)})
}

// FieldError is what is wrong with one field of a record. The error of Compile joins all of them.
type FieldError struct{ Field, What string }

func (e *FieldError) Error() string { return e.Field + ": " + e.What }

func (k *checker) one(field, got string, known ...string) {
	if !slices.Contains(known, got) {
		k.add(field, "%q is unknown; known are %q", got, known)
	}
}

func (k *checker) need(field string, missing bool) {
	if missing {
		k.add(field, "is missing")
	}
}

// check refuses words that no code stands behind; a record must not be read as a weaker scheme than it says.
func (r Record) check() error {
	k := &checker{}
	k.need("id", r.ID == "")
	k.need("title", r.Title == "")
	if r.Like != "" {
		k.add("like", "is still there: records are read by DecodeRecord or in a contract")
	}
	k.one("algorithm", r.Algorithm, "", algorithmHMAC, algorithmToken, algorithmEd25519, algorithmECDSA, algorithmRSA, algorithmRFC9421, algorithmRFC9530)
	switch r.Algorithm {
	case algorithmRFC9421, algorithmRFC9530:
		r.checkCoded(k)
	default:
		r.checkKey(k)
		r.checkCarrier(k)
		r.checkTime(k)
		r.checkContent(k)
	}
	return errors.Join(k.errs...)
}

// symmetric tells whether the one who verifies could sign as well.
func (r Record) symmetric() bool {
	return r.Algorithm == "" || r.Algorithm == algorithmHMAC || r.Algorithm == algorithmToken
}

func (r Record) checkKey(k *checker) {
	if r.symmetric() {
		k.one("secret.decode", r.Secret.Decode, decodeRaw, decodeBase64, decodeBase64URL, decodeHex)
	} else {
		k.one("secret.decode", r.Secret.Decode, decodeBase64, decodeBase64URL, decodeHex, decodePEM)
	}
	if r.Secret.MinBytes < 0 || r.Secret.MaxBytes < 0 || r.Secret.MaxBytes > 0 && r.Secret.MinBytes > r.Secret.MaxBytes {
		k.add("secret", "min_bytes %d and max_bytes %d leave no key", r.Secret.MinBytes, r.Secret.MaxBytes)
	}
	switch r.Algorithm {
	case algorithmToken:
		k.one("encoding", r.Encoding, encodingRaw, encodingBase64)
	default:
		k.one("encoding", r.Encoding, encodingHex, encodingBase64, encodingB64URL)
	}
	if r.Algorithm != algorithmToken && r.Algorithm != algorithmEd25519 {
		k.one("digest", r.Digest, digestNames()...)
	}
	for _, d := range r.DigestNamed {
		k.one("digest_named", d, digestNames()...)
	}
	if len(r.DigestNamed) > 0 && (r.Carrier.inPairs() || r.Carrier.Prefix != "" || !slices.Contains(r.DigestNamed, r.Digest)) {
		k.add("digest_named", "goes with a header without pairs and prefix, and has the digest among its own")
	}
	if r.CertificateHeader != "" {
		k.header("certificate_header", r.CertificateHeader)
	}
	for i, m := range r.Mirrors {
		field := fmt.Sprintf("mirrors[%d]", i)
		k.one(field+".digest", m.Digest, digestNames()...)
		k.one(field+".encoding", m.Encoding, encodingHex, encodingBase64, encodingB64URL)
		k.header(field+".header", m.Header)
	}
	if len(r.Mirrors) > 0 && !r.hmac() {
		k.add("mirrors", "are for hmac alone")
	}
}

// has tells whether a word is in the signed content. Content that cannot be read has none, and is refused by itself.
func (r Record) has(word string) bool {
	parts, _ := parseParts(r.SignedContent)
	return slices.ContainsFunc(parts, func(p part) bool { return p.word == word })
}

func (r Record) hmac() bool { return r.Algorithm == "" || r.Algorithm == algorithmHMAC }

// header wants the name of a header, as RFC 9110 has it.
func (k *checker) header(field, name string) {
	switch {
	case name == "":
		k.add(field, "is missing")
	case len(name) > maxWord || strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~", c)
	}):
		k.add(field, "%q is no name of a header", name)
	}
}

func (r Record) checkCarrier(k *checker) {
	c := r.Carrier
	switch {
	case c.BodyPointer != "" && c.Header != "":
		k.add("carrier", "has header and body_pointer; it is one of them")
	case c.BodyPointer != "":
		k.pointer("carrier.body_pointer", c.BodyPointer)
	default:
		k.header("carrier.header", strings.Replace(c.Header, holder, "1", 1))
	}
	if c.Each != "" {
		k.pointer("carrier.each", c.Each)
		if c.BodyPointer == "" {
			k.add("carrier.each", "goes with body_pointer: each item carries a signature of its own")
		}
	}
	switch {
	case c.inPairs():
		k.need("carrier.kv_sep", c.KVSep == "")
		k.need("carrier.signature_tag", c.SignatureTag == "")
		k.need("carrier.time_tag", r.Timestamp.From == fromCarrier && c.TimeTag == "")
		if c.Prefix != "" {
			k.add("carrier.prefix", "goes with a value that is no list of pairs")
		}
	case c.KVSep != "" || c.SignatureTag != "" || c.TimeTag != "":
		k.need("carrier.pair_sep", true)
	case r.Timestamp.From == fromCarrier:
		k.need("carrier.pair_sep", true)
	}
	r.checkSeparators(k)
	for field, text := range map[string]string{
		"carrier.prefix": c.Prefix, "carrier.pair_sep": c.PairSep, "carrier.kv_sep": c.KVSep, "carrier.value_sep": c.ValueSep,
		"carrier.time_tag": c.TimeTag, "carrier.signature_tag": c.SignatureTag,
	} {
		if len(text) > maxWord || strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) {
			k.add(field, "wants printable ASCII, %d bytes at most", maxWord)
		}
	}
}

// checkSeparators refuses what would part a signature or a time in the middle.
func (r Record) checkSeparators(k *checker) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	c := r.Carrier
	for field, sep := range map[string]string{"carrier.pair_sep": c.PairSep, "carrier.value_sep": c.ValueSep} {
		if strings.ContainsAny(sep, letters+"+/=-") {
			k.add(field, "%q may be a part of a signature", sep)
		}
		if r.Timestamp.From == fromCarrier && r.Timestamp.Format == formatRFC3339 && strings.ContainsAny(sep, ".:") {
			k.add(field, "%q may be a part of the time", sep)
		}
	}
	if strings.ContainsAny(c.KVSep, letters) || c.KVSep != "" && c.PairSep != "" && strings.Contains(c.KVSep, c.PairSep) {
		k.add("carrier.kv_sep", "%q may be a part of a tag, or of what parts pairs", c.KVSep)
	}
	for field, tag := range map[string]string{"carrier.time_tag": c.TimeTag, "carrier.signature_tag": c.SignatureTag} {
		if tag != "" && !isTag(tag) {
			k.add(field, "%q is not made of letters, digits and _ alone", tag)
		}
	}
	if c.TimeTag != "" && c.TimeTag == c.SignatureTag {
		k.add("carrier.time_tag", "is the signature's as well")
	}
	if strings.TrimLeft(c.Prefix, " ") != c.Prefix {
		k.add("carrier.prefix", "begins with a space, which a header loses on its way")
	}
}

func (r Record) checkTime(k *checker) {
	t := r.Timestamp
	k.one("timestamp.from", t.From, "", fromCarrier, fromHeader, fromBody)
	signed := r.has(partTimestamp)
	switch t.From {
	case "":
		if signed {
			k.add("timestamp.from", "is missing: the content holds %s", partTimestamp)
		}
		return
	case fromHeader:
		k.header("timestamp.header", t.Header)
	case fromBody:
		k.pointer("timestamp.pointer", t.Pointer)
		signed = signed || r.has(partBody)
	}
	k.one("timestamp.format", t.Format, formatUnixSecs, formatUnixMillis, formatRFC3339)
	if !signed {
		k.add("timestamp", "is not signed, and proves nothing: put %s into signed_content or leave the time out", partTimestamp)
	}
	if t.PastS < 0 || t.FutureS < 0 {
		k.add("timestamp", "past_s and future_s are 0 or more")
	}
}

func (r Record) checkContent(k *checker) {
	id := r.has(partID)
	switch {
	case r.MessageID.Pointer != "":
		k.pointer("message_id.pointer", r.MessageID.Pointer)
	case id || r.MessageID.Header != "":
		k.need("message_id.header", r.MessageID.Header == "")
	}
	if !id && r.MessageID != (MessageID{}) {
		k.add("message_id", "is not signed: put %s into signed_content or leave the id out", partID)
	}
	if r.Algorithm == algorithmToken {
		if len(r.SignedContent) > 0 {
			k.add("signed_content", "is for signatures; a token signs nothing")
		}
		return
	}
	parts, err := parseParts(r.SignedContent)
	if err != nil {
		k.add("signed_content", "%v", err)
	}
	if len(parts) > maxParts {
		k.add("signed_content", "has %d parts; at most %d", len(parts), maxParts)
	}
	whole := false
	for _, p := range parts {
		whole = whole || slices.Contains([]string{partBody, partFormSorted, partCRC32, partSHA256}, p.word)
		switch p.word {
		case prefixPointer:
			k.pointer("signed_content", p.arg)
		case prefixHeader:
			k.header("signed_content", p.arg)
		case prefixConst:
			if _, ok := r.constant(p.arg); !ok {
				k.add("constants", "have no %q, which is signed", p.arg)
			}
		}
	}
	if err == nil && !whole && !r.Partial {
		k.add("signed_content", "{body} is missing; if the body is not covered on purpose, say so by partial")
	}
	for _, v := range r.URLVariants {
		k.one("url_variants", v, asIs, stripPort, addDefaultPort)
	}
	if (len(r.URLVariants) > 0 || r.QuerySum != "") && !r.has(partURL) {
		k.add("signed_content", "holds no %s, of which url_variants and query_sum are", partURL)
	}
}

// pointer wants a JSON pointer (RFC 6901), of which ~ escapes are left out.
func (k *checker) pointer(field, text string) {
	if !strings.HasPrefix(text, "/") || strings.Contains(text, "~") || len(text) > maxWord {
		k.add(field, "%q is no JSON pointer, such as /signature/timestamp", text)
	}
}

// checkCoded is for the schemes whose grammar is code.
func (r Record) checkCoded(k *checker) {
	for _, c := range r.Components {
		if _, err := parseComponent(c); err != nil {
			k.add("components", "%v", err)
		}
	}
	for _, c := range r.Require {
		k.one("require", c, coversBody, coversTimestamp, coversMethod, coversTarget)
	}
	if r.Algorithm == algorithmRFC9530 {
		k.one("digest", r.Digest, digestSHA256, digestSHA512)
		if len(r.Components)+len(r.Require) > 0 {
			k.add("components", "and require are of rfc9421 alone")
		}
	}
}
