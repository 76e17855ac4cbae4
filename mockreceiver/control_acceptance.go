package mockreceiver

import (
	"net/http"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// defaultLast is how many events an acceptance is about, as the tests that people agree on have it.
const defaultLast = 1000

// acceptance answers with how the last events fared, as the contract counts that.
func (c control) acceptance(req *http.Request) (int, any, error) {
	q := queryOf(req)
	name, last := q.text("endpoint"), int(q.number("last", defaultLast, maxLimit))
	if last == 0 {
		q.fail("last: want a number from 1 to %d", maxLimit)
	}
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	if _, err := c.r.endpoints.named(name); name != "" && err != nil {
		return 0, nil, err
	}
	if c.r.cfg.Acceptance == nil {
		return 0, nil, apiError{http.StatusNotFound, "acceptance: the receiver was started without a contract to go by: give one with --contract"}
	}
	events, err := journal.LastEvents(req.Context(), c.r.journal, name, last)
	if err != nil {
		return 0, nil, internal(err)
	}
	answer, err := c.r.cfg.Acceptance(req.Context(), time.Now(), events)
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusOK, answer, nil
}
