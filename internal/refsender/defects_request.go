package refsender

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// created is how an event's time is written.
func (d defect) created(at time.Time) string {
	if d == createdLocalZone {
		return at.Local().Format("2006-01-02T15:04:05.000")
	}
	return created(at)
}

// omits tells whether the payload lacks a member. versioned tells whether the contract has an API version.
func (d defect) omits(member string, versioned bool) bool {
	return d == envelopeFieldMissing && (member == "api_version" || member == "created" && !versioned)
}

// freeze makes the payload of an event that goes to these endpoints.
func (d defect) freeze(t *tx, e *envelope, f fields, endpoints []string) ([]byte, error) {
	switch d {
	case typeUndeclared:
		f.kind = strings.ReplaceAll(f.kind, ".", "-")
	case bodyNumberRounded:
		f.data = rounded(f.data)
	case idReused:
		var err error
		if f.id, err = reuseID(t, f.id, endpoints); err != nil {
			return nil, err
		}
	default:
	}
	return d.fits(e.write(f)), nil
}

// rounded passes JSON through Go's float64; what does not fit one stays as it is.
func rounded(data json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return data
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return data
	}
	return bytes.TrimSpace(out.Bytes())
}

// reuseID returns the id that an event is sent with: for every second one of an endpoint, that of the one before. Tables of its
// own keep that over restarts.
func reuseID(t *tx, id string, endpoints []string) (string, error) {
	if len(endpoints) != 1 {
		return id, nil
	}
	var before string
	err := t.get("SELECT id FROM last_ids WHERE endpoint = ?", []any{endpoints[0]}, &before)
	if errors.Is(err, sql.ErrNoRows) {
		return id, t.exec("INSERT INTO last_ids VALUES (?, ?)", endpoints[0], id)
	}
	if err != nil {
		return "", err
	}
	err = errors.Join(t.exec("DELETE FROM last_ids WHERE endpoint = ?", endpoints[0]), t.exec("INSERT INTO sent_ids VALUES (?, ?)", id, before))
	return before, err
}

// claimed changes what an attempt works with.
func (d defect) claimed(t *tx, dl *delivery, p *parcel) error {
	var err error
	switch d {
	case idReused:
		err = t.get("SELECT id FROM sent_ids WHERE event = ?", []any{dl.event}, &p.id)
	case secretShared:
		p.keys, err = sharedKeys(t, dl.endpoint, p.keys)
	case secretInLog:
		dl.key = p.keys.newest()
	default:
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// outgoing is the id that an attempt carries, and its body; parcel holds the right ones.
func (d defect) outgoing(dl *delivery, p *parcel, e *envelope) (id string, body []byte) {
	again, replay := dl.retries(), dl.trigger == triggerReplay
	switch {
	case d == idNewOnRetry && again, d == replayNewID && replay:
		id = newID(eventPrefix)
		return id, bytes.ReplaceAll(p.body, []byte(p.id), []byte(id))
	case d == bodyRebuiltOnRetry && again:
		return p.id, e.write(fields{id: p.id, kind: p.kind, created: p.created, data: p.object})
	case d == bodyEmptyOnRetry && again:
		return p.id, nil
	case d == replayWrapsPayload && replay:
		return p.id, e.write(fields{id: p.id, kind: p.kind, created: p.created, data: p.body})
	}
	return p.id, p.body
}

// identified tells whether the id's header is sent.
func (d defect) identified() bool { return d != idMissing }

// mediaType is what a request is labelled as.
func (d defect) mediaType(right string) string {
	if d == ctWrong {
		return "application/x-www-form-urlencoded"
	}
	return right
}

// coding is what a request says of the coding of its body, which has none.
func (d defect) coding() string {
	if d == bodyCodingFalse {
		return "gzip"
	}
	return ""
}

// target is the URL that a request goes to.
func (d defect) target(right string) string {
	if d == urlQueryStripped {
		right, _, _ = strings.Cut(right, "?")
	}
	return right
}

// sign makes the signature headers of one attempt.
func (d defect) sign(s *signature.Scheme, c signature.Content, keys []string) (http.Header, error) {
	switch d {
	case sigReserialised:
		var other bytes.Buffer
		if json.Indent(&other, c.Body, "", "  ") == nil {
			c.Body = other.Bytes()
		}
	case sigUnicodeEscape:
		c.Body = asciiOnly(c.Body)
	default:
		c = d.signedTime(c)
	}
	h, err := s.Sign(c, keys...)
	if err == nil && d == sigBodyOnly {
		h.Set(s.Header(), overBody(s.ID(), h.Get(s.Header()), c.Body, keys[0]))
	}
	if err == nil && d == sigKeyNotDecoded {
		byText(s, h, c, keys[0])
	}
	return h, err
}

// signedTime is the content with the time that is signed.
func (d defect) signedTime(c signature.Content) signature.Content {
	if d == tsMilliseconds {
		c.At = time.Unix(c.At.UnixMilli(), 0) // the scheme writes whole seconds, here a thousand times too many
	}
	return c
}

// overBody returns the value of a signature header with one signature, made over nothing but the body. A scheme that it does
// not know keeps its right signature, which the defect's own test would show.
func overBody(scheme, value string, body []byte, secret string) string {
	switch scheme {
	case "timestamp-v1":
		m := hmac.New(sha256.New, []byte(secret))
		m.Write(body)
		at, _, _ := strings.Cut(value, ",")
		return at + ",v1=" + hex.EncodeToString(m.Sum(nil))
	case "standard-webhooks-v1":
		k, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")) // it has signed already
		m := hmac.New(sha256.New, k)
		m.Write(body)
		return "v1," + base64.StdEncoding.EncodeToString(m.Sum(nil))
	}
	return value
}

// signed is what an attempt's signature headers are: fresh ones, unless a defect keeps earlier ones or drops them.
func (d defect) signed(s *Sender, dl *delivery, fresh http.Header) http.Header {
	switch {
	case d == sigMissingOnRetry && dl.retries():
		h := fresh.Clone()
		h.Del(s.scheme.Header())
		return h
	case d == tsStaleOnRetry && dl.retries() && dl.signed != nil:
		return dl.signed
	case d == tsStaleOnRetry && dl.trigger == triggerSchedule:
		dl.signed = fresh
	case d == replayStaleTimestamp && dl.trigger == triggerSchedule && dl.made == 0:
		s.past.Store([2]string{dl.event, dl.endpoint}, fresh)
	case d == replayStaleTimestamp && dl.trigger == triggerReplay:
		if h, ok := s.past.Load([2]string{dl.event, dl.endpoint}); ok {
			old, _ := h.(http.Header)
			return old
		}
	}
	return fresh
}

// stamped is what signed is for the body of schemes that have their signature, or its time, there.
func (d defect) stamped(s *Sender, dl *delivery, fresh []byte) []byte {
	of := [3]string{dl.event, dl.endpoint, "body"}
	switch {
	case d == tsStaleOnRetry && dl.retries() && dl.signedBody != nil:
		return dl.signedBody
	case d == tsStaleOnRetry && dl.trigger == triggerSchedule:
		dl.signedBody = fresh
	case d == replayStaleTimestamp && dl.trigger == triggerSchedule && dl.made == 0:
		s.past.Store(of, fresh)
	case d == replayStaleTimestamp && dl.trigger == triggerReplay:
		if b, ok := s.past.Load(of); ok {
			old, _ := b.([]byte)
			return old
		}
	}
	return fresh
}
