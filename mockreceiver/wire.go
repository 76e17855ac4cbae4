package mockreceiver

import (
	"bytes"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// wireListener has its connections served, with a wireConn around each. It returns none itself.
type wireListener struct {
	net.Listener
	of *listener
}

func (l wireListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		w := l.of.r.adopt(c, l.of)
		open := l.of.opening(w)
		if l.of.tls == nil && open == (fault.Opening{}) {
			w.await()
			continue
		}
		w.prepare(open)
	}
}

// wireConn is a connection that remembers what was on the wire: the raw request heads, the first bytes of each answer, and
// the times of both. net/http reads and writes through it and knows nothing of that.
type wireConn struct {
	net.Conn          // what HTTP is spoken over; set before that begins
	raw      net.Conn // the connection as it was accepted
	r        *Receiver
	of       *listener
	id       int64
	opened   time.Duration
	local    string // addresses
	remote   string
	step     string        // of the listener's plan, in its text form; empty: none
	link     *link         // nil: Conn is the connection as it was accepted
	tls      *evidence.TLS // set with Conn
	h2       bool          // there are no HTTP/1 heads on it; set with Conn

	mu      sync.Mutex
	scan    headScanner
	heads   []rawHead // found, and not yet claimed by a handler
	claimed int
	gone    time.Duration // when the peer was seen to hang up; 0 if it was not
	ours    bool          // we closed it
	log     writeLog
	muted   bool   // 100 Continue is swallowed
	aborted bool   // we reset it
	err     error  // why it did not get as far as HTTP
	in, out int64  // bytes, where there is no link
	cutBy   string // the kind of fault that ended it for what comes after its own request

	first firstByte // for whoever reads

	last answer // for the handler alone

	closed sync.Once
}

// answer is the head of an answer with what it says.
type answer struct {
	head   []byte
	status int
	fields [][2]string
}

// writeLog is what was written since it was last emptied.
type writeLog struct {
	start, end time.Duration // just before the first byte, just after the last
	head       []byte        // status line and fields of the answer, as far as they were written
	whole      bool          // head is complete
	err        error
}

// Read implements net.Conn.
func (c *wireConn) Read(p []byte) (int, error) {
	n, wall, err := c.take(p)
	at := c.r.since(wall)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.in += int64(n)
	if n > 0 && !c.h2 {
		c.scan.feed(p[:n], at, wall, func(h rawHead) { c.heads = append(c.heads, h) })
	}
	c.missed(err, at)
	return n, err
}

// missed notes that a read ended in an error of the peer's. The caller holds mu.
func (c *wireConn) missed(err error, at time.Duration) {
	if err != nil && !c.ours && c.gone == 0 && !errors.Is(err, os.ErrDeadlineExceeded) {
		c.gone = at
	}
}

// take reads, and tells when. The byte that was waited for comes first.
func (c *wireConn) take(p []byte) (int, time.Time, error) {
	if c.first.held && len(p) > 0 {
		c.first.held = false
		return copy(p, c.first.text[:]), c.first.at, nil
	}
	n, err := c.Conn.Read(p)
	return n, time.Now(), err
}

// Write implements net.Conn.
func (c *wireConn) Write(p []byte) (int, error) {
	if c.swallows(p) {
		return len(p), nil
	}
	start := c.r.now()
	n, err := c.Conn.Write(p)
	end := c.r.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.log.start == 0 {
		c.log.start = start
	}
	c.out += int64(n)
	if n > 0 {
		c.log.end = end
		c.log.keep(p[:n])
	}
	if err != nil {
		c.log.err = err
		if c.gone == 0 && !c.ours && !errors.Is(err, os.ErrDeadlineExceeded) {
			c.gone = end
		}
	}
	return n, err
}

func (l *writeLog) keep(p []byte) {
	if l.whole {
		return
	}
	l.head = append(l.head, p...)
	if i := bytes.Index(l.head, []byte("\r\n\r\n")); i >= 0 {
		l.head, l.whole = l.head[:i+4], true
	}
}

