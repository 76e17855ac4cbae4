package mockreceiver

import (
	"context"
	"errors"
	"fmt"
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

// wait answers {"count": n, "reached": true} once so many requests to an endpoint, or of an event of it, beyond a sequence number
// have taken a step of a plan and are over; with open=true those in flight count too. With settled=DURATION it answers
// {"settled": true, "last": SEQ} once nothing was new at the endpoint for so long and no request was open. At the end of the
// timeout it answers 408 with reached or settled false, and what is missing.
func (c control) wait(req *http.Request) (int, any, error) {
	q := queryOf(req)
	w := journal.Query{Endpoint: q.text("endpoint"), ByKey: q.has("event"), Key: q.text("event"), After: q.number("after", 0, maxSeq)}
	timeout, open := q.duration("timeout", defaultWait, maxWait), q.flag("open")
	settled, quiet := q.has("settled"), q.duration("settled", 0, maxWait)
	w.Limit = int(q.number("count", 1, maxWaited))
	if settled && (q.has("count") || q.has("event") || q.has("after") || q.has("open")) && q.err == nil {
		q.err = errors.New("settled: is about an endpoint as a whole, leave out event, after, count and open")
	}
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	e, err := c.endpointOr(w.Endpoint)
	if err != nil {
		return 0, nil, err
	}
	w.Endpoint = e.Name
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
	defer cancel()
	if settled {
		return c.waitSettled(ctx, e, quiet)
	}
	count, over := c.r.stepsOver, " and are over"
	if open {
		count, over = c.r.steps, ""
	}
	n, err := c.r.waitFor(ctx, w, count)
	switch {
	case err != nil:
		return 0, nil, internal(err)
	case n < w.Limit:
		return http.StatusRequestTimeout, map[string]any{
			"error": fmt.Sprintf("within %s %d of %d requests to %s came%s", timeout, n, w.Limit, e.Name, over), "count": n, "reached": false,
		}, nil
	}
	return http.StatusOK, map[string]any{"count": n, "reached": true}, nil
}

func (c control) waitSettled(ctx context.Context, e *endpoint, quiet time.Duration) (int, any, error) {
	ok, err := c.r.WaitSettled(ctx, e.Name, quiet)
	switch {
	case err != nil:
		return 0, nil, internal(err)
	case !ok:
		return http.StatusRequestTimeout, map[string]any{
			"error": fmt.Sprintf("%s was not without news and open requests for %s", e.Name, quiet), "settled": false, "last": c.r.LastSeq(),
		}, nil
	}
	return http.StatusOK, map[string]any{"settled": true, "last": c.r.LastSeq()}, nil
}

// endpointOr is the endpoint of a name, and without a name the only one that there is.
func (c control) endpointOr(name string) (*endpoint, error) {
	if name != "" {
		return c.r.endpoints.named(name)
	}
	list := c.r.endpoints.list()
	if len(list) != 1 {
		return nil, fmt.Errorf("endpoint: give the name of one, there are %d", len(list))
	}
	return list[0], nil
}
