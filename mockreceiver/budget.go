package mockreceiver

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"slices"
	"sync"
)

// budget is what is left of the bytes that all bodies together may hold in memory.
type budget struct {
	mu   sync.Mutex
	left int64
}

// take takes n bytes, or nothing if there are not so many.
func (b *budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left < n {
		return false
	}
	b.left -= n
	return true
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left += n
}

// used is how much of all is taken.
func (b *budget) used(all int64) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return all - b.left
}

// body is a request body as far as it was read.
type body struct {
	bytes  []byte
	size   int64  // received
	sum    string // hex SHA-256 of all bytes received
	err    error  // why it was not read to its end
	taken  int64  // from the budget
	refuse int    // status to answer instead of the planned one; 0: none
}

// errOverSize and errBudget say why we stopped reading.
var (
	errOverSize = errors.New("the body is over the limit")
	errBudget   = errors.New("the budget for bodies in memory is used up")
)

// readBody reads a body to its end, to the limit, or to the end of the budget.
func (r *Receiver) readBody(req *http.Request) body {
	var b body
	var hash hash.Hash    // of a body that comes in several pieces
	const step = 32 << 10 // large enough that reads do not dominate, small enough to waste little budget
	// A declared length is believed only so far: the bytes have yet to come.
	b.bytes = make([]byte, 0, min(max(req.ContentLength, 0), step)+1)
	for b.err == nil {
		if len(b.bytes) == cap(b.bytes) {
			b.bytes = slices.Grow(b.bytes, room(len(b.bytes), req.ContentLength))
		}
		n, err := req.Body.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		got := b.bytes[len(b.bytes) : len(b.bytes)+n]
		switch {
		case hash != nil:
			hash.Write(got)
		case err == nil:
			hash = sha256.New()
			hash.Write(got)
		default:
			sum := sha256.Sum256(got)
			b.sum = hex.EncodeToString(sum[:])
		}
		b.size += int64(n)
		b.bytes = b.bytes[:len(b.bytes)+n]
		b.err = err
		r.bound(&b, int64(n))
	}
	if errors.Is(b.err, io.EOF) && b.refuse == 0 {
		b.err = nil
	}
	if hash != nil {
		b.sum = hex.EncodeToString(hash.Sum(nil))
	}
	return b
}

// room is how much more to make room for after n bytes: as much again, but no more than is declared to come, so that a large body
// is not held twice.
func room(n int, declared int64) int {
	if left := declared + 1 - int64(n); left > 0 {
		return int(min(left, int64(n)))
	}
	return n
}

// bound applies the two limits after n more bytes.
func (r *Receiver) bound(b *body, n int64) {
	switch {
	case b.size > r.cfg.MaxBody:
		b.bytes = b.bytes[:r.cfg.MaxBody]
		b.err = fmt.Errorf("%w of %d bytes", errOverSize, r.cfg.MaxBody)
		b.refuse = http.StatusRequestEntityTooLarge
	case n > 0 && !r.budget.take(n):
		b.err = fmt.Errorf("%w (%d bytes)", errBudget, r.cfg.MaxInFlight)
		b.refuse = http.StatusServiceUnavailable
	default:
		b.taken += n
	}
}
