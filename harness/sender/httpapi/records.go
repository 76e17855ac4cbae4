package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/itchyny/gojq"

	"github.com/hookassay/hookassay/harness/evidence"
)

// The forms into which result expressions bring the sender's words. A pointer tells an absent field from an empty one.
type (
	logForm struct {
		Event       string        `json:"event"`
		State       *string       `json:"state"`
		LastFailure string        `json:"last_failure"`
		Next        *time.Time    `json:"next"`
		Attempts    []attemptForm `json:"attempts"`
	}
	attemptForm struct {
		Number  *int       `json:"number"`
		At      *time.Time `json:"at"`
		Status  int        `json:"status"`
		Outcome string     `json:"outcome"`
		Error   string     `json:"error"`
		Digest  string     `json:"digest"`
		Trigger string     `json:"trigger"`
	}
	deadForm struct {
		Event      *string      `json:"event"`
		Reason     *string      `json:"reason"`
		Hint       string       `json:"hint"`
		Attempts   *int         `json:"attempts"`
		LastStatus int          `json:"last_status"`
		LastError  string       `json:"last_error"`
		Payload    string       `json:"payload"`
		At         *time.Time   `json:"at"`
		Replays    []replayForm `json:"replays"`
	}
	replayForm struct {
		At      *time.Time `json:"at"`
		Status  int        `json:"status"`
		Outcome string     `json:"outcome"`
		Error   string     `json:"error"`
		Reason  string     `json:"reason"`
	}
)

// record evaluates q and decodes its value strictly into dst.
func (q *query) record(ctx context.Context, a answer, dst any) error {
	v, err := q.run(ctx, a)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	text, err := gojq.Marshal(v)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(dst); err != nil {
		return fmt.Errorf("result: jq %s gave another form than is wanted: %w", q, wording(err))
	}
	return nil
}

// wording keeps names of Go types out of a message for the author of an adapter.
func wording(err error) error {
	if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		field := t.Field
		if field == "" {
			field = "the whole"
		}
		return fmt.Errorf("%s is a %s", field, t.Value)
	}
	return err
}

func (l logForm) entry(event string) (evidence.LogEntry, error) {
	if l.State == nil {
		return evidence.LogEntry{}, errors.New("result: state is missing")
	}
	if l.Event == "" {
		l.Event = event
	}
	e := evidence.LogEntry{Event: l.Event, State: *l.State, LastFailure: l.LastFailure, Next: l.Next}
	for i, a := range l.Attempts {
		if a.Number == nil || a.At == nil {
			return evidence.LogEntry{}, fmt.Errorf("result: attempts[%d]: number or at is missing", i)
		}
		e.Attempts = append(e.Attempts, evidence.LogAttempt{
			Number: *a.Number, At: *a.At, Status: a.Status, Outcome: a.Outcome, Error: a.Error, Digest: a.Digest, Trigger: a.Trigger,
		})
	}
	return e, nil
}

func (d deadForm) letter() (evidence.DeadLetter, error) {
	if d.Event == nil || d.Reason == nil || d.Attempts == nil {
		return evidence.DeadLetter{}, errors.New("event, reason or attempts is missing")
	}
	l := evidence.DeadLetter{
		Event: *d.Event, Reason: *d.Reason, Hint: d.Hint, Attempts: *d.Attempts, LastStatus: d.LastStatus, LastError: d.LastError,
		Payload: evidence.Raw(d.Payload), At: d.At,
	}
	for i, r := range d.Replays {
		if r.At == nil {
			return evidence.DeadLetter{}, fmt.Errorf("replays[%d]: at is missing", i)
		}
		l.Replays = append(l.Replays, evidence.Replay{At: *r.At, Status: r.Status, Outcome: r.Outcome, Error: r.Error, Reason: r.Reason})
	}
	return l, nil
}
