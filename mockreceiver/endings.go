package mockreceiver

import (
	"io"

	"golang.org/x/net/http2"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Close implements fault.Exchange. The body was read, so that the peer sees the end of the stream and no reset.
func (x *exchange) Close() { x.finish(fault.Closed) }

// Reset implements fault.Exchange.
func (x *exchange) Reset() { x.finish(fault.Aborted) }

// ResetStream implements fault.Exchange.
func (x *exchange) ResetStream(code uint32) bool {
	if x.stream == nil || !x.record() {
		return x.stream != nil
	}
	x.endStream(evidence.EndReset, func() error { return x.stream.Reset(http2.ErrCode(code)) })
	x.out.NotProcessed = http2.ErrCode(code) == http2.ErrCodeRefusedStream
	return true
}

// Goaway implements fault.Exchange.
func (x *exchange) Goaway() bool {
	if x.stream == nil || !x.record() {
		return x.stream != nil
	}
	x.endStream(evidence.EndClosed, func() error {
		x.stream.Leave()
		return x.stream.Conn().Goaway(x.stream, http2.ErrCodeNo)
	})
	x.out.NotProcessed = true
	return true
}

// Instead implements fault.Exchange.
func (x *exchange) Instead(kind string) { x.out.Fault = kind }

// ListenerURL implements fault.Exchange.
func (x *exchange) ListenerURL(name string) (string, bool) {
	url, err := x.r.ListenerURL(name)
	if err != nil {
		x.r.trouble(x.arrival.Scenario, "step "+x.step.String()+": "+err.Error())
	}
	return url, err == nil
}

// Write implements fault.Exchange. A write that fails leaves the exchange open, for settle to say who ended it.
func (x *exchange) Write(raw string, e fault.End) {
	if !x.record() {
		return
	}
	if x.stream != nil {
		x.writeRawStream(raw, e)
		return
	}
	if !x.hijack() {
		return
	}
	x.conn.answering()
	n, err := io.WriteString(x.conn, raw)
	log, _ := x.conn.written()
	o := &x.out
	o.ReplyStart, o.ReplyEnd = log.start, log.end
	if log.whole {
		o.Status, o.Header = statusAndFields(log.head)
		body := raw[len(log.head):n]
		if len(body) > keptBody {
			o.BodySize = int64(len(body))
			body = body[:keptBody]
		}
		o.Body = evidence.Raw(body)
	}
	x.conn.answering() // what may have come behind the request got no answer
	if err == nil {
		x.finish(e)
	}
}

// finish ends the connection, and says so unless the peer was seen to end it before.
func (x *exchange) finish(e fault.End) {
	if !x.record() {
		return
	}
	if x.stream != nil {
		x.finishStream(e)
		return
	}
	if !x.hijack() {
		return
	}
	x.over = true
	x.out.End, x.out.Closed = evidence.EndClosed, x.r.now()
	if e == fault.Aborted {
		x.out.End = evidence.EndReset
	}
	if gone := x.conn.peerGone(); gone != 0 {
		x.out.End, x.out.Closed = evidence.EndPeerGone, gone
	}
	if !x.shut(e) && x.out.End == evidence.EndReset {
		x.out.End = evidence.EndClosed
		x.unreset()
	}
}

// shut ends the connection as told. It returns false where a reset was wanted and could not be had.
func (x *exchange) shut(e fault.End) bool {
	if e == fault.Aborted {
		return x.conn.reset()
	}
	if x.intake.Unread {
		x.leave()
		return true
	}
	_ = x.conn.Close() // there is nobody left to tell
	return true
}

func (x *exchange) unreset() {
	x.r.trouble(x.arrival.Scenario, "a connection could not be reset and was closed: it is no TCP connection")
}
