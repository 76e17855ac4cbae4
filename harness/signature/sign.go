package signature

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Content is what one attempt signs.
type Content struct {
	ID   string    // the event's id; needed only where the scheme signs it
	At   time.Time // the attempt's time; cut to the scheme's unit
	Body []byte    // as it goes over the wire
}

// Sign returns the headers that the scheme adds to a request. Each key adds one signature, newest first. Without a key, or
// with one that the scheme cannot use, it returns an error and never a weaker signature.
func (s *Scheme) Sign(c Content, keys ...string) (http.Header, error) {
	if len(keys) == 0 {
		return nil, errors.New("sign: no key")
	}
	if err := s.checkContent(c); err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	at := strconv.FormatInt(c.At.Unix(), 10)
	content := s.content(s.rec.SignedContent, signedParts{id: c.ID, timestamp: at, body: c.Body})
	var pairs []string
	if s.rec.Timestamp.From == fromCarrier {
		pairs = append(pairs, s.rec.Carrier.TimeTag+s.rec.Carrier.KVSep+at)
	}
	for i, secret := range keys {
		k, err := s.key(secret)
		if err != nil {
			return nil, fmt.Errorf("sign: key %d %w", i, err)
		}
		pairs = append(pairs, s.rec.Carrier.SignatureTag+s.rec.Carrier.KVSep+s.encode(digest(k, content)))
	}
	h := http.Header{}
	h.Set(s.rec.Carrier.Header, strings.Join(pairs, s.rec.Carrier.PairSep))
	if s.rec.Timestamp.From == fromHeader {
		h.Set(s.rec.Timestamp.Header, at)
	}
	if s.rec.MessageID.Header != "" {
		h.Set(s.rec.MessageID.Header, c.ID)
	}
	return h, nil
}

func (s *Scheme) checkContent(c Content) error {
	if c.At.Unix() < 0 {
		return fmt.Errorf("time %s lies before 1970 and has no form on the wire", c.At.UTC().Format(time.RFC3339))
	}
	if !s.signs(partID) {
		return nil
	}
	if c.ID == "" {
		return errors.New("id is empty, and this scheme signs it")
	}
	if strings.ContainsFunc(c.ID, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("id holds a character that a header cannot carry unchanged")
	}
	if sep := s.after(partID); sep != "" && strings.Contains(c.ID, sep) {
		// As Standard Webhooks says: else two messages could share one signature.
		return fmt.Errorf("id holds %q, which ends the id in what is signed", sep)
	}
	return nil
}

// after returns the separator that follows a part in the signed content, "" if there is none.
func (s *Scheme) after(part string) string {
	i := slices.Index(s.rec.SignedContent, part) + 1
	if i == 0 || i == len(s.rec.SignedContent) || strings.HasPrefix(s.rec.SignedContent[i], "{") {
		return ""
	}
	return s.rec.SignedContent[i]
}

// signedParts are the values that the parts of a record's signed content stand for.
type signedParts struct {
	id, timestamp string
	body          []byte
}

// content returns the signed bytes in few pieces: the body, so that a large one is not copied, and what stands around it.
func (s *Scheme) content(parts []string, v signedParts) [][]byte {
	const separators = 8 // there is room for more of them than any scheme has
	pieces := make([][]byte, 0, 3)
	text := make([]byte, 0, len(v.id)+len(v.timestamp)+separators)
	for _, p := range parts {
		switch p {
		case partID:
			text = append(text, v.id...)
		case partTimestamp:
			text = append(text, v.timestamp...)
		case partBody:
			pieces, text = append(pieces, text, v.body), nil
		default:
			text = append(text, p...)
		}
	}
	return append(pieces, text)
}

func digest(key []byte, pieces [][]byte) []byte {
	m := hmac.New(sha256.New, key)
	for _, p := range pieces {
		m.Write(p)
	}
	return m.Sum(nil)
}

func (s *Scheme) encode(sum []byte) string {
	if s.rec.Encoding == encodingBase64 {
		return base64.StdEncoding.EncodeToString(sum)
	}
	return hex.EncodeToString(sum)
}
