package refsender

import (
	"cmp"
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

// signedInside puts the signature into the body, for schemes that have it there. Its defects are those of headers.
func (s *Sender) signedInside(p *parcel, id string, body []byte, at time.Time) ([]byte, error) {
	if s.scheme == nil || !s.scheme.InBody() {
		return body, nil
	}
	return s.scheme.SignBody(s.content(id, at.Add(s.variant.ahead()), body, p.url), s.signing(p, at)...)
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
	_, err := s.scheme.Sign(c, secret)
	return err
}
