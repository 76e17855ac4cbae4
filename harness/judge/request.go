package judge

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

// Classes of a request, as reports show them.
const (
	classAttempt   = "attempt"
	classReplay    = "replay"
	classTransport = "transport-replay"
	classCopy      = "copy"
)

// request is one HTTP request with all that can be said of it without a look at its neighbours, and, once attributed,
// its place among them.
type request struct {
	a      *evidence.Attempt
	head   evidence.Head
	header http.Header
	ids    ids
	// payload is the body without its coding, and as it came where that cannot be read.
	payload  []byte
	readable bool
	sig      signature.Finding // with the values of the keys that were valid at the time
	keys     []int             // indexes, ascending, of all keys of the endpoint by which it verifies, valid at the time or not
	valid    bool              // one of them may have been used at the time
	stored   bool              // that one verifies is a fact of the evidence, for keys that the sender issued

	ev     *event // nil if it cannot be told, or belongs to none
	class  string
	round  int
	number int      // within its round, from 1; 0 for what is no attempt
	resent *request // the HTTP library's own resend of this request

	doc  any // the payload as JSON, once somebody asked
	read error
	seen bool

	foreign     []owned // keys of other endpoints by which it verifies, once somebody asked
	foreignRead bool
}

// ids are the event ids that a request carries, by place. A place that the contract does not name stays empty.
type ids struct {
	header, body string
	bodyRead     bool // the body is JSON, so that an absent body id is known to be absent
}

// first returns the id that identifies the request: the header's where there is one.
func (i ids) first() string {
	if i.header != "" {
		return i.header
	}
	return i.body
}

func (t *trial) readRequest(a *evidence.Attempt) *request {
	r := &request{a: a}
	// A head that is odd keeps what could be read; the checks then miss what was not there.
	r.head, _ = evidence.ParseHead(a.Head)
	r.header = r.head.Header()
	r.payload, r.readable = evidence.Payload(r.head, a.Body)
	r.ids = t.readIDs(r)
	return r
}

// idHeaders are where an id stands if the contract does not say.
func idHeaders() []string { return []string{"webhook-id", "ce-id", "Idempotency-Key"} }

// idPointer is where it stands in the body then.
const idPointer = "/id"

func (t *trial) readIDs(r *request) ids {
	var out ids
	pointer := idPointer
	if id := t.c.Identity; id != nil {
		pointer = id.Body
		if id.Header != "" {
			out.header = strings.TrimSpace(r.head.Get(id.Header))
		}
	} else {
		for _, name := range idHeaders() {
			if out.header = strings.TrimSpace(r.head.Get(name)); out.header != "" {
				break
			}
		}
	}
	if pointer == "" {
		return out
	}
	doc, err := r.json()
	if err != nil {
		return out
	}
	out.bodyRead = true
	if v, ok := lookup(doc, pointer); ok {
		out.body = scalarText(v)
	}
	return out
}

// json is the payload as parseJSON reads it, and not to be changed: many checks look at it, and reading it is a tenth of judging.
func (r *request) json() (any, error) {
	if !r.seen {
		r.doc, r.read = parseJSON(r.payload)
		r.seen = true
	}
	return r.doc, r.read
}

// whole tells whether all bytes of the body were received and stand in the evidence.
func (r *request) whole() bool {
	return r.a.BodyErr == "" && r.a.BodyEnd != 0 && r.a.BodySize == int64(len(r.a.Body))
}

// sameBytes compares what was received, by digest where a body was over the limit of the evidence.
func (r *request) sameBytes(o *request) bool {
	if r.a.BodySize != o.a.BodySize {
		return false
	}
	return bytes.Equal(r.a.Body, o.a.Body) && r.a.BodySHA256 == o.a.BodySHA256
}

// start is the earliest instant at which the sender can be shown to have begun the request.
func (r *request) start() time.Duration {
	if r.a.Conn.Request == 1 && r.a.Conn.Opened > 0 && r.a.Conn.Opened < r.a.FirstByte {
		return r.a.Conn.Opened
	}
	return r.a.FirstByte
}

// begun is the earliest instant since t at which the sender can be shown to have begun the request: on a busy machine a request is
// read long after the connection that was opened for it. One that was there before t was kept.
func (r *request) begun(t time.Duration) time.Duration {
	if s := r.start(); s >= t {
		return s
	}
	return r.a.FirstByte
}

// last is the request whose end the sender saw as the end of the attempt: the library's resend, if there was one.
func (r *request) last() *request {
	for r.resent != nil {
		r = r.resent
	}
	return r
}

func (r *request) outcome() *evidence.Outcome { return r.last().a.Outcome }

// earliestEnd is the earliest instant at which the sender can have known the attempt's end: just before the first byte of
// the reply, or the end of the connection. Without an outcome it is the arrival.
func (r *request) earliestEnd() time.Duration {
	l := r.last()
	o := l.a.Outcome
	switch {
	case o == nil:
		return l.a.FirstByte
	case o.ReplyStart > 0 && !hungUpFirst(o):
		return o.ReplyStart
	case o.Closed > 0:
		return o.Closed
	default:
		return l.a.FirstByte
	}
}

// latestEnd is the latest such instant: the reply was written, or the hang-up was seen.
func (r *request) latestEnd() time.Duration {
	l := r.last()
	o := l.a.Outcome
	switch {
	case o == nil:
		return l.a.FirstByte
	case o.End == evidence.EndComplete && o.ReplyEnd > 0:
		return o.ReplyEnd
	case hungUpFirst(o) && o.Closed > 0:
		return o.Closed
	default:
		return max(o.ReplyEnd, o.Closed, l.a.FirstByte)
	}
}

// hungUp tells whether the sender closed the connection before any byte of a reply.
func (r *request) hungUp() bool { return hungUpFirst(r.outcome()) }

// hungUpFirst tells whether the sender had hung up before the first byte of the reply. What a receiver that is late writes after that
// goes nowhere: it is neither an answer nor the end of the exchange.
func hungUpFirst(o *evidence.Outcome) bool {
	return o != nil && o.End == evidence.EndPeerGone && (o.ReplyStart == 0 || o.Closed > 0 && o.Closed < o.ReplyStart)
}

// records returns the line numbers of the arrival and its outcome.
func (r *request) records() []int {
	out := []int{r.a.N}
	if r.a.Outcome != nil {
		out = append(out, r.a.Outcome.N)
	}
	if r.resent != nil {
		out = append(out, r.resent.records()...)
	}
	return out
}
