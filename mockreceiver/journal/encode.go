package journal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Encode returns the text in which a record is stored: JSON, an arrival without its head and body, which have columns of their
// own. The number of the request is left out: Writer stores it in a column too, since it is not known before. It is safe for
// concurrent use, so that those who wait for the writer do it and not the writer.
//
// The records of every request are written by hand, at a fifth of the cost. What the hand does not know goes the
// usual way, so that a new field of a record is stored whether or not anybody thought of this place.
func Encode(r evidence.Record) ([]byte, error) { return EncodeInto(nil, r) }

// EncodeInto does the same and puts the text into room if there is enough of it. What stands there is overwritten.
func EncodeInto(room []byte, r evidence.Record) ([]byte, error) {
	switch r := r.(type) {
	case *evidence.Arrival:
		return encodeArrival(room, r)
	case *evidence.Outcome:
		return encodeOutcome(room, r)
	case *evidence.Effect:
		return encodeEffect(room, r)
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", r, err)
	}
	return text, nil
}

// Room for the texts of usual records. Most of what a request leaves in memory until it is written is its body and these.
const (
	arrivalSize = 512
	outcomeSize = 256
	effectSize  = 192
)

// usual tells whether the hand knows all the fields that have a value. A field that is missing here fails the test that fills in
// every one.
func usual(a *evidence.Arrival) bool {
	c := &a.Conn
	return a.Origin == "" && a.Reason == "" && a.BodyErr == "" && a.Rule == 0 && a.VerifiedBy == nil && a.Handshake == "" && len(a.Trailer) == 0 &&
		c.Stream == 0 && c.Listener == "" && c.TLS == nil && c.Fault == "" && datable(a.Wall)
}

func encodeArrival(room []byte, a *evidence.Arrival) ([]byte, error) {
	if !usual(a) {
		bare := *a
		bare.Meta, bare.Seq, bare.Head, bare.Body = evidence.Meta{}, 0, nil, nil
		return json.Marshal(&bare)
	}
	o := object{slices.Grow(room[:0], arrivalSize)}
	o.text("scenario", a.Scenario)
	o.text("endpoint", a.Endpoint)
	o.key("conn")
	inner := object{o.b}
	inner.number("id", a.Conn.ID)
	inner.number("request", int64(a.Conn.Request))
	inner.number("opened_ns", int64(a.Conn.Opened))
	inner.text("local", a.Conn.Local)
	inner.text("remote", a.Conn.Remote)
	inner.text("proto", a.Conn.Proto)
	o.b = inner.end()
	o.number("first_byte_ns", int64(a.FirstByte))
	o.number("body_end_ns", int64(a.BodyEnd))
	o.key("wall")
	o.b = append(a.Wall.AppendFormat(append(o.b, '"'), time.RFC3339Nano), '"')
	o.number("body_size", a.BodySize)
	o.text("body_sha256", a.BodySHA256)
	o.text("key", a.Key)
	o.text("key_from", a.KeyFrom)
	o.number("attempt", int64(a.Attempt))
	o.text("chosen", a.Chosen)
	return o.end(), nil
}

// datable tells whether JSON can hold a time, which it cannot beyond the year 9999.
func datable(t time.Time) bool {
	_, off := t.Zone()
	return t.Year() >= 0 && t.Year() <= 9999 && off == 0
}

func encodeOutcome(room []byte, r *evidence.Outcome) ([]byte, error) {
	if r.NotProcessed {
		bare := *r
		bare.Meta, bare.Of = evidence.Meta{}, 0
		return json.Marshal(&bare)
	}
	o := object{slices.Grow(room[:0], outcomeSize)}
	o.text("fault", r.Fault)
	o.number("status", int64(r.Status))
	if len(r.Header) > 0 {
		o.key("header")
		o.fields(r.Header)
	}
	if len(r.Body) > 0 {
		text, err := r.Body.MarshalJSON()
		if err != nil {
			return nil, fmt.Errorf("encode answer: %w", err)
		}
		o.key("body")
		o.b = append(o.b, text...)
	}
	o.number("body_size", r.BodySize)
	o.text("end", r.End)
	o.number("reply_start_ns", int64(r.ReplyStart))
	o.number("reply_end_ns", int64(r.ReplyEnd))
	o.number("closed_ns", int64(r.Closed))
	o.number("delay_ns", int64(r.Delay))
	return o.end(), nil
}

func encodeEffect(room []byte, e *evidence.Effect) ([]byte, error) {
	if e.Detail != "" || e.Reason != "" {
		bare := *e
		bare.Meta, bare.Of = evidence.Meta{}, 0
		return json.Marshal(&bare)
	}
	o := object{slices.Grow(room[:0], effectSize)}
	o.text("scenario", e.Scenario)
	o.text("endpoint", e.Endpoint)
	o.text("key", e.Key)
	o.text("result", e.Result)
	o.number("at_ns", int64(e.At))
	if e.Dedupe {
		o.key("dedupe_row")
		o.b = append(o.b, "true"...)
	}
	o.number("business_rows", int64(e.Rows))
	return o.end(), nil
}

// object is a JSON object in the making. Fields without a value are left out, which reads back the same.
type object struct{ b []byte }

func (o *object) key(name string) {
	sep := byte(',')
	if n := len(o.b); n == 0 || o.b[n-1] == ':' {
		sep = '{'
	}
	o.b = append(append(append(o.b, sep, '"'), name...), '"', ':')
}

func (o *object) text(name, value string) {
	if value != "" {
		o.key(name)
		o.b = appendText(o.b, value)
	}
}

func (o *object) number(name string, value int64) {
	if value != 0 {
		o.key(name)
		o.b = strconv.AppendInt(o.b, value, 10)
	}
}

func (o *object) fields(list [][2]string) {
	o.b = append(o.b, '[')
	for i, f := range list {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = append(appendText(append(appendText(append(o.b, '['), f[0]), ','), f[1]), ']')
	}
	o.b = append(o.b, ']')
}

func (o *object) end() []byte {
	if n := len(o.b); n == 0 || o.b[n-1] == ':' {
		o.b = append(o.b, '{')
	}
	return append(o.b, '}')
}

// appendText appends a JSON string. Text with characters that need care is left to the standard library.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string always has a form
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
