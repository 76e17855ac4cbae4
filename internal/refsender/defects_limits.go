package refsender

import (
	"context"
	"io"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

const (
	// bodyCut is the size at which careless senders cut a body: the round number that most of them choose.
	bodyCut = 1 << 20
	// roomFor is how many deliveries that are due may wait at one endpoint before a full queue drops more of them.
	roomFor = 100
	// attemptsForEver is a number of attempts that no run lives to see, and that still can be counted to.
	attemptsForEver = 1 << 20
	// doubledFrom is the wait that is doubled for each attempt until it overflows: nanoseconds in 64 bits do so at the 44th.
	doubledFrom = time.Millisecond
)

// fits is what of a body is kept.
func (d defect) fits(body []byte) []byte {
	if d != bodyLargeTruncated {
		return body
	}
	return body[:min(len(body), bodyCut)]
}

// room is how many deliveries that are due are kept for an endpoint; 0 stands for all.
func (d defect) room() int {
	if d == lossQueueFull {
		return roomFor
	}
	return 0
}

// doubled moves a retry to where a wait that is doubled for each attempt ends, the declared one being its cap. Once it has
// overflowed it is negative or nothing, and below each cap.
func (d defect) doubled(c *contract.Contract, f facts, dec decision) decision {
	if d != backoffOverflow || dec.verdict != retry {
		return dec
	}
	if doubledFrom<<f.number <= 0 {
		dec.at = from(c.Schedule, f)
	}
	return dec
}

// resets is the key under which a context holds what starts the time of a request anew.
type resets struct{}

// restarted bounds a request whose time begins anew with each byte of the answer's body.
func restarted(ctx context.Context, timeout time.Duration, cancel func()) context.Context {
	t := time.AfterFunc(timeout, cancel)
	return context.WithValue(ctx, resets{}, func() { t.Reset(timeout) })
}

// fed passes an answer's body on, and starts the time of the request anew at each byte.
func (d defect) fed(ctx context.Context, body io.Reader) io.Reader {
	if again, ok := ctx.Value(resets{}).(func()); ok && d == dripResetsTimeout {
		return feeding{body, again}
	}
	return body
}

type feeding struct {
	body  io.Reader
	again func()
}

func (f feeding) Read(p []byte) (int, error) {
	n, err := f.body.Read(p)
	if n > 0 {
		f.again()
	}
	return n, err
}
