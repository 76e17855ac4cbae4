package signature

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Sign returns the headers that the scheme adds to a request. Each key adds one signature, newest first. Without a key, or
// with one that the scheme cannot use, it returns an error and never a weaker signature.
func (s *Scheme) Sign(c Content, keys ...string) (http.Header, error) {
	if s.code != nil {
		return s.signCoded(c, keys)
	}
	if s.rec.Carrier.BodyPointer != "" {
		return nil, fmt.Errorf("sign: %s carries its signature in the body; use SignBody", s.rec.ID)
	}
	if s.rec.Timestamp.From == fromHeader || s.rec.Timestamp.From == fromCarrier {
		if err := checkTime(c.At); err != nil {
			return nil, fmt.Errorf("sign: %w", err)
		}
	}
	at := s.formatTime(c.At)
	if s.rec.Timestamp.From == fromBody { // it is there already, or not signed apart from the body
		var f Finding
		if at, f = s.bodyValue(&material{req: Request{Body: c.Body}}, s.rec.Timestamp.Pointer); f.Reason != "" {
			return nil, fmt.Errorf("sign: %s", f.Detail)
		}
		if at == "" {
			return nil, fmt.Errorf("sign: the body holds no time at %s, where %s has it; see Stamp", s.rec.Timestamp.Pointer, s.rec.ID)
		}
	}
	sums, err := s.sums(c, at, nil, keys)
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	h := http.Header{}
	if s.series() {
		for i, sum := range sums {
			h.Set(s.carrierHeader(i+1), s.writeCarrier(at, []string{sum}))
		}
	} else {
		h.Set(s.rec.Carrier.Header, s.writeCarrier(at, sums))
	}
	if s.rec.Timestamp.From == fromHeader {
		h.Set(s.rec.Timestamp.Header, at)
	}
	if s.rec.MessageID.Header != "" {
		h.Set(s.rec.MessageID.Header, c.ID)
	}
	return h, s.signMirrors(h, c, at, keys)
}

// signMirrors adds the headers of the mirrors, by the newest key.
func (s *Scheme) signMirrors(h http.Header, c Content, at string, keys []string) error {
	for _, m := range s.rec.Mirrors {
		beside := *s
		beside.rec.Digest, beside.rec.Encoding = m.Digest, m.Encoding
		sums, err := beside.sums(c, at, nil, keys[:1])
		if err != nil {
			return fmt.Errorf("sign %s: %w", m.Header, err)
		}
		h.Set(m.Header, m.Prefix+sums[0])
	}
	return nil
}

// sums are the encoded signatures of the content, one by each key, over an item of the body if there is one.
func (s *Scheme) sums(c Content, at string, item any, keys []string) ([]string, error) {
	switch {
	case len(keys) == 0:
		return nil, errors.New("no key")
	case len(keys) > s.Carries():
		return nil, fmt.Errorf("%d keys; a request of this scheme carries at most %d", len(keys), s.Carries())
	}
	if err := s.checkID(c.ID); err != nil {
		return nil, err
	}
	m := material{req: Request{Method: c.Method, URL: c.URL, Header: c.Header, Body: c.Body}, id: c.ID, timestamp: at, item: item}
	if reason, detail := s.readMaterial(m.req.headers(), &m); reason != "" {
		return nil, errors.New(detail)
	}
	var w work
	pieces := s.content(&w, s.parts, &m)
	sums := make([]string, len(keys))
	for i, secret := range keys {
		k, err := s.key(secret)
		if err != nil {
			return nil, fmt.Errorf("key %d %w", i, err)
		}
		sum, err := s.sum(&k, pieces)
		if err != nil {
			return nil, fmt.Errorf("key %d %w", i, err)
		}
		sums[i] = s.encode(sum)
	}
	return sums, nil
}

func (s *Scheme) sum(k *usableKey, pieces [][]byte) ([]byte, error) {
	switch {
	case s.rec.Algorithm == algorithmToken:
		return k.bytes, nil
	case s.rec.symmetric():
		return k.digest(nil, s.rec.Digest, pieces), nil
	}
	return s.rec.signPrivate(k.pair, pieces)
}

func checkTime(at time.Time) error {
	if at.Unix() < 0 {
		return fmt.Errorf("time %s lies before 1970 and has no form on the wire", at.UTC().Format(time.RFC3339))
	}
	return nil
}

func (s *Scheme) checkID(id string) error {
	if !s.signs(partID) {
		return nil
	}
	if id == "" {
		return errors.New("id is empty, and this scheme signs it")
	}
	if strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("id holds a character that a header cannot carry unchanged")
	}
	if sep := s.after(partID); sep != "" && strings.Contains(id, sep) {
		// As Standard Webhooks says: else two messages could share one signature.
		return fmt.Errorf("id holds %q, which ends the id in what is signed", sep)
	}
	return nil
}

func (s *Scheme) encode(sum []byte) string {
	switch s.rec.Encoding {
	case encodingRaw:
		return string(sum)
	case encodingBase64:
		return base64.StdEncoding.EncodeToString(sum)
	case encodingB64URL:
		return base64.RawURLEncoding.EncodeToString(sum)
	}
	return hex.EncodeToString(sum)
}

func hexSHA256(body []byte) string { return hex.EncodeToString(hashed(digestSHA256, [][]byte{body})) }

func (s *Scheme) signCoded(c Content, keys []string) (http.Header, error) {
	if len(keys) == 0 && s.rec.Algorithm != algorithmRFC9530 {
		return nil, errors.New("sign: no key")
	}
	fields, err := s.code.sign(c, keys)
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	h := http.Header{}
	for _, f := range fields {
		h.Set(f[0], f[1])
	}
	return h, nil
}
