package signature

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// read takes the scheme's headers apart. A finding with a Reason ends the verification.
func (s *Scheme) read(h headers) (reading, Finding) {
	var r reading
	value, f := single(h, s.rec.Carrier.Header)
	if f.Reason != "" {
		return r, f
	}
	texts, f := s.pairs(value, &r)
	if f.Reason != "" {
		return r, f
	}
	if s.rec.MessageID.Header != "" {
		if r.parts.id, f = single(h, s.rec.MessageID.Header); f.Reason != "" {
			return r, f
		}
	}
	if s.rec.Timestamp.From == fromHeader {
		if r.parts.timestamp, f = single(h, s.rec.Timestamp.Header); f.Reason != "" {
			if f.Reason == MissingHeader {
				f.Reason = NoTimestamp
			}
			return r, f
		}
	}
	if r.parts.timestamp == "" {
		return r, Finding{Reason: NoTimestamp, Detail: fmt.Sprintf("%s holds no %s", s.Header(), s.rec.Carrier.TimeTag)}
	}
	f.SignedAtText = r.parts.timestamp
	f.SignedAt = parseUnixSeconds(r.parts.timestamp)
	if len(texts) == 0 {
		f.Reason = NoSignature
		f.Detail = fmt.Sprintf("%s holds no %s", s.Header(), s.rec.Carrier.SignatureTag)
		return r, f
	}
	for i, t := range texts {
		sum, problem := s.decode(t)
		if problem != "" {
			r.encodingDetail = fmt.Sprintf("signature %d %s", i, problem)
			continue
		}
		r.sums = append(r.sums, sum)
	}
	return r, f
}

// headers are where the values of a header are looked up: one of them, and how many there are.
type headers interface {
	value(name string) (one string, n int)
}

// canonical is a standard header. net/http canonicalises names, but a header may come from elsewhere, so names are compared
// without case.
type canonical http.Header

func (h canonical) value(name string) (one string, n int) {
	for k, v := range h {
		if len(v) > 0 && strings.EqualFold(k, name) {
			one, n = v[0], n+len(v)
		}
	}
	return one, n
}

// fields are a header as it came.
type fields [][2]string

func (h fields) value(name string) (one string, n int) {
	for _, f := range h {
		if len(f[0]) == len(name) && strings.EqualFold(f[0], name) {
			one, n = f[1], n+1
		}
	}
	return one, n
}

// single returns the only value of a header.
func single(h headers, name string) (string, Finding) {
	value, n := h.value(name)
	switch {
	case n == 0:
		return "", Finding{Reason: MissingHeader, Detail: name + " is absent"}
	case n > 1:
		return "", Finding{Reason: RepeatedHeader, Detail: fmt.Sprintf("%s came %d times", name, n)}
	case value == "":
		return "", Finding{Reason: MissingHeader, Detail: name + " is empty"}
	}
	return value, Finding{}
}

// Signatures returns the texts of the signatures of the scheme's version in h, for those who must look for leaks of them.
// It is nil if the header is absent, repeated or malformed.
func (s *Scheme) Signatures(h http.Header) []string {
	value, f := single(canonical(h), s.rec.Carrier.Header)
	if f.Reason != "" {
		return nil
	}
	texts, _ := s.pairs(value, &reading{})
	return texts
}

// pairs returns the signature texts of the carrier, and puts the time into r where the carrier holds it.
func (s *Scheme) pairs(value string, r *reading) ([]string, Finding) {
	c := s.rec.Carrier
	malformed := func(i int, what string) ([]string, Finding) {
		return nil, Finding{Reason: MalformedHeader, Detail: fmt.Sprintf("%s, entry %d: %s", c.Header, i, what)}
	}
	var texts []string
	timed := false
	for i, p := range strings.Split(value, c.PairSep) {
		tag, text, ok := strings.Cut(p, c.KVSep)
		switch {
		case !ok:
			return malformed(i, fmt.Sprintf("no %q between tag and value", c.KVSep))
		case !isTag(tag):
			return malformed(i, "the tag is not made of letters and digits alone")
		case c.TimeTag != "" && tag == c.TimeTag && timed:
			return malformed(i, "a second time")
		case c.TimeTag != "" && tag == c.TimeTag:
			timed, r.parts.timestamp = true, text
		case tag == c.SignatureTag:
			texts = append(texts, text)
		}
	}
	return texts, Finding{}
}

func isTag(s string) bool {
	for _, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
		if !letter {
			return false
		}
	}
	return s != ""
}

// decode turns a signature's text into the digest's bytes, or says what is wrong with it.
func (s *Scheme) decode(text string) (sum []byte, problem string) {
	var err error
	switch {
	case text == "":
		return nil, "is empty"
	case s.rec.Encoding == encodingBase64:
		sum, err = decodeBase64Text(text)
	case !s.rec.HexCaseInsensitive && text != strings.ToLower(text) && isHexOf(text, digestSize):
		return nil, "is hex in upper case; this scheme wants lower case"
	default:
		sum, err = hex.DecodeString(text)
	}
	if err == nil && len(sum) == digestSize {
		return sum, ""
	}
	if err == nil {
		return nil, fmt.Sprintf("decodes to %d bytes; want %d", len(sum), digestSize)
	}
	return nil, fmt.Sprintf("is not %s%s", s.rec.Encoding, s.looksLike(text))
}

// looksLike names the other encoding if the text is exactly a digest in it.
func (s *Scheme) looksLike(text string) string {
	if s.rec.Encoding == encodingBase64 && isHexOf(text, digestSize) {
		return "; it looks like hex"
	}
	if b, err := decodeBase64Text(text); s.rec.Encoding == encodingHex && err == nil && len(b) == digestSize {
		return "; it looks like base64"
	}
	return ""
}

func isHexOf(text string, size int) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == size
}

// Digits of a unix time. Ten digits of seconds last until the year 2286; thirteen digits are milliseconds of our time, and
// as seconds would lie 30 000 years ahead. Eleven is the most that can still be meant as seconds.
const (
	maxSecondDigits = 11
	millisDigits    = 13
)

// parseUnixSeconds returns the zero time for whatever is not plain decimal digits of a plausible length.
func parseUnixSeconds(text string) time.Time {
	if !isDigits(text) || len(text) > maxSecondDigits || len(text) > 1 && text[0] == '0' {
		return time.Time{}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// timeForm says what is wrong with the form of the time; nothing if SignedAt is set.
func (f Finding) timeForm() (Reason, string) {
	switch {
	case !f.SignedAt.IsZero():
		return "", ""
	case isDigits(f.SignedAtText) && len(f.SignedAtText) == millisDigits:
		return Milliseconds, "the time has 13 digits, which are milliseconds; declared are seconds"
	}
	return BadTimestamp, fmt.Sprintf("the time (%d bytes) is not a decimal number of unix seconds", len(f.SignedAtText))
}
