package signature_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/signature"
)

// sample is a request that is known to be right.
type sample struct {
	id, key string
	s       *signature.Scheme
	r       signature.Request
	ready   *signature.Verifier
}

// samples are all valid vectors.
func samples(t *testing.T) []sample {
	t.Helper()
	var all []sample
	add := func(id, key string, s *signature.Scheme, r signature.Request) {
		ready, err := s.Verifier(key)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sample{id, key, s, r, ready})
	}
	for _, v := range publishedVectors(t) {
		if v.Valid {
			add(v.ID, v.Secret, v.scheme(t), v.request())
		}
	}
	for _, v := range vectors(t) {
		if v.Reason == signature.Verified {
			add(v.ID, v.Keys[0], scheme(t, v.Scheme), v.request())
		}
	}
	return all
}

// verifies does not look for the cause where not, which would take long.
func (x sample) verifies(r signature.Request) bool { return x.ready.VerifyRequest(r).OK() }

// flipped calls f with each copy of b that differs in one bit of one byte.
func flipped(b []byte, f func(i int, changed []byte)) {
	for i := range b {
		changed := bytes.Clone(b)
		changed[i] ^= 1 << (i % 8)
		f(i, changed)
	}
}

// TestEveryChangedByteOfTheContentIsRejected changes each byte of the request. One that changes what is signed must be rejected; and
// a change must change what is signed, wherever the scheme says that it covers the place.
func TestEveryChangedByteOfTheContentIsRejected(t *testing.T) {
	for _, x := range samples(t) {
		t.Run(x.id, func(t *testing.T) {
			signed, ok := x.s.SignedRequest(x.r)
			if !ok && x.s.Record().Algorithm != "token" {
				t.Fatal("it is not known what is signed")
			}
			rejected := map[string]int{}
			try := func(place string, changed signature.Request, always bool) {
				if !x.verifies(changed) {
					rejected[place]++
					return
				}
				content, known := x.s.SignedRequest(changed)
				if same := known == ok && bytes.Equal(content, signed); always || !same {
					t.Errorf("%s: a changed byte is not rejected: %q, %v", place, changed.Body, changed.Header)
				}
			}
			x.changes(try)
			for place, covered := range map[string]bool{
				"body":   slices.ContainsFunc(x.s.Covers(), func(c string) bool { return strings.HasPrefix(c, "body") }) && len(x.r.Body) > 0,
				"target": slices.Contains(x.s.Covers(), "target"),
				"time":   x.s.Record().Timestamp.Header != "",
				"id":     x.s.Record().MessageID.Header != "",
			} {
				if covered && rejected[place] == 0 {
					t.Errorf("%s is covered, and nothing was rejected for it", place)
				}
			}
		})
	}
}

// changes makes all changes of one byte. always says that the scheme covers the place byte by byte.
func (x sample) changes(try func(place string, changed signature.Request, always bool)) {
	rec := x.s.Record()
	whole := slices.Contains(x.s.Covers(), "body") || slices.Contains(x.s.Covers(), "body-crc32") || rec.Algorithm == "rfc9530"
	form := strings.HasPrefix(x.r.Header.Get("Content-Type"), "application/x-www-form")
	flipped(x.r.Body, func(_ int, changed []byte) {
		r := x.r
		r.Body = changed
		try("body", r, whole && !form)
	})
	for name, values := range x.r.Header {
		place := "other"
		switch {
		case strings.EqualFold(name, rec.Timestamp.Header):
			place = "time"
		case strings.EqualFold(name, rec.MessageID.Header):
			place = "id"
		case slices.ContainsFunc(x.s.Headers(), func(h string) bool { return strings.EqualFold(h, name) }):
			continue // the signature's own: see below
		}
		flipped([]byte(values[0]), func(_ int, changed []byte) {
			r := x.r
			r.Header = x.r.Header.Clone()
			r.Header[name] = []string{string(changed)}
			try(place, r, place != "other")
		})
	}
	u, err := url.Parse(x.r.URL)
	if err != nil || !slices.Contains(x.s.Covers(), "target") {
		return
	}
	flipped([]byte(x.r.URL), func(i int, changed []byte) {
		port := strings.Index(x.r.URL, ":"+u.Port())
		if len(rec.URLVariants) > 0 && u.Port() != "" && i >= port && i <= port+len(u.Port()) {
			return // the sender may have signed without it, so that it is not covered
		}
		r := x.r
		r.URL = string(changed)
		try("target", r, true)
	})
}

