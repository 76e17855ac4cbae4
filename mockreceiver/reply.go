package mockreceiver

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Reply implements fault.Exchange.
func (x *exchange) Reply(r fault.Reply) {
	if x.record() {
		x.write(r)
	}
}

// Interim implements fault.Exchange. What it writes is no part of the answer, and does not start it.
func (x *exchange) Interim(status int, fields ...[2]string) bool {
	if !x.record() || x.r.ctx.Err() != nil || x.peerGone() != 0 {
		return false
	}
	if x.stream != nil {
		return x.interimStream(status, fields) == nil
	}
	h := x.w.Header()
	for _, f := range fields {
		h.Add(f[0], f[1])
	}
	x.w.WriteHeader(status) // net/http writes a 1xx at once
	clear(h)
	return true
}

// write writes an answer to its last byte and notes what was really written. Nothing is left to net/http afterwards: the
// length is declared and everything flushed, so the times are those of the wire.
func (x *exchange) write(r fault.Reply) {
	x.over = true
	if x.stream != nil {
		x.writeStream(r)
		return
	}
	h := x.w.Header()
	for _, f := range r.Header {
		h[http.CanonicalHeaderKey(f[0])] = append(h[http.CanonicalHeaderKey(f[0])], f[1])
	}
	bodied := r.Status != http.StatusNoContent && r.Status != http.StatusNotModified
	if bodied && r.Fill != fault.Forever {
		h.Set("Content-Length", strconv.FormatInt(int64(len(r.Body))+r.Fill, 10))
	}
	if (r.Body != "" || r.Fill != 0) && h.Get("Content-Type") == "" {
		h.Set("Content-Type", "text/plain; charset=utf-8")
	}
	if r.Leave.Announced {
		x.last, x.out.Fault = true, fault.Status{}.Kind() // over HTTP/1 it is no more than that
	}
	unread := x.intake.Unread || x.refuse != 0
	if unread || x.last {
		h.Set("Connection", "close")
	}
	x.conn.answering()
	x.w.WriteHeader(r.Status)
	b := answerBody{x: x}
	var err error
	if bodied && x.req.Method != http.MethodHead {
		err = b.send(r)
	}
	if flushed := http.NewResponseController(x.w).Flush(); err == nil {
		err = flushed
	}
	x.noted(&b, err)
	x.conn.answering() // what net/http may write from here on is not part of this answer
	switch {
	case unread:
		x.leave() // net/http would go on reading the body, which may never come
	case x.out.End == evidence.EndComplete && r.Leave.OnNext:
		x.next = r.Leave.With
	case x.out.End == evidence.EndComplete && r.Leave.With != "":
		x.rest(r.Leave)
	}
	if err != nil && r.Fill != 0 {
		// net/http would write the end of a chunked body, and a peer that closed only its half would take it for a whole one.
		x.hijack()
		_ = x.conn.Close() // nobody is left to tell
	}
}

// noted fills the outcome from what the connection saw.
func (x *exchange) noted(b *answerBody, err error) {
	log, gone := x.conn.written()
	o := &x.out
	o.ReplyStart = log.start
	if log.end != 0 {
		o.ReplyEnd = log.end
	}
	if log.whole {
		o.Status, o.Header = x.conn.answered(log.head)
		o.Body = b.kept
		if b.size > int64(len(b.kept)) {
			o.BodySize = b.size
		}
	}
	o.End = evidence.EndComplete
	// A peer that hangs up once we have begun to write may just as well have read its answer: that is no failure of the
	// exchange unless the write says so.
	if gone != 0 {
		o.Closed = gone
	}
	failed := err != nil || log.err != nil || !log.whole
	switch {
	case gone != 0 && (failed || gone <= log.start):
		o.End = evidence.EndPeerGone
	case failed && x.r.ctx.Err() != nil:
		o.End, o.Closed = evidence.EndShutdown, x.r.now()
	case failed:
		o.End, o.Closed = evidence.EndClosed, x.r.now()
	case o.Closed == 0 && closes(o.Header):
		o.Closed = o.ReplyEnd // net/http closes as soon as the handler returns
	}
}

// closes tells whether an answer announces the end of its connection.
func closes(fields [][2]string) bool {
	return strings.EqualFold(evidence.Head{Fields: fields}.Get("Connection"), "close")
}

// statusAndFields takes the head of an answer apart, order and case as written. Of a malformed head it gives what comes
// before the malformed line.
func statusAndFields(head []byte) (int, [][2]string) {
	// An answer's head has the shape of a request's: three words, then fields; the status is the second word.
	h, _ := evidence.ParseHead(head) // an error comes with what could be read
	status, err := strconv.Atoi(h.Target)
	if err != nil {
		return 0, nil
	}
	return status, h.Fields
}
