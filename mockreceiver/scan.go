package mockreceiver

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// maxHead is the most that a request head may have: eight times the 8 KiB of common servers, so that a sender which
// exceeds it is not merely unlucky.
const maxHead = 64 << 10

// rawHead is a request head as it was on the wire.
type rawHead struct {
	bytes []byte        // request line and fields, with the final empty line
	first time.Duration // offset of the read that brought its first byte
	wall  time.Time
	// conflict tells that the head frames its body in two ways, so that two readers could disagree on where it ends.
	conflict bool
	// odd tells that other readers than net/http may cut it off elsewhere: nothing behind it is taken for a request.
	odd bool
}

// headScanner finds the request heads in the bytes of a connection. It follows the framing of the bodies only to know where
// the next head begins; net/http reads the same bytes and is the judge of whether they are a request. Once the two could
// disagree the scanner is lost and finds no more heads.
type headScanner struct {
	state   scanState
	head    rawHead
	line    int   // where the current line begins in head.bytes, or how much of a chunk line was seen
	left    int64 // bytes of body or chunk still to skip
	chunk   []byte
	started bool

	found   int // heads
	trailer rawTrailer
	behind  []rawTrailer // the trailers found, and not yet claimed
}

// rawTrailer is what stood behind a body in chunks, as it was on the wire.
type rawTrailer struct {
	of    int    // the number of its head, from 1
	bytes []byte // fields, with the final empty line unless it is cut short
}

// takeTrailer returns the trailer of the request of that number, as far as it came, and forgets those of earlier ones.
func (s *headScanner) takeTrailer(of int) []byte {
	for len(s.behind) > 0 && s.behind[0].of <= of {
		t := s.behind[0]
		s.behind = s.behind[1:]
		if t.of == of {
			return t.bytes
		}
	}
	if s.found != of || s.state == inHead {
		return nil
	}
	t := s.trailer.bytes
	if s.state == inTrailer { // the peer has stopped in the middle
		t = append(t, s.chunk...)
	}
	return bytes.Clone(t)
}

type scanState int

const (
	inHead scanState = iota
	inBody
	inChunkLine
	inChunkData
	inTrailer
	lost
)

// feed takes the next bytes, read at that offset and time, and calls found for each head that they complete.
func (s *headScanner) feed(p []byte, at time.Duration, wall time.Time, found func(rawHead)) {
	for len(p) > 0 {
		switch s.state {
		case inHead:
			p = s.feedHead(p, at, wall, found)
		case inBody, inChunkData:
			n := min(int64(len(p)), s.left)
			p = p[n:]
			s.left -= n
			if s.left == 0 {
				s.afterData()
			}
		case inChunkLine:
			p = s.feedLine(p, s.chunkLine)
		case inTrailer:
			p = s.feedLine(p, s.trailerLine)
		case lost:
			return
		}
	}
}

// partial is what there is of a head that is not complete; nil if nothing is.
func (s *headScanner) partial() (rawHead, bool) {
	return s.head, s.state == inHead && len(s.head.bytes) > 0 || s.state == lost && s.started && len(s.head.bytes) > 0
}

func (s *headScanner) feedHead(p []byte, at time.Duration, wall time.Time, found func(rawHead)) []byte {
	if len(s.head.bytes) == 0 {
		// Empty lines before a request line are no part of it (RFC 9112, 2.2).
		p = bytes.TrimLeft(p, "\r\n")
		if len(p) == 0 {
			return nil
		}
		s.head.first, s.head.wall, s.line, s.started = at, wall, 0, true
	}
	if n := whole(p); n > 0 && len(s.head.bytes) == 0 && n <= maxHead {
		s.head.bytes = bytes.Clone(p[:n])
		s.complete(found)
		return p[n:]
	}
	for {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			s.head.bytes = append(s.head.bytes, p...)
			if len(s.head.bytes) > maxHead {
				s.state = lost
			}
			return nil
		}
		s.head.bytes = append(s.head.bytes, p[:i+1]...)
		p = p[i+1:]
		if len(s.head.bytes) > maxHead {
			s.state = lost
			return nil
		}
		line := s.head.bytes[s.line:]
		s.line = len(s.head.bytes)
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			s.complete(found)
			return p
		}
	}
}

