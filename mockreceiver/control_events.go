package mockreceiver

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// eventAttempts bounds the attempts that one event is shown by. Schedules have up to a few dozen; a sender that never stops
// is seen by its latest.
const eventAttempts = 200

// eventJSON is one event at one endpoint, as its requests tell it.
type eventJSON struct {
	Seq      int64          `json:"seq"` // of its first attempt, and the cursor of lists
	Endpoint string         `json:"endpoint"`
	Key      string         `json:"key"`
	KeyFrom  string         `json:"key_from"`
	Type     string         `json:"type"`
	Attempts int            `json:"attempts"` // of the sender, an HTTP library's resends included
	Injected int            `json:"injected"` // copies that the harness or a person sent
	FirstAt  time.Time      `json:"first_at"`
	LastAt   time.Time      `json:"last_at"`
	LastSeq  int64          `json:"last_seq"`
	State    string         `json:"state"`
	Status   int            `json:"status"` // of the last answer; 0: none
	Result   string         `json:"effect"` // of the business side, as last read; empty: none
	Rows     int            `json:"rows"`
	Seen     SignatureState `json:"signature"` // the worst among its attempts
	// Inbox is where the event stands in its endpoint's inbox; left out where it is in none.
	Inbox *business.Item `json:"inbox,omitempty"`

	kept bool // the business side has it
}

// The states of an event, as far as a receiver can know.
const (
	eventDelivered = "delivered" // an attempt got a complete 2xx
	eventReceived  = "received"  // none did, but the business side has the event
	eventOpen      = "open"      // not so, and an attempt is still without an answer
	eventFailing   = "failing"   // not so, and the last attempt has its end
	// eventHandshake is none: a provider asked whether it may deliver.
	eventHandshake = "handshake"
	eventUnknown   = "unknown" // not so, and the receiver ended before the last attempt's end was recorded
)

// listEvents answers {"events": […], "next": SEQ}, the newest first by their first attempt.
func (c control) listEvents(req *http.Request) (int, any, error) {
	q := queryOf(req)
	endpoint, before, limit := q.text("endpoint"), q.number("before", 0, maxSeq), q.limit()
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	if err := c.known(req.Context(), endpoint); err != nil {
		return 0, nil, err
	}
	rows, err := c.r.journal.Attempts(req.Context(), journal.Query{
		Endpoint: endpoint, Before: before, Newest: true, First: true, Limit: limit + 1, MaxBody: -1,
	})
	if err != nil {
		return 0, nil, internal(err)
	}
	next := int64(0)
	if len(rows) > limit {
		rows = rows[:limit]
		next = rows[limit-1].Seq
	}
	list := make([]eventJSON, 0, len(rows))
	for i := range rows {
		attempts, err := c.r.eventOf(req.Context(), rows[i].Endpoint, rows[i].Key)
		if err != nil {
			return 0, nil, internal(err)
		}
		if len(attempts) > 0 { // else it was forgotten just now
			e, err := c.r.eventFrom(req.Context(), &rows[i], attempts)
			if err != nil {
				return 0, nil, internal(err)
			}
			list = append(list, e)
		}
	}
	return http.StatusOK, map[string]any{"events": list, "next": cursor(next)}, nil
}

// eventOf reads the latest requests of an event, oldest first.
func (r *Receiver) eventOf(ctx context.Context, endpoint, key string) ([]journal.Attempt, error) {
	rows, err := r.journal.Attempts(ctx, journal.Query{
		Endpoint: endpoint, ByKey: true, Key: key, Newest: true, Limit: eventAttempts, MaxBody: listedBody,
	})
	slices.Reverse(rows)
	return rows, err
}

// firstOf is the first attempt of an event, whose latest requests are rows.
func (r *Receiver) firstOf(ctx context.Context, rows []journal.Attempt) (*journal.Attempt, error) {
	if len(rows) < eventAttempts {
		return &rows[0], nil
	}
	list, err := r.journal.Attempts(ctx, journal.Query{
		Endpoint: rows[0].Endpoint, ByKey: true, Key: rows[0].Key, First: true, Limit: 1, MaxBody: listedBody,
	})
	if err != nil || len(list) == 0 {
		return &rows[0], err
	}
	return &list[0], nil
}

