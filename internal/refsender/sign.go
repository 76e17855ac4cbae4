package refsender

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// header returns the headers of one attempt: a signature of its own with its own time, by the keys that are valid now.
func (s *Sender) header(d *delivery, p *parcel, id string, body []byte, at time.Time) (http.Header, error) {
	h := http.Header{}
	if s.scheme != nil && !s.scheme.InBody() {
		fresh, err := s.defect.sign(s.scheme, s.content(id, at.Add(s.variant.ahead()), body, p.url), s.signing(p, at))
		if err != nil {
			return nil, err
		}
		h = s.variant.signed(s.scheme, s.defect.signed(s, d, fresh).Clone())
	}
	h.Set("Content-Type", s.defect.mediaType(s.mediaType()))
	if c := cmp.Or(s.variant.coding(), s.defect.coding()); c != "" {
		h.Set("Content-Encoding", c)
	}
	h.Set("User-Agent", "hookassay-refsender")
	if s.c.Identity != nil && s.c.Identity.Header != "" && s.defect.identified() {
		h.Set(s.c.Identity.Header, id)
	}
	s.defect.customise(h, p.custom)
	return h, nil
}

// signing are the keys of an attempt: where two cannot sign side by side, the newest does.
func (s *Sender) signing(p *parcel, at time.Time) []string {
	keys := s.defect.keys(p.keys, at)
	return keys[:min(len(keys), s.scheme.Carries())]
}

// signedInside puts into the body what schemes have there: the signature, or the time that a header's signature covers with the body.
func (s *Sender) signedInside(d *delivery, p *parcel, id string, body []byte, at time.Time) ([]byte, error) {
	if s.scheme == nil || !s.scheme.WritesBody() {
		return body, nil
	}
	c := s.defect.signedTime(s.content(id, at.Add(s.variant.ahead()), body, p.url))
	if !s.scheme.InBody() {
		fresh, err := s.scheme.Stamp(c)
		return s.defect.stamped(s, d, fresh), err
	}
	fresh, err := s.scheme.SignBody(c, s.signing(p, at)...)
	if s.defect == sigMissingOnRetry && d.retries() {
		return body, err
	}
	return s.defect.stamped(s, d, fresh), err
}

// content is what one attempt signs.
func (s *Sender) content(id string, at time.Time, body []byte, url string) signature.Content {
	return signature.Content{
		ID: id, At: at, Body: body, Method: http.MethodPost, URL: url, Header: http.Header{"Content-Type": {s.mediaType()}},
	}
}

func (s *Sender) mediaType() string {
	if s.c.Body != nil && s.c.Body.MediaType != "" {
		return s.c.Body.MediaType
	}
	return "application/json"
}

// usable tells whether the scheme can sign with the secret. Its error does not hold the secret.
func (s *Sender) usable(secret string) error {
	if s.scheme == nil {
		return nil
	}
	c := s.content(newID(eventPrefix), time.Now(), []byte("{}"), "http://127.0.0.1/")
	if s.scheme.InBody() {
		_, err := s.scheme.SignBody(c, secret)
		return err
	}
	var err error
	if c.Body, err = s.scheme.Stamp(c); err == nil {
		_, err = s.scheme.Sign(c, secret)
	}
	return err
}

// fits tells whether events of this sender can be signed by the scheme at all.
func (s *Sender) fits() error {
	if s.scheme == nil {
		return nil
	}
	secret, err := s.newSecret()
	if err != nil {
		return nil //nolint:nilerr // of schemes whose keys cannot be made of random bytes, who registers brings one
	}
	if err := s.usable(secret); err != nil {
		return fmt.Errorf("reference sender: contract %s: its events cannot be signed by %s: %w", s.c.Name, s.scheme.ID(), err)
	}
	return nil
}
