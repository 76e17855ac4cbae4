package mockreceiver

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http2"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/h2"
)

// streamWriter lets what writes a body over HTTP/1 write it to a stream. Heads are written by exchange itself.
type streamWriter struct{ s *h2.Stream }

func (w streamWriter) Header() http.Header { return http.Header{} }

func (w streamWriter) WriteHeader(int) {}

func (w streamWriter) Write(p []byte) (int, error) { return w.s.Write(p) }

// Flush does nothing: each frame leaves at once.
func (w streamWriter) Flush() {}

// streamFields are an answer's fields as they are sent: names in lower case, and none that belongs to a connection of
// HTTP/1 (RFC 9113, 8.2.2).
func streamFields(status string, fields [][2]string) [][2]string {
	list := [][2]string{{":status", status}}
	for _, f := range fields {
		if name := strings.ToLower(f[0]); !slices.Contains([]string{"connection", "keep-alive", "transfer-encoding", "upgrade"}, name) {
			list = append(list, [2]string{name, f[1]})
		}
	}
	return list
}

func has(fields [][2]string, name string) bool {
	return slices.ContainsFunc(fields, func(f [2]string) bool { return f[0] == name })
}

func (x *exchange) interimStream(status int, fields [][2]string) error {
	return x.stream.WriteFields(streamFields(strconv.Itoa(status), fields), false)
}

// goOn tells a peer to go on with its body that waits for that. For HTTP/1 net/http does so.
func (x *exchange) goOn() {
	if x.stream != nil && expects(x.req) && !x.intake.Mute {
		_ = x.interimStream(http.StatusContinue, nil) // the body, or its absence, says whether it got there
	}
}

// writeStream is write for HTTP/2.
func (x *exchange) writeStream(r fault.Reply) {
	bodied := r.Status != http.StatusNoContent && r.Status != http.StatusNotModified
	fields := streamFields(strconv.Itoa(r.Status), r.Header)
	if bodied && r.Fill != fault.Forever && !has(fields, "content-length") {
		fields = append(fields, [2]string{"content-length", strconv.FormatInt(int64(len(r.Body))+r.Fill, 10)})
	}
	if (r.Body != "" || r.Fill != 0) && !has(fields, "content-type") {
		fields = append(fields, [2]string{"content-type", "text/plain; charset=utf-8"})
	}
	if !has(fields, "date") {
		fields = append(fields, [2]string{"date", time.Now().UTC().Format(http.TimeFormat)})
	}
	empty := !bodied || x.req.Method == http.MethodHead || r.Body == "" && r.Fill == 0
	o := &x.out
	o.ReplyStart = x.r.now()
	b := answerBody{x: x}
	err := x.stream.WriteFields(fields, empty)
	if err == nil {
		o.Status, o.Header, o.ReplyEnd = r.Status, fields[1:], x.r.now()
		if !empty {
			err = b.send(r)
			if err == nil {
				err = x.stream.End()
			}
			o.ReplyEnd = x.r.now()
		}
	}
	o.Body = b.kept
	if b.size > int64(len(b.kept)) {
		o.BodySize = b.size
	}
	x.notedStream(err)
	if err == nil && r.Leave != (fault.Leave{}) {
		x.leaveStream()
	}
}

// notedStream says how an answer ended.
func (x *exchange) notedStream(err error) {
	o, gone := &x.out, x.peerGone()
	o.End = evidence.EndComplete
	if gone != 0 {
		o.Closed = gone
	}
	switch {
	case err == nil && (gone == 0 || gone > o.ReplyStart):
	case gone != 0:
		o.End = evidence.EndPeerGone
	case x.r.ctx.Err() != nil:
		o.End, o.Closed = evidence.EndShutdown, x.r.now()
	default:
		o.End, o.Closed = evidence.EndClosed, x.r.now()
	}
	if o.Status == 0 {
		o.ReplyStart = 0
	}
}

// leaveStream stands in for the end of an idle connection, which would take the other streams with it: the peer is told
// that the connection ends, and it ends with the last of its streams.
func (x *exchange) leaveStream() {
	x.out.Fault = fault.Goaway{}.Kind()
	_ = x.stream.Conn().Goaway(nil, http2.ErrCodeNo) // who is gone needs no word
}

// writeRawStream is Write for HTTP/2: the fields and the body of what was meant for HTTP/1, as they are, in frames.
func (x *exchange) writeRawStream(raw string, e fault.End) {
	head, body, _ := strings.Cut(raw, "\r\n\r\n")
	h, _ := evidence.ParseHead(evidence.Raw(head + "\r\n\r\n")) // an error comes with what could be read
	fields := [][2]string{{":status", h.Target}}
	for _, f := range h.Fields {
		fields = append(fields, h2.Field(f[0], f[1]))
	}
	if odd := oddLine(head); odd != "" {
		fields = append(fields, [2]string{odd, ""})
	}
	o := &x.out
	o.ReplyStart = x.r.now()
	if err := x.stream.WriteFields(fields, false); err != nil {
		return // settle says who ended it
	}
	o.Status, o.Header = statusAndFields([]byte(head + "\r\n\r\n"))
	n, err := x.stream.Write([]byte(body))
	o.ReplyEnd = x.r.now()
	o.Body = evidence.Raw(body[:min(n, keptBody)])
	if n > keptBody {
		o.BodySize = int64(n)
	}
	if err == nil {
		x.finishStream(e)
	}
}

// oddLine is the line of a head, after the first, that has no colon.
func oddLine(head string) string {
	lines := strings.Split(head, "\r\n")
	i := slices.IndexFunc(lines[1:], func(l string) bool { return !strings.Contains(l, ":") })
	if i < 0 {
		return ""
	}
	return lines[i+1]
}

// finishStream ends the stream and leaves the connection to its other streams.
func (x *exchange) finishStream(e fault.End) {
	switch e {
	case fault.Aborted:
		x.endStream(evidence.EndReset, func() error { return x.stream.Reset(http2.ErrCodeInternal) })
	case fault.Closed:
		x.endStream(evidence.EndClosed, func() error { return x.stream.Reset(http2.ErrCodeCancel) })
	case fault.Finished:
		x.endStream(evidence.EndClosed, x.stream.End)
	}
}

// endStream ends the stream, and says so unless the peer was seen to end it before.
func (x *exchange) endStream(how string, end func() error) {
	x.over = true
	x.out.End, x.out.Closed = how, x.r.now()
	gone := x.peerGone()
	err := end()
	switch {
	case gone != 0:
		x.out.End, x.out.Closed = evidence.EndPeerGone, gone
	case err != nil && x.r.ctx.Err() != nil:
		x.out.End = evidence.EndShutdown
	}
}

// hangStream is Hang for HTTP/2: the stream stays open, and with it its place among those allowed at once.
func (x *exchange) hangStream(d time.Duration) {
	defer x.delaying()()
	var over <-chan time.Time
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-over:
	case <-x.stream.Context().Done():
	}
	switch {
	case x.r.ctx.Err() != nil:
		x.end(evidence.EndShutdown)
	case x.peerGone() != 0:
		x.end(evidence.EndPeerGone)
	default:
		x.finishStream(fault.Closed)
	}
}
