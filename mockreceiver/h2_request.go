package mockreceiver

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/h2"
)

// protoHTTP2 is the version in the evidence, as net/http writes it.
const protoHTTP2 = "HTTP/2.0"

// receiveStream is receive for a request that came over HTTP/2.
func (r *Receiver) receiveStream(c *wireConn, s *h2.Stream) {
	if !r.begin(&r.handlers) {
		return
	}
	defer r.handlers.Done()
	r.meter.open.Add(1)
	defer r.meter.open.Add(-1)
	x := &exchange{r: r, conn: c, stream: s, req: streamRequest(s)}
	x.w = streamWriter{s: s}
	x.arrival = c.streamArrival(s.Head)
	defer func() {
		if p := recover(); p != nil {
			r.trouble(x.scenario(), fmt.Sprintf("receiver panicked: %v at %s", p, lastFrame(debug.Stack())))
			x.rescue(x.w)
		}
	}()
	defer func() { r.budget.give(x.taken) }()
	x.takeIn(false)
	if s.Truncated {
		x.arrival.BodyErr, x.refuse = fmt.Sprintf("the fields are over the limit of %d bytes", maxHead), http.StatusRequestHeaderFieldsTooLarge
	}
	x.run()
}

// streamRequest is a stream's head as the standard type has it.
func streamRequest(s *h2.Stream) *http.Request {
	req := &http.Request{
		Method: s.Get(":method"), Proto: protoHTTP2, ProtoMajor: 2, Header: http.Header{}, Host: s.Get(":authority"),
		RequestURI: s.Get(":path"), Body: io.NopCloser(s), ContentLength: -1,
	}
	var err error
	if req.URL, err = url.ParseRequestURI(req.RequestURI); err != nil {
		req.URL = &url.URL{Path: req.RequestURI}
	}
	for _, f := range s.Fields {
		if !strings.HasPrefix(f[0], ":") {
			req.Header.Add(f[0], f[1])
		}
	}
	if n, err := strconv.ParseInt(req.Header.Get("Content-Length"), 10, 64); err == nil && n >= 0 {
		req.ContentLength = n
	}
	if s.Bodiless {
		req.ContentLength = 0
	}
	return req.WithContext(s.Context())
}

// streamHead writes fields as a text head: HTTP/2 has none. A request line comes first, so that it is read as other heads
// are; the fields follow, pseudo-header fields among them, in the order and case in which they came. What would break a
// line is escaped.
func streamHead(h *h2.Head) evidence.Raw {
	var b strings.Builder
	word := func(name string) string { return strings.ReplaceAll(h.Get(name), " ", "%20") } // no more than three words
	writeLine(&b, word(":method")+" "+word(":path")+" "+protoHTTP2)
	writeFields(&b, h)
	writeLine(&b, "")
	return evidence.Raw(b.String())
}

// streamTrailer writes the fields behind a body as text, as streamHead does. Without the empty line it is not all of them.
func streamTrailer(s *h2.Stream) evidence.Raw {
	h := s.Trailer()
	if h == nil {
		return nil
	}
	var b strings.Builder
	writeFields(&b, h)
	if !h.Truncated {
		writeLine(&b, "")
	}
	return evidence.Raw(b.String())
}

func writeFields(b *strings.Builder, h *h2.Head) {
	for _, f := range h.Fields {
		writeLine(b, f[0]+": "+f[1])
	}
}

func writeLine(b *strings.Builder, text string) {
	b.WriteString(strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(text))
	b.WriteString("\r\n")
}

// streamArrival describes a request by what its head says.
func (c *wireConn) streamArrival(h *h2.Head) *evidence.Arrival {
	c.mu.Lock()
	c.claimed++
	number := c.claimed
	c.mu.Unlock()
	a := &evidence.Arrival{
		Conn: c.describe(number, protoHTTP2), FirstByte: c.r.since(h.First), Wall: h.First.UTC().Round(0), Head: streamHead(h),
	}
	a.Conn.Stream = h.ID
	return a
}

// unserved records a request that no handler has seen, and how it was turned down.
func (r *Receiver) unserved(c *wireConn, h *h2.Head, why string) {
	if !r.begin(&r.handlers) {
		return
	}
	defer r.handlers.Done()
	a := c.streamArrival(h)
	a.BodySHA256, a.KeyFrom, a.BodyErr = emptySum, "none", why
	if head, err := evidence.ParseHead(a.Head); err == nil {
		r.addressed(a, head)
	}
	r.commits.unhandled(a, &evidence.Outcome{Fault: FaultRefused, End: evidence.EndReset, Closed: r.now()})
}

// peerGone is when the peer was seen to hang up; 0 if it was not.
func (x *exchange) peerGone() time.Duration {
	if x.stream == nil {
		return x.conn.peerGone()
	}
	if at := x.stream.Gone(); !at.IsZero() {
		return x.r.since(at)
	}
	return 0
}
