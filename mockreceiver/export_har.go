package mockreceiver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// har writes an HTTP Archive 1.2. What the format has no field for has a name that begins with an underscore, as it allows.
type har struct {
	r   *Receiver
	w   io.Writer
	sep string
}

func (r *Receiver) harExport(w http.ResponseWriter) exporter { return &har{r: r, w: w} }

type harEntry struct {
	Started  time.Time   `json:"startedDateTime"`
	Time     float64     `json:"time"` // ms
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Conn     string      `json:"connection"`
	Seq      int64       `json:"_seq"`
	Endpoint string      `json:"_endpoint"`
	Key      string      `json:"_key"`
	Attempt  int         `json:"_attempt"`
	Class    string      `json:"_class"`
	Signed   string      `json:"_signature"`
	Fault    string      `json:"_fault"`
	End      string      `json:"_end"`
}

type harRequest struct {
	Method   string     `json:"method"`
	URL      string     `json:"url"`
	Proto    string     `json:"httpVersion"`
	Cookies  []harField `json:"cookies"`
	Headers  []harField `json:"headers"`
	Query    []harField `json:"queryString"`
	Body     *harBody   `json:"postData,omitempty"`
	HeadSize int        `json:"headersSize"`
	BodySize int64      `json:"bodySize"`
}

type harResponse struct {
	Status     int        `json:"status"`
	StatusText string     `json:"statusText"`
	Proto      string     `json:"httpVersion"`
	Cookies    []harField `json:"cookies"`
	Headers    []harField `json:"headers"`
	Content    harContent `json:"content"`
	Redirect   string     `json:"redirectURL"`
	HeadSize   int        `json:"headersSize"`
	BodySize   int64      `json:"bodySize"`
}

type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harBody struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
	Encoding string `json:"_encoding,omitempty"` // base64 where the bytes are no text
}

type harContent struct {
	Size     int64  `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

func (x *har) begin() error {
	version, err := json.Marshal(x.r.cfg.Version)
	if err != nil {
		return err
	}
	_, err = io.WriteString(x.w, `{"log":{"version":"1.2","creator":{"name":"hookassay","version":`+string(version)+`},"entries":[`)
	return err
}

func (x *har) attempt(_ context.Context, a *journal.Attempt, s summary) error {
	text, err := json.Marshal(harOf(a, s, x.r.placeOf(a, "").base))
	if err != nil {
		return err
	}
	_, err = x.w.Write(append([]byte(x.sep+"\n"), text...))
	x.sep = ","
	return err
}

func (x *har) end(context.Context) error {
	_, err := io.WriteString(x.w, "\n]}}\n")
	return err
}

func harOf(a *journal.Attempt, s summary, base string) harEntry {
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	e := harEntry{
		Started: a.Wall, Conn: a.Conn.Remote, Seq: a.Seq, Endpoint: a.Endpoint, Key: a.Key, Attempt: a.Attempt,
		Class: string(s.Class), Signed: string(s.Signature.State), Fault: s.Fault, End: s.End,
		Request: harRequest{
			Method: head.Method, URL: base + head.Target, Proto: head.Proto, Cookies: []harField{}, Headers: harFields(head.Fields),
			Query: harQuery(head.Target), HeadSize: len(a.Head), BodySize: a.BodySize,
		},
		Response: harResponse{Proto: head.Proto, Cookies: []harField{}, Headers: []harField{}, HeadSize: -1, BodySize: -1},
	}
	if len(a.Body) > 0 {
		text, encoding := harText(a.Body)
		e.Request.Body = &harBody{head.Get("Content-Type"), text, encoding}
	}
	if a.BodyEnd > a.FirstByte {
		e.Timings.Send = ms(a.BodyEnd - a.FirstByte)
	}
	if a.Outcome != nil {
		e.answer(a)
	}
	e.Time = e.Timings.Send + e.Timings.Wait + e.Timings.Receive
	return e
}

// answer fills in what was answered; a status of 0 stands for no answer, as browsers write it.
func (e *harEntry) answer(a *journal.Attempt) {
	o := a.Outcome
	r := &e.Response
	r.Status, r.StatusText, r.Headers = o.Status, http.StatusText(o.Status), harFields(o.Header)
	fields := evidence.Head{Fields: o.Header}
	r.Redirect = fields.Get("Location")
	size := max(o.BodySize, int64(len(o.Body)))
	text, encoding := harText(o.Body)
	r.BodySize, r.Content = size, harContent{size, fields.Get("Content-Type"), text, encoding}
	if o.ReplyStart > 0 {
		e.Timings.Wait = ms(max(0, o.ReplyStart-max(a.BodyEnd, a.FirstByte)))
		e.Timings.Receive = ms(max(0, o.ReplyEnd-o.ReplyStart))
	} else if o.Closed > 0 {
		e.Timings.Wait = ms(max(0, o.Closed-max(a.BodyEnd, a.FirstByte)))
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func harFields(list [][2]string) []harField {
	out := make([]harField, 0, len(list))
	for _, f := range list {
		out = append(out, harField{f[0], f[1]})
	}
	return out
}

func harQuery(target string) []harField {
	out := []harField{}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return out
	}
	values, _ := url.ParseQuery(u.RawQuery) // what cannot be read is in the URL all the same
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, v := range values[name] {
			out = append(out, harField{name, v})
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