// TestEveryChangedByteOfTheSignatureIsRejected changes each byte of each decoded signature. Where several signatures came, those of
// other keys may change.
func TestEveryChangedByteOfTheSignatureIsRejected(t *testing.T) {
	for _, x := range samples(t) {
		t.Run(x.id, func(t *testing.T) {
			texts := x.signatureTexts(t)
			bearing := 0
			for _, text := range texts {
				raw, encode := decoded(x.s.Record(), text)
				let := 0
				flipped(raw, func(_ int, changed []byte) {
					if x.verifies(x.replaced(text, encode(changed))) {
						let++
					}
				})
				switch let {
				case 0:
					bearing++
				case len(raw):
				default:
					t.Errorf("of %d bytes of a signature %d can be changed", len(raw), let)
				}
			}
			if x.s.Record().Algorithm != "token" && bearing == 0 {
				t.Errorf("none of %d signatures bears the verification", len(texts))
			}
		})
	}
}

func (x sample) signatureTexts(t *testing.T) []string {
	t.Helper()
	rec := x.s.Record()
	switch {
	case rec.Algorithm == "token":
		return nil // it is the key, whose bytes are changed below
	case rec.Algorithm == "rfc9530":
		var texts []string
		for member := range strings.SplitSeq(x.r.Header.Get("Content-Digest"), ", ") {
			_, text, _ := strings.Cut(strings.TrimSuffix(member, ":"), ":")
			texts = append(texts, text)
		}
		return texts
	case x.s.InBody():
		var texts []string
		for _, key := range []string{"hmacSignature", "signature"} {
			for _, after := range strings.Split(strings.ReplaceAll(string(x.r.Body), `": "`, `":"`), `"`+key+`":"`)[1:] {
				text, _, _ := strings.Cut(after, `"`)
				texts = append(texts, text)
			}
		}
		return texts
	}
	texts := x.s.Signatures(x.r.Header)
	for _, m := range rec.Mirrors {
		if v := x.r.Header.Get(m.Header); v != "" {
			texts = append(texts, strings.TrimPrefix(v, m.Prefix))
		}
	}
	return texts
}

func decoded(r signature.Record, text string) (raw []byte, encode func([]byte) string) {
	if r.Encoding == "hex" {
		raw, _ = hex.DecodeString(text)
		return raw, hex.EncodeToString
	}
	raw, _ = base64.StdEncoding.DecodeString(text)
	return raw, base64.StdEncoding.EncodeToString
}

// replaced is the request with another text for a signature.
func (x sample) replaced(old, text string) signature.Request {
	r := x.r
	r.Header = http.Header{}
	for name, values := range x.r.Header {
		r.Header[name] = []string{strings.ReplaceAll(values[0], old, text)}
	}
	if x.s.InBody() {
		quotedOld, _ := json.Marshal(old)
		quoted, _ := json.Marshal(text)
		r.Body = bytes.Replace(r.Body, quotedOld, quoted, 1)
	}
	return r
}

// TestEveryChangedByteOfTheKeyIsRejected changes each byte of the decoded key, private or public. A public key that is none any more
// is rejected as well.
func TestEveryChangedByteOfTheKeyIsRejected(t *testing.T) {
	for _, x := range samples(t) {
		if x.s.Record().Algorithm == "rfc9530" {
			continue // there is none
		}
		t.Run(x.id, func(t *testing.T) {
			raw, encode := keyBytes(x.s.Record(), x.key)
			if !x.s.VerifyRequest(x.r, encode(raw)).OK() {
				t.Fatal("the key is not read as the scheme reads it")
			}
			flipped(raw, func(i int, changed []byte) {
				if v, err := x.s.Verifier(encode(changed)); err == nil && v.VerifyRequest(x.r).OK() {
					t.Errorf("byte %d of %d can be changed", i, len(raw))
				}
			})
		})
	}
}

// keyBytes decodes a key's text by the record's words.
func keyBytes(r signature.Record, text string) (raw []byte, encode func([]byte) string) {
	if block, _ := pem.Decode([]byte(text)); block != nil {
		return block.Bytes, func(b []byte) string {
			return string(pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: b}))
		}
	}
	prefix := ""
	for _, p := range []string{r.Secret.StripPrefix, r.Secret.PublicPrefix} {
		if p != "" && strings.HasPrefix(text, p) {
			prefix = p
		}
	}
	text = strings.TrimPrefix(text, prefix)
	switch r.Secret.Decode {
	case "base64":
		raw, _ = base64.StdEncoding.DecodeString(text)
		return raw, func(b []byte) string { return prefix + base64.StdEncoding.EncodeToString(b) }
	case "hex":
		raw, _ = hex.DecodeString(text)
		return raw, func(b []byte) string { return prefix + hex.EncodeToString(b) }
	}
	return []byte(text), func(b []byte) string { return prefix + string(b) }
}
