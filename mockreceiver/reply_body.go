package mockreceiver

import (
	"bytes"
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

const (
	// keptBody is how much of the filler of an answer's body is kept as evidence: sixteen times what the judge compares with
	// a sender's digest, and little enough for a journal full of such answers. Body itself, which a plan spells out, is kept
	// whole.
	keptBody = 64 << 10
	// fillPiece is how much filler is written at a time.
	fillPiece = 32 << 10
)

// errStopped says that a body was not written to its end because the peer or the receiver went.
var errStopped = errors.New("the exchange ended before its answer")

// answerBody writes the body of an answer and remembers what it wrote.
type answerBody struct {
	x    *exchange
	kept evidence.Raw
	size int64
	// endless tells that only the peer or the receiver ends the body.
	endless bool
}

// send writes the whole body, or writes until the peer hangs up or the receiver closes.
func (b *answerBody) send(r fault.Reply) error {
	if r.Fill == 0 {
		b.kept, b.size = evidence.Raw(r.Body), int64(len(r.Body))
		_, err := b.x.w.Write(b.kept)
		return err
	}
	if err := http.NewResponseController(b.x.w).Flush(); err != nil {
		return err
	}
	if r.Body != "" {
		if err := b.piece([]byte(r.Body), fault.Pace{}); err != nil {
			return err
		}
	}
	b.endless = r.Fill == fault.Forever
	if r.Pause.For == 0 {
		return b.fill(r.Fill, r.Pace)
	}
	if err := b.fill(r.Pause.At, r.Pace); err != nil {
		return err
	}
	if err := b.pause(r.Pause.For); err != nil {
		return err
	}
	return b.fill(r.Fill-r.Pause.At, r.Pace)
}

// fill writes n bytes that mean nothing, or without an end if n is negative.
func (b *answerBody) fill(n int64, pace fault.Pace) error {
	most := fillPiece
	if pace.Bytes > 0 {
		most = pace.Bytes
	}
	filler := bytes.Repeat([]byte{'x'}, most)
	for n != 0 {
		size := int64(most)
		if n > 0 {
			size = min(size, n)
			n -= size
		}
		if err := b.piece(filler[:size], pace); err != nil {
			return err
		}
	}
	return nil
}

// pause is silent for d, or until the peer hangs up.
func (b *answerBody) pause(d time.Duration) error {
	if d == fault.Endlessly {
		d = math.MaxInt64
	}
	if !b.x.wait(d, b.x.req.Context().Done()) {
		return errStopped
	}
	return nil
}

// piece writes one piece so that the peer can see it, at the end of its interval. As in Hold, a peer that closed its half
// of the connection counts as gone while it is made to wait, or could read on for ever.
func (b *answerBody) piece(p []byte, pace fault.Pace) error {
	peer := b.x.req.Context()
	if pace.Every > 0 && !b.x.wait(pace.Every, peer.Done()) || b.endless && peer.Err() != nil || b.x.r.ctx.Err() != nil {
		return errStopped
	}
	n, err := b.x.w.Write(p)
	if b.x.stream != nil {
		b.wrote(p[:n]) // a window may have let part of it through
		return err
	}
	if err != nil {
		return err
	}
	if err := http.NewResponseController(b.x.w).Flush(); err != nil {
		return err
	}
	b.wrote(p)
	return nil
}

func (b *answerBody) wrote(p []byte) {
	b.size += int64(len(p))
	if n := min(len(p), keptBody-len(b.kept)); n > 0 {
		b.kept = append(b.kept, p[:n]...)
	}
}
