package refsender

import (
	"database/sql"
	"fmt"
	"net/http"
	"time"
)

// disabledByRequest is the reason shown where nobody gave another.
const disabledByRequest = "disabled by request"

// postDisable stops an endpoint: no attempt starts after the answer. What is pending is held; its deadline keeps counting.
func (s *Sender) postDisable(q *http.Request) (int, any, error) {
	return s.alter(q, func(t *tx, id, state string) error {
		if state != endpointEnabled {
			return nil
		}
		s.variant.outdates(&s.late, id, state, nil)
		return t.exec("UPDATE endpoints SET state = 'disabled', reason = ? WHERE id = ?", disabledByRequest, id)
	})
}

// postEnable lets an endpoint go on. What was held goes on at its planned time, or now if that has passed.
func (s *Sender) postEnable(q *http.Request) (int, any, error) {
	now := time.Now()
	status, _, err := s.alter(q, func(t *tx, id, state string) error {
		if state == endpointEnabled {
			return nil
		}
		if err := t.exec("UPDATE endpoints SET state = 'enabled', reason = '', failures = 0, failing_since = 0 WHERE id = ?", id); err != nil {
			return err
		}
		return t.exec("UPDATE deliveries SET next_at = max(next_at, ?) WHERE endpoint = ? AND state = 'pending'", now.UnixNano(), id)
	})
	if err != nil {
		return 0, nil, err
	}
	id, err := variable(q, "endpoint")
	s.queue.wake(id, now)
	return status, nil, err
}

// deleteEndpoint removes an endpoint: no attempt starts after the answer, and what is pending becomes a dead letter. Its log
// and dead letters can still be read; its keys are gone.
func (s *Sender) deleteEndpoint(q *http.Request) (int, any, error) {
	return s.alter(q, func(t *tx, id, _ string) error {
		if s.defect.outlives() {
			return t.exec("UPDATE endpoints SET state = 'deleted' WHERE id = ?", id)
		}
		if err := t.exec("UPDATE endpoints SET state = 'deleted', keys = '[]' WHERE id = ?", id); err != nil {
			return err
		}
		return cancelPending(t, id, "endpoint deleted")
	})
}

// alter changes the state of the endpoint that the path names.
func (s *Sender) alter(q *http.Request, do func(t *tx, id, state string) error) (int, any, error) {
	id, err := variable(q, "endpoint")
	if err != nil {
		return 0, nil, err
	}
	err = s.change(func(t *tx) error {
		var state string
		if err := findEndpoint(t, id, "state", &state); err != nil {
			return err
		}
		return do(t, id, state)
	})
	return http.StatusNoContent, nil, err
}

// closeByAnswer stops an endpoint after an answer that the contract declares final.
func closeByAnswer(t *tx, d *delivery, failure string) error {
	return closeEndpoint(t, d.endpoint, fmt.Sprintf("answered %s to event %s, which the contract takes for a wish to get nothing more", failure, d.event))
}

// closed says why what was pending at an endpoint that the sender has stopped was cancelled.
const closed = "endpoint disabled by what came of earlier attempts"

// closeEndpoint stops an endpoint for the sender's own reasons. What is pending becomes a dead letter.
func closeEndpoint(t *tx, endpoint, reason string) error {
	n, err := t.changed("UPDATE endpoints SET state = 'gone', reason = ? WHERE id = ? AND state IN ('enabled', 'disabled')", reason, endpoint)
	if err != nil || n == 0 {
		return err
	}
	return cancelPending(t, endpoint, closed)
}

// cancelPending ends what is pending at an endpoint that gets nothing more.
func cancelPending(t *tx, endpoint, why string) error {
	var all []*delivery
	err := t.each(`SELECT event, attempts, trigger, reason, fallback, last_failure FROM deliveries
		WHERE endpoint = ? AND state = 'pending'`, []any{endpoint}, func(rows *sql.Rows) error {
		d := &delivery{endpoint: endpoint}
		all = append(all, d)
		return rows.Scan(&d.event, &d.made, &d.trigger, &d.reason, &d.fallback, &d.failure)
	})
	if err != nil {
		return err
	}
	for _, d := range all {
		if err := record(t, d, result{}, cancelled(d, why)); err != nil {
			return err
		}
	}
	return nil
}

func cancelled(d *delivery, why string) decision {
	return decision{
		verdict: dead, reason: fmt.Sprintf("%s: attempt %d was cancelled%s", why, d.made+1, after(d.failure)),
		hint: "check the endpoint's configuration: it gets nothing more",
	}
}

// outlived turns a retry at an endpoint that gets nothing more by now into the end.
func outlived(t *tx, d *delivery, r result, dec decision) (decision, error) {
	if dec.verdict != retry {
		return dec, nil
	}
	var state string
	err := t.get("SELECT state FROM endpoints WHERE id = ?", []any{d.endpoint}, &state)
	if err != nil || (state != endpointDeleted && state != endpointGone) {
		return dec, err
	}
	why := "endpoint deleted"
	if state == endpointGone {
		why = closed
	}
	ended := *d
	ended.note(r, dec)
	return cancelled(&ended, why), nil
}
