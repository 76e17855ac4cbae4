package evidence

import (
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"
)

// This file is the form of an entry of an HTTP Archive 1.2. What the format has no field for gets a name that begins with an
// underscore, as it allows; who writes an archive adds such fields of its own.

// HAREntry is one request with its answer.
type HAREntry struct {
	Started  time.Time   `json:"startedDateTime"`
	Time     float64     `json:"time"` // ms
	Request  HARRequest  `json:"request"`
	Response HARResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  HARTimings  `json:"timings"`
	Conn     string      `json:"connection"`
}

// HARRequest is what the sender sent.
type HARRequest struct {
	Method   string     `json:"method"`
	URL      string     `json:"url"`
	Proto    string     `json:"httpVersion"`
	Cookies  []HARField `json:"cookies"`
	Headers  []HARField `json:"headers"`
	Query    []HARField `json:"queryString"`
	Body     *HARBody   `json:"postData,omitempty"`
	HeadSize int        `json:"headersSize"`
	BodySize int64      `json:"bodySize"`
	// Trailers are the fields behind the body.
	Trailers []HARField `json:"_trailers,omitempty"`
}

// HARResponse is what was really answered; a status of 0 stands for no answer, as browsers write it.
type HARResponse struct {
	Status     int        `json:"status"`
	StatusText string     `json:"statusText"`
	Proto      string     `json:"httpVersion"`
	Cookies    []HARField `json:"cookies"`
	Headers    []HARField `json:"headers"`
	Content    HARContent `json:"content"`
	Redirect   string     `json:"redirectURL"`
	HeadSize   int        `json:"headersSize"`
	BodySize   int64      `json:"bodySize"`
}

// HARField is a header or a parameter.
type HARField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// HARBody is the body of a request.
type HARBody struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
	Encoding string `json:"_encoding,omitempty"` // base64 where the bytes are no text
}

// HARContent is the body of an answer.
type HARContent struct {
	Size     int64  `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

// HARTimings are the parts of an exchange in milliseconds.
type HARTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// NewHAREntry returns the entry of a request and its outcome, which may be nil. Base is scheme and host of the URL.
func NewHAREntry(a *Arrival, o *Outcome, base string) HAREntry {
	head, _ := ParseHead(a.Head) // an error comes with what could be read
	e := HAREntry{
		Started: a.Wall, Conn: a.Conn.Remote,
		Request: HARRequest{
			Method: head.Method, URL: base + head.Target, Proto: head.Proto, Cookies: []HARField{}, Headers: harFields(head.Fields),
			Query: harQuery(head.Target), HeadSize: len(a.Head), BodySize: a.BodySize,
		},
		Response: HARResponse{Proto: head.Proto, Cookies: []HARField{}, Headers: []HARField{}, HeadSize: -1, BodySize: -1},
	}
	if len(a.Body) > 0 {
		text, encoding := harText(a.Body)
		e.Request.Body = &HARBody{head.Get("Content-Type"), text, encoding}
	}
	if trailer := a.TrailerFields(); len(trailer) > 0 {
		e.Request.Trailers = harFields(trailer)
	}
	if a.BodyEnd > a.FirstByte {
		e.Timings.Send = milliseconds(a.BodyEnd - a.FirstByte)
	}
	if o != nil {
		e.answer(a, o)
	}
	e.Time = e.Timings.Send + e.Timings.Wait + e.Timings.Receive
	return e
}

// answer fills in what was answered.
func (e *HAREntry) answer(a *Arrival, o *Outcome) {
	r := &e.Response
	r.Status, r.StatusText, r.Headers = o.Status, http.StatusText(o.Status), harFields(o.Header)
	fields := Head{Fields: o.Header}
	r.Redirect = fields.Get("Location")
	size := max(o.BodySize, int64(len(o.Body)))
	text, encoding := harText(o.Body)
	r.BodySize, r.Content = size, HARContent{size, fields.Get("Content-Type"), text, encoding}
	if o.ReplyStart > 0 {
		e.Timings.Wait = milliseconds(max(0, o.ReplyStart-max(a.BodyEnd, a.FirstByte)))
		e.Timings.Receive = milliseconds(max(0, o.ReplyEnd-o.ReplyStart))
	} else if o.Closed > 0 {
		e.Timings.Wait = milliseconds(max(0, o.Closed-max(a.BodyEnd, a.FirstByte)))
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func harFields(list [][2]string) []HARField {
	out := make([]HARField, 0, len(list))
	for _, f := range list {
		out = append(out, HARField{f[0], f[1]})
	}
	return out
}

func harQuery(target string) []HARField {
	out := []HARField{}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return out
	}
	values, _ := url.ParseQuery(u.RawQuery) // what cannot be read is in the URL all the same
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, v := range values[name] {
			out = append(out, HARField{name, v})
		}
	}
	return out
}

func harText(b []byte) (text, encoding string) {
	if utf8.Valid(b) {
		return string(b), ""
	}
	return base64.StdEncoding.EncodeToString(b), "base64"
}
