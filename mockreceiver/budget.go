package mockreceiver

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"sync"
	"time"
)

// budget is what is left of the bytes that all bodies together may hold in memory.
type budget struct {
	mu   sync.Mutex
	left int64
	// growing is held while a large body gets more room: sixty that did so at once had half of the budget in memory a second time.
	growing sync.Mutex
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
	taken  int64  // from the budget, see charge
	refuse int    // status to answer instead of the planned one; 0: none

	keep    int64     // how many bytes are kept
	hash    hash.Hash // of a body that comes in several pieces
	scratch []byte    // for what is not kept
}

// ownDelay is how much delay of ours a peer is given back at once: little beside the least that it has for a body, and seldom enough.
const ownDelay = 100 * time.Millisecond

// keptOver is how much is kept of a body over the limit, which is refused and whose end nobody has seen: enough to tell what
// it was. The sum covers all that was received.
const keptOver = 1 << 20

// errOverSize and errBudget say why we stopped reading.
var (
	errOverSize = errors.New("the body is over the limit")
	errBudget   = errors.New("the budget for bodies in memory is used up")
)

// piece is how much of a body is read at once: large enough that reads do not dominate, small enough to waste little budget.
const piece = 32 << 10

// readBody reads a body to its end, to the limit, or to the end of the budget. The peer waits for us between two reads, by a lock or for
// want of processor time; late is told for how long, time and again.
func (r *Receiver) readBody(req *http.Request, late func(time.Duration)) body {
	b := body{keep: r.cfg.MaxBody}
	if req.ContentLength > r.cfg.MaxBody {
		b.keep = min(b.keep, keptOver) // it is refused whatever follows
	}
	// A declared length is believed only so far: the bytes have yet to come.
	b.bytes = make([]byte, 0, min(max(req.ContentLength, 0), b.keep, piece)+1)
	var ours time.Duration
	var since time.Time // the peer waits for us; zero: it has sent nothing yet
	for b.err == nil && r.grow(&b, req.ContentLength) {
		into := b.space()
		if !since.IsZero() {
			ours += time.Since(since)
		}
		if ours >= ownDelay {
			late(ours)
			ours = 0
		}
		n, err := req.Body.Read(into)
		if err == nil {
			since = time.Now()
		}
		b.add(into[:n], err)
		r.bound(&b, int64(n))
	}
	if errors.Is(b.err, io.EOF) && b.refuse == 0 {
		b.err = nil
	}
	if b.hash != nil {
		b.sum = hex.EncodeToString(b.hash.Sum(nil))
	}
	return b
}

// grow makes room for the next bytes, or ends the body where there is none left in the budget. It grows by half of what has come, to
// no more than is declared, so that a large body is not held twice, and bodies that are cut short hold little more than they may.
func (r *Receiver) grow(b *body, declared int64) bool {
	n := int64(len(b.bytes))
	if n < int64(cap(b.bytes)) || n >= b.keep {
		return true
	}
	left := b.keep + 1 - n
	if declared > 0 && declared < b.keep {
		left = max(declared+1-n, 1)
	}
	size := n + min(left, max(n/2, piece))
	if size > 2*piece {
		if !r.charge(b, min(size, b.keep)) {
			return false
		}
		r.budget.growing.Lock()
		defer r.budget.growing.Unlock()
	}
	grown := make([]byte, n, size) // append would round up
	copy(grown, b.bytes)
	b.bytes = grown
	return true
}

// space is where the next bytes go.
func (b *body) space() []byte {
	if n := len(b.bytes); int64(n) < b.keep {
		return b.bytes[n:cap(b.bytes)]
	}
	if b.scratch == nil {
		b.scratch = make([]byte, piece)
	}
	return b.scratch
}

// charge takes from the budget until the body has as much of it as it holds: of a large one that is its room, which is taken before it
// is there, and of a small one what has come. Counted by what has come alone, large bodies held twice the budget while they grew.
func (r *Receiver) charge(b *body, held int64) bool {
	more := held - b.taken
	if more <= 0 {
		return true
	}
	if !r.budget.take(more) {
		b.err = fmt.Errorf("%w (%d bytes)", errBudget, r.cfg.MaxInFlight)
		b.refuse = http.StatusServiceUnavailable
		return false
	}
	b.taken = held
	return true
}

// add takes in what was read with err.
func (b *body) add(got []byte, err error) {
	switch {
	case b.hash == nil && err != nil: // all of it at once
		sum := sha256.Sum256(got)
		b.sum = hex.EncodeToString(sum[:])
	case b.hash == nil:
		b.hash = sha256.New()
		b.hash.Write(got)
	default:
		b.hash.Write(got)
	}
	b.size += int64(len(got))
	if int64(len(b.bytes)) < b.keep {
		b.bytes = b.bytes[:len(b.bytes)+len(got)]
	}
	b.err = err
}

// bound applies the two limits after n more bytes.
func (r *Receiver) bound(b *body, n int64) {
	switch {
	case b.size > r.cfg.MaxBody:
		b.bytes = bytes.Clone(b.bytes[:min(int64(len(b.bytes)), r.cfg.MaxBody, keptOver)])
		if spare := b.taken - int64(len(b.bytes)); spare > 0 {
			r.budget.give(spare)
			b.taken -= spare
		}
		b.err = fmt.Errorf("%w of %d bytes", errOverSize, r.cfg.MaxBody)
		b.refuse = http.StatusRequestEntityTooLarge
	case n == 0 || b.size > b.keep: // nothing more is held
	default:
		r.charge(b, int64(len(b.bytes)))
	}
}
