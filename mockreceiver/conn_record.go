package mockreceiver

import (
	"context"
	"fmt"

	"github.com/hookassay/hookassay/harness/evidence"
)

// unreadable records a connection that ended without a request.
func (r *Receiver) unreadable(c *wireConn) {
	rec := &evidence.Connection{
		ID: c.id, Listener: c.of.Name, Local: c.local, Remote: c.remote,
		TLS: c.tls, Fault: c.step, Opened: c.opened, Closed: r.now(), End: evidence.EndClosed,
	}
	c.mu.Lock()
	gone, aborted := c.gone, c.aborted
	rec.Received, rec.Sent = c.in, c.out
	if c.err != nil {
		rec.Err = c.err.Error()
	}
	c.mu.Unlock()
	if c.link != nil {
		rec.Received, rec.Sent = c.link.in.Load(), c.link.out.Load()
	}
	switch {
	case gone != 0:
		rec.End, rec.Closed = evidence.EndPeerGone, gone
	case r.ctx.Err() != nil:
		rec.End, rec.Err = evidence.EndShutdown, ""
	case aborted:
		rec.End = evidence.EndReset
	}
	r.commits.later("", rec)
}

// Connections returns the connections on which no request became readable, and the times during which a listener refused
// them: oldest first, at most limit, beyond the cursor after. next is the cursor of the following page, 0 if there is none.
func (r *Receiver) Connections(ctx context.Context, after int64, limit int) (list []evidence.Connection, next int64, err error) {
	if limit <= 0 {
		return nil, 0, fmt.Errorf("read connections: limit %d: want a positive one", limit)
	}
	return r.journal.Connections(ctx, after, limit)
}
