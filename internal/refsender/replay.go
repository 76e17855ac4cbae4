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
	var in reasonRequest
	if err := decode(q, &in); err != nil {
		return 0, nil, err
	}
	if in.Reason == "" {
		return 0, nil, refuse(http.StatusBadRequest, "reason must say why the event is replayed")
	}
	return s.replayOne(q, in.Reason)
}

// postSendAgain is the replay that a subscriber asks for, who need not say why.
func (s *Sender) postSendAgain(q *http.Request) (int, any, error) {
	in := reasonRequest{Reason: "sent again at the subscriber's wish"}
	if err := decodeOptional(q, &in); err != nil {
		return 0, nil, err
	}
	return s.replayOne(q, in.Reason)
}

type reasonRequest struct {
	Reason string `json:"reason"`
}

func (s *Sender) replayOne(q *http.Request, reason string) (int, any, error) {
	if err := s.accepting(); err != nil {
		return 0, nil, err
	}
	event, err1 := variable(q, "event")
	endpoint, err2 := variable(q, "endpoint")
	if err := errors.Join(err1, err2); err != nil {
		return 0, nil, err
	}
	d := newReplay(event, endpoint, reason, time.Now())
	err := s.store.write(func(t *tx) error { return s.defect.forgetting(reopen(t, d, s.defect)) })
	switch {
	case err == nil:
		s.enqueue(d)
	case !errors.Is(err, errForgotten):
		return 0, nil, err
	}
	return http.StatusAccepted, map[string]string{"event": event, "endpoint": endpoint}, nil
}

func newReplay(event, endpoint, reason string, now time.Time) *delivery {
	return &delivery{event: event, endpoint: endpoint, accepted: now, due: now, trigger: triggerReplay, reason: reason}
}

// reopen makes the delivery pending again, for a replay.
func reopen(t *tx, d *delivery, x defect) error {
	var endpoint string
	err := t.get(`SELECT d.state, d.attempts, d.last_failure, d.round + 1, p.state
		FROM deliveries d JOIN endpoints p ON p.id = d.endpoint WHERE d.event = ? AND d.endpoint = ?`,
		[]any{d.event, d.endpoint}, &d.fallback, &d.made, &d.failure, &d.round, &endpoint)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return refuse(http.StatusNotFound, "there is no delivery of this event to this endpoint")
	case err != nil:
		return err
	case x.replaysPending() && d.fallback == statePending:
		d.fallback = stateDead
	case d.fallback == statePending || d.fallback == stateInFlight:
		return refuse(http.StatusConflict, "the delivery is still pending, so there is nothing to replay yet")
	}
	if err := sendable(endpoint); err != nil {
		return err
	}
	return t.exec(`UPDATE deliveries SET state = 'pending', trigger = ?, reason = ?, fallback = ?, round = ?, next_at = ?
		WHERE event = ? AND endpoint = ?`, d.trigger, d.reason, d.fallback, d.round, d.due.UnixNano(), d.event, d.endpoint)
}

// sendable refuses new work for an endpoint in a state in which it gets nothing.
func sendable(state string) error {
	switch state {
	case endpointEnabled:
		return nil
	case endpointDeleted:
		return refuse(http.StatusConflict, "the endpoint was deleted")
	}
	return refuse(http.StatusConflict, "the endpoint is disabled")
}
