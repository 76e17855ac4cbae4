package mockreceiver

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

const (
	// defaultWait and maxWait bound a long poll; proxies and clients give up between one and two minutes.
	defaultWait = 30 * time.Second
	maxWait     = time.Minute
	// maxWaited bounds what is waited for: each new request counts so many index entries anew.
	maxWaited = 1_000_000
)

// wait answers {"count": n, "reached": true} once an endpoint, or an event of it, has so many requests after a sequence number;
// or with settled=DURATION {"settled": true, "last": SEQ} once nothing was new at the endpoint for so long and no request was
// open. At the end of the timeout it answers with reached or settled false.
func (c control) wait(req *http.Request) (int, any, error) {
	q := queryOf(req)
	name, timeout := q.text("endpoint"), q.duration("timeout", defaultWait, maxWait)
	settled, quiet := q.has("settled"), q.duration("settled", 0, maxWait)
	w := journal.Query{Endpoint: name, ByKey: q.has("event"), Key: q.text("event"), After: q.number("after", 0, maxSeq)}
	w.Limit = int(q.number("count", 1, maxWaited))
	if settled && (q.has("count") || q.has("event") || q.has("after")) && q.err == nil {
		q.err = errors.New("settled: is about an endpoint as a whole, leave out event, after and count")
	}
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	if _, err := c.r.endpoints.named(name); err != nil {
		return 0, nil, err
	}
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
	defer cancel()
	if settled {
		ok, err := c.r.WaitSettled(ctx, name, quiet)
		if err != nil {
			return 0, nil, internal(err)
		}
		return http.StatusOK, map[string]any{"settled": ok, "last": c.r.LastSeq()}, nil
	}
	n, err := c.r.WaitFor(ctx, w)
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusOK, map[string]any{"count": n, "reached": n >= w.Limit}, nil
}
