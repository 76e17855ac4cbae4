package mockreceiver

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/mockreceiver/business"
)

// listInbox answers {"items": […], "next": ID, "counts": {"pending": n, …}}: what stands in the inboxes, oldest first, and how
// many events are in each state, of the endpoint that is asked for or over all.
func (c control) listInbox(req *http.Request) (int, any, error) {
	q := queryOf(req)
	want, check := oneOf(business.States())
	state := q.text("state")
	if state != "" && !check(state) {
		q.fail("state %q: want %s", state, want)
	}
	limit := q.limit()
	wanted := business.Query{
		Endpoint: q.text("endpoint"), Event: q.text("event"), State: business.State(state), After: q.number("after", 0, maxSeq), Limit: limit + 1,
	}
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	if err := c.known(req.Context(), wanted.Endpoint); err != nil {
		return 0, nil, err
	}
	list, err := c.r.Inbox(req.Context(), wanted)
	if err != nil {
		return 0, nil, internal(err)
	}
	var next int64
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].ID
	}
	counts, err := c.r.inboxCounts(req.Context(), wanted.Endpoint)
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusOK, map[string]any{"items": list, "next": cursor(next), "counts": counts}, nil
}

// retryInbox takes {"reason": "…"}.
func (c control) retryInbox(req *http.Request) (int, any, error) {
	id, err := strconv.ParseInt(mux.Vars(req)["id"], 10, 64)
	if err != nil {
		return c.notFound(req)
	}
	reason, err := readReason(req)
	if err != nil {
		return 0, nil, err
	}
	err = c.r.RetryDead(id, reason)
	if _, unknown := errors.AsType[noDeadLetterError](err); unknown {
		return 0, nil, apiError{http.StatusNotFound, err.Error()}
	}
	return http.StatusNoContent, nil, err
}