// eventFrom says what the latest requests of an event tell of it. There is at least one.
func (r *Receiver) eventFrom(ctx context.Context, first *journal.Attempt, rows []journal.Attempt) (e eventJSON, err error) {
	last := &rows[len(rows)-1]
	e = eventJSON{
		Seq: first.Seq, Endpoint: first.Endpoint, Key: first.Key, KeyFrom: first.KeyFrom,
		FirstAt: first.Wall, LastAt: last.Wall, LastSeq: last.Seq, State: eventFailing, Seen: SignatureUnchecked,
	}
	for i := range rows {
		a := &rows[i]
		if e.Type == "" {
			head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
			e.Type = r.eventType(&a.Arrival, head)
		}
		e.add(a, r.signed(a).State, r.activity.isOpen(a.Seq))
		if e.Inbox == nil && err == nil {
			e.Inbox, err = r.queued(ctx, a.Effect)
		}
	}
	return e, err
}

// add takes one request in.
func (e *eventJSON) add(a *journal.Attempt, signed SignatureState, open bool) {
	if a.Effect != nil {
		e.Result, e.Rows = a.Effect.Result, a.Effect.Rows
		e.kept = e.kept || a.Effect.Dedupe
	}
	if a.Origin == evidence.OriginHarness {
		e.Injected++
		return
	}
	if a.Handshake != "" {
		if e.Attempts == 0 {
			e.State = eventHandshake
		}
		return
	}
	e.Attempts = max(e.Attempts+1, a.Attempt)
	e.Seen = worse(e.Seen, signed)
	o := a.Outcome
	if o != nil {
		e.Status = o.Status
	}
	switch {
	case e.State == eventDelivered:
	case o != nil && o.End == evidence.EndComplete && o.Status/100 == 2:
		e.State = eventDelivered
	case e.kept:
		e.State = eventReceived
	case open:
		e.State = eventOpen
	case o == nil:
		e.State = eventUnknown
	default:
		e.State = eventFailing
	}
}

// worse is the one of two states that a person wants to see.
func worse(a, b SignatureState) SignatureState {
	order := []SignatureState{SignatureUnchecked, SignatureVerified, SignatureStale, SignatureMissing, SignatureFailed}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}

// timedAttempt is a request in the timeline of its event.
type timedAttempt struct {
	summary
	// Gap is how long after the end of the attempt before (or its start, as the contract measures) this one came; null for
	// the first, and for what is no attempt of the schedule.
	Gap    *time.Duration `json:"gap_ns"`
	Window *windowJSON    `json:"window"` // null: no contract says
}

// windowJSON is what the contract allows the gap to be, and whether it is.
type windowJSON struct {
	Min time.Duration `json:"min_ns"`
	Max time.Duration `json:"max_ns"`
	OK  bool          `json:"ok"`
}

// showEvent answers with an event and the timeline of its attempts.
func (c control) showEvent(req *http.Request) (int, any, error) {
	if err := queryOf(req).done(); err != nil {
		return 0, nil, err
	}
	endpoint := mux.Vars(req)["endpoint"]
	key := mux.Vars(req)["key"]
	rows, err := c.r.eventOf(req.Context(), endpoint, key)
	if err != nil {
		return 0, nil, internal(err)
	}
	if len(rows) == 0 {
		return 0, nil, apiError{http.StatusNotFound, "event " + key + " at " + endpoint + ": the journal has no request of it"}
	}
	first, err := c.r.firstOf(req.Context(), rows)
	if err != nil {
		return 0, nil, internal(err)
	}
	attempts, err := c.r.timeline(req.Context(), rows)
	if err != nil {
		return 0, nil, internal(err)
	}
	event, err := c.r.eventFrom(req.Context(), first, rows)
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusOK, map[string]any{"event": event, "attempts": attempts}, nil
}