// Close implements net.Conn.
func (c *wireConn) Close() error {
	c.mu.Lock()
	c.ours = true
	c.mu.Unlock()
	err := c.close()
	c.closed.Do(func() { c.r.abandoned(c) })
	return err
}

// close ends TLS in order, unless there is no time for that.
func (c *wireConn) close() error {
	if c.r.ctx.Err() != nil {
		return c.raw.Close()
	}
	return c.Conn.Close()
}

// interrupt makes reads and writes that wait for the peer return. The receiver closes.
func (c *wireConn) interrupt() {
	_ = c.raw.SetDeadline(time.Unix(1, 0)) // any time in the past; a dead connection waits for nothing
}

// reset closes the connection so that the peer sees ECONNRESET. It tells whether the connection can do that.
func (c *wireConn) reset() bool {
	l, ok := c.raw.(interface{ SetLinger(sec int) error })
	ok = ok && l.SetLinger(0) == nil
	c.mu.Lock()
	c.aborted, c.ours = ok, true
	c.mu.Unlock()
	if ok {
		_ = c.raw.Close() // past TLS, which would say goodbye first
	}
	_ = c.Close() // there is nobody left to tell
	return ok
}

// claim returns the head of the request that net/http has just handed to a handler, and its number on the connection.
func (c *wireConn) claim() (h rawHead, number int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.claimed++
	if len(c.heads) == 0 {
		return rawHead{}, c.claimed, false
	}
	h, c.heads = c.heads[0], c.heads[1:]
	return h, c.claimed, true
}

// trailer returns what stood behind the body of the request of that number.
func (c *wireConn) trailer(number int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.scan.takeTrailer(number)
}

// distrust forgets what came behind the request that a handler has, and what comes: nobody can tell where a request begins.
func (c *wireConn) distrust() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads, c.scan = nil, headScanner{state: lost}
}

// answering empties the write log: what is written from now on is the answer. (A 100 Continue was written before.)
func (c *wireConn) answering() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log, c.muted = writeLog{}, false
}

// mute keeps net/http from telling the peer to go on with its body. It lasts until the answer.
func (c *wireConn) mute() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.muted = true
}

// swallows tells whether p is the 100 Continue that net/http writes, in one piece, when the body is first read.
func (c *wireConn) swallows(p []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.muted && bytes.HasPrefix(p, []byte("HTTP/1.1 100 "))
}

// written is what was written of the answer, and when the peer was seen to hang up.
func (c *wireConn) written() (writeLog, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log, c.gone
}

// answered takes the head of an answer apart. Most answers of a connection begin alike: then the fields are those of the one
// before, which nobody changes.
func (c *wireConn) answered(head []byte) (int, [][2]string) {
	if !bytes.Equal(head, c.last.head) {
		c.last.head = bytes.Clone(head) // what it is cut from may hold the beginning of a body
		c.last.status, c.last.fields = statusAndFields(head)
	}
	return c.last.status, c.last.fields
}

func (c *wireConn) peerGone() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone
}

// cut notes which kind of fault ends the connection for what the peer sends next.
func (c *wireConn) cut(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cutBy = kind
}

// fate is how the connection ended for requests that no handler has seen.
func (c *wireConn) fate() (gone time.Duration, aborted bool, cutBy string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone, c.aborted, c.cutBy
}

// unclaimed takes the heads that no handler has seen, an incomplete one last.
func (c *wireConn) unclaimed() (heads []rawHead, log writeLog, incomplete bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	heads, c.heads = c.heads, nil
	if part, ok := c.scan.partial(); ok {
		heads, incomplete = append(heads, part), true
	}
	return heads, c.log, incomplete
}

// allHere tells whether the peer has sent its request to the end, and nothing of the next.
func (c *wireConn) allHere() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.h2 && len(c.heads) == 0 && c.scan.state == inHead && len(c.scan.head.bytes) == 0
}

func (c *wireConn) describe(number int, proto string) evidence.Conn {
	return evidence.Conn{
		ID: c.id, Request: number, Opened: c.opened,
		Local: c.local, Remote: c.remote, Proto: proto,
		Listener: c.of.Name, TLS: c.tls, Fault: c.step,
	}
}
