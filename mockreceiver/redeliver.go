package mockreceiver

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/hookassay/hookassay/harness/evidence"
)

const (
	// maxReason bounds the reason of a redelivery: a sentence or two.
	maxReason = 500
	// redeliverPatience is how long a redelivered copy may take. It is answered at once by a 200, after a commit.
	redeliverPatience = 10 * time.Second
)

// errNotWhole is wrapped by the errors of Redeliver for requests that cannot be sent again.
var errNotWhole = errors.New("it cannot be sent again")

// Redeliver sends a recorded request again, head and body as they were received, to its endpoint, over a connection of our
// own. The copy has the origin harness and the reason, which must not be empty; it takes no step of a plan and no attempt
// number, and goes through the business side, which absorbs what it had already. Redeliver returns the number under which
// the copy was recorded, once it is recorded as well what became of it; after 10 s it waits for that no longer.
func (r *Receiver) Redeliver(ctx context.Context, seq int64, reason string) (int64, error) {
	switch {
	case reason == "":
		return 0, fmt.Errorf("redeliver %d: give a reason, it is kept with the copy", seq)
	case len(reason) > maxReason || !utf8.ValidString(reason):
		return 0, fmt.Errorf("redeliver %d: the reason must be text of at most %d bytes", seq, maxReason)
	}
	a, err := r.attempt(ctx, seq, 0)
	if err != nil {
		return 0, err
	}
	switch _, err := r.endpoints.named(a.Endpoint); {
	case err != nil:
		return 0, fmt.Errorf("redeliver %d: %w: its endpoint %q is gone", seq, errNotWhole, a.Endpoint)
	case !a.Handled() && a.Origin != evidence.OriginHarness, a.BodyErr != "", a.BodySize != int64(len(a.Body)):
		return 0, fmt.Errorf("redeliver %d: %w: it was not received or not kept whole", seq, errNotWhole)
	}
	ctx, cancel := context.WithTimeout(ctx, redeliverPatience)
	defer cancel()
	order := copyOrder{reason: reason, recorded: make(chan int64, 1)}
	sent := r.inject(ctx, &a.Arrival, order)
	select {
	case copied := <-order.recorded:
		r.ended(ctx, copied)
		return copied, nil // whatever became of its answer
	default:
		return 0, fmt.Errorf("redeliver %d: the copy was not recorded: %w", seq, sent)
	}
}

// ended waits until a request is not in flight any more.
func (r *Receiver) ended(ctx context.Context, seq int64) {
	for {
		written := r.commits.watch.wait()
		if !r.activity.isOpen(seq) || !r.pause(ctx, written, 0) {
			return
		}
	}
}

// tell hands over the number of a copy that is recorded now.
func (o copyOrder) tell(x *exchange) {
	if o.recorded == nil || !x.recorded {
		return
	}
	select {
	case o.recorded <- x.arrival.Seq:
	default: // told before
	}
}
