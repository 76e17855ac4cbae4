package refsender

import (
	"database/sql"
	"errors"
	"net/http"
	"time"
)

// postReplay makes one more delivery of an event that has ended, with its original id and bytes and a fresh signature. It
// is one attempt and not rescheduled.
func (s *Sender) postReplay(q *http.Request) (int, any, error) {
	if err := s.accepting(); err != nil {
		return 0, nil, err
	}
	event, err1 := variable(q, "event")
	endpoint, err2 := variable(q, "endpoint")
	if err := errors.Join(err1, err2); err != nil {
		return 0, nil, err
	}
	var in struct {
		Reason string `json:"reason"`
	}
	if err := decode(q, &in); err != nil {
		return 0, nil, err
	}
	if in.Reason == "" {
		return 0, nil, refuse(http.StatusBadRequest, "reason must say why the event is replayed")
	}
	now := time.Now()
	d := &delivery{event: event, endpoint: endpoint, accepted: now, due: now, trigger: triggerReplay, reason: in.Reason}
	if err := s.store.write(func(t *tx) error { return reopen(t, d) }); err != nil {
		return 0, nil, err
	}
	s.enqueue(d)
	return http.StatusAccepted, map[string]string{"event": event, "endpoint": endpoint}, nil
}

// reopen makes the delivery pending again, for a replay.
func reopen(t *tx, d *delivery) error {
	var disabled bool
	err := t.get(`SELECT d.state, d.attempts, d.last_failure, p.disabled FROM deliveries d JOIN endpoints p ON p.id = d.endpoint
		WHERE d.event = ? AND d.endpoint = ?`, []any{d.event, d.endpoint}, &d.fallback, &d.made, &d.failure, &disabled)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return refuse(http.StatusNotFound, "there is no delivery of this event to this endpoint")
	case err != nil:
		return err
	case d.fallback == statePending || d.fallback == stateInFlight:
		return refuse(http.StatusConflict, "the delivery is still pending, so there is nothing to replay yet")
	case disabled:
		return refuse(http.StatusConflict, "the endpoint is disabled")
	}
	return t.exec(`UPDATE deliveries SET state = 'pending', trigger = ?, reason = ?, fallback = ?, next_at = ?
		WHERE event = ? AND endpoint = ?`, d.trigger, d.reason, d.fallback, d.due.UnixNano(), d.event, d.endpoint)
}