// whole is the length of the head at the beginning of p if all of it is there, with plain line ends: the usual case, done at
// once. 0: it must be looked at line by line.
func whole(p []byte) int {
	n := bytes.Index(p, []byte("\r\n\r\n")) + 4
	if n < 4 || bytes.Contains(p[:n-2], []byte("\n\n")) || bytes.Contains(p[:n-2], []byte("\n\r")) {
		return 0
	}
	return n
}

// complete hands the head on and finds out how its body ends.
func (s *headScanner) complete(found func(rawHead)) {
	h := s.head
	s.head, s.started, s.found = rawHead{}, false, s.found+1
	chunked, length, ok := framing(h.bytes)
	h.conflict = chunked && length >= 0
	h.odd = !ok
	found(h)
	switch {
	case !ok || h.conflict:
		s.state = lost
	case chunked:
		s.state = inChunkLine
	case length > 0:
		s.state, s.left = inBody, length
	default:
		s.state = inHead
	}
}

func (s *headScanner) afterData() {
	if s.state == inBody {
		s.state = inHead
		return
	}
	s.state = inChunkLine
	s.left = -1 // the line end after the chunk's data comes first
}

// maxLine bounds a chunk line; net/http allows 4096 bytes.
const maxLine = 4096

func (s *headScanner) feedLine(p []byte, done func(line string)) []byte {
	i := bytes.IndexByte(p, '\n')
	n := i + 1
	if i < 0 {
		n = len(p)
	}
	s.chunk = append(s.chunk, p[:n]...)
	if len(s.chunk) > maxLine && s.state == inChunkLine || len(s.chunk) > maxHead {
		s.state = lost
		return nil
	}
	if i >= 0 {
		line := string(s.chunk)
		s.chunk = s.chunk[:0]
		done(line)
	}
	return p[n:]
}

func (s *headScanner) chunkLine(line string) {
	line = strings.TrimRight(line, "\r\n")
	if s.left < 0 {
		s.left = 0
		if line != "" {
			s.state = lost
		}
		return
	}
	size, _, _ := strings.Cut(line, ";")
	n, err := strconv.ParseInt(strings.TrimSpace(size), 16, 64)
	switch {
	case err != nil || n < 0:
		s.state = lost
	case n == 0:
		s.state = inTrailer
	default:
		s.state, s.left = inChunkData, n
	}
}

func (s *headScanner) trailerLine(line string) {
	end := strings.TrimRight(line, "\r\n") == ""
	none := end && s.trailer.of != s.found
	if !none {
		s.keepTrailer(line)
	}
	if !end || s.state == lost {
		return
	}
	s.state = inHead
	if !none {
		s.behind = append(s.behind, s.trailer)
	}
	s.trailer = rawTrailer{}
}

func (s *headScanner) keepTrailer(line string) {
	if s.trailer.of != s.found {
		s.trailer = rawTrailer{of: s.found}
	}
	room := maxHead - len(s.trailer.bytes)
	s.trailer.bytes = append(s.trailer.bytes, line[:min(len(line), room)]...)
	if len(line) > room {
		s.state = lost // net/http has given up as well
	}
}

// framing tells how the body of a head ends: chunked, or after length bytes; length is -1 if the head gives none. ok is
// false where it cannot be told, or where not everybody would say the same: a length or coding that goes on in the next line,
// or a coding in HTTP/1.0 (RFC 9112, 6.1: the connection is to be closed after such a request).
func framing(head []byte) (chunked bool, length int64, ok bool) {
	length, ok = -1, true
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	old := bytes.HasSuffix(bytes.TrimRight(line, "\r"), []byte("HTTP/1.0")) // knows no transfer coding
	for len(rest) > 0 {
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		if len(line) == 0 || line[0]|0x20 != 'c' && line[0]|0x20 != 't' {
			continue // neither of the two, at a look
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			n, err := strconv.ParseInt(string(bytes.Trim(value, " \t\r")), 10, 64)
			if err != nil || n < 0 || length >= 0 && length != n {
				ok = false
			}
			length = n
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			ok = ok && !old && !chunked && bytes.EqualFold(bytes.Trim(value, " \t\r"), []byte("chunked"))
			chunked = !old
		}
	}
	return chunked, length, ok
}
