package refsender

import (
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Prefixes of identifiers, so that a person can tell what an id names.
const (
	eventPrefix    = "evt_"
	endpointPrefix = "ep_"
)

// Wait after a write that the database refused. A full or locked disk does not mend within milliseconds, and a sender that
// tries all the time would make it worse.
const storePause = 250 * time.Millisecond

// parcel is what an attempt needs, as it stands in the database when the attempt is claimed.
type parcel struct {
	event, kind, created string
	body                 []byte // frozen at creation
	object               []byte // current state of the business object
	url, secret          string
	disabled             bool
}

// result is what came of an attempt, or of a delivery that ended without one.
type result struct {
	made       bool // a request was made
	start, end time.Time
	status     int
	kind       string // a contract.Error constant or kindInterrupted
	detail     string // the failure without status, for people
	digest     string // SHA-256 of the answer's body as far as it was read, hex
	retryAfter string
}

// failure says what went wrong; the empty string if nothing did.
func (r result) failure() string {
	if r.status != 0 && (r.status < 200 || r.status > 299) {
		return fmt.Sprintf("status %d", r.status)
	}
	return r.detail
}

// attempt makes one request for d and puts on record what follows. It returns true if d is to wait for its new due time.
func (s *Sender) attempt(d *delivery) bool {
	p, err := s.claim(d)
	if err != nil {
		s.log.Error("claim", "event", d.event, "endpoint", d.endpoint, "err", err)
		d.due = time.Now().Add(storePause)
		return true
	}
	start := time.Now()
	if why := s.refusal(d, p, start); why != nil {
		return s.settle(d, result{detail: d.failure}, *why)
	}
	retry := d.trigger == triggerSchedule && d.made > 0
	id, body := s.defect.identity(p, s.envelope, retry)
	header, err := s.header(d, p, id, body, start)
	if err != nil {
		return s.settle(d, result{detail: "signature: " + err.Error()}, decision{
			verdict: dead, reason: "not sent: the request could not be signed", hint: "register the endpoint again with a secret of the declared form",
		})
	}
	r := s.exchange(p.url, header, body, start)
	return s.settle(d, r, next(s.c, s.facts(d, r)))
}

func (s *Sender) facts(d *delivery, r result) facts {
	return facts{
		number: d.made + 1, accepted: d.accepted, start: r.start, end: r.end, status: r.status, kind: r.kind, failure: r.failure(),
		retryAfter: r.retryAfter, replay: d.trigger == triggerReplay, draw: s.random(),
	}
}

// claim takes the lease on d and reads what it needs. It is on disk before the request leaves, so that a restart after a
// kill knows of the attempt.
func (s *Sender) claim(d *delivery) (*parcel, error) {
	p := &parcel{event: d.event}
	return p, s.store.write(func(t *tx) error {
		n, err := t.changed(`UPDATE deliveries SET state = 'in-flight', next_at = NULL, lease = ?, leased_at = ?
			WHERE event = ? AND endpoint = ? AND state = 'pending'`, s.run, time.Now().UnixNano(), d.event, d.endpoint)
		if err != nil {
			return err
		}
		if n == 0 {
			return errors.New("the delivery is not pending")
		}
		err = t.get(`SELECT e.type, e.created, e.body, o.data, p.url, p.secret, p.disabled
			FROM events e JOIN objects o ON o.name = e.object, endpoints p WHERE e.id = ? AND p.id = ?`,
			[]any{d.event, d.endpoint}, &p.kind, &p.created, &p.body, &p.object, &p.url, &p.secret, &p.disabled)
		if errors.Is(err, sql.ErrNoRows) {
			return errors.New("the event or its endpoint is gone")
		}
		return err
	})
}

// refusal says why no request may be made for d at all, nil if it may.
func (s *Sender) refusal(d *delivery, p *parcel, now time.Time) *decision {
	if p.disabled {
		return &decision{
			verdict: dead, reason: "endpoint disabled by an earlier answer" + after(d.failure),
			hint: "register the endpoint again if it is to receive events",
		}
	}
	limit := s.c.Schedule.Deadline
	if d.trigger == triggerSchedule && limit > 0 && now.Sub(d.accepted) > limit {
		return &decision{verdict: dead, reason: fmt.Sprintf("deadline: it passed before attempt %d could start%s", d.made+1, after(d.failure))}
	}
	return nil
}

func after(failure string) string {
	if failure == "" {
		return ""
	}
	return "; the attempt before failed with " + failure
}

// settle puts the result and what follows on record. What it returns, and what the API shows, is on disk.
func (s *Sender) settle(d *delivery, r result, dec decision) bool {
	for {
		err := s.store.write(func(t *tx) error { return record(t, d, r, dec) })
		if err == nil {
			break
		}
		s.log.Error("record", "event", d.event, "endpoint", d.endpoint, "err", err)
		if s.stopping.Load() {
			return false // the row stays in flight, and the next run takes it up as interrupted
		}
		time.Sleep(storePause)
	}
	d.note(r, dec)
	s.report(d, r, dec)
	return dec.verdict == retry
}

// note brings the delivery in memory up to date with its row.
func (d *delivery) note(r result, dec decision) {
	if r.made {
		d.made++
	}
	if f := r.failure(); f != "" {
		d.failure = f
	}
	d.due = dec.at
}

func (s *Sender) report(d *delivery, r result, dec decision) {
	if dec.verdict == delivered {
		return
	}
	args := []any{"event", d.event, "endpoint", d.endpoint, "attempts", d.made, "trigger", d.trigger, "failure", r.failure()}
	if dec.verdict == dead {
		s.log.Warn("gave up", append(args, "reason", dec.reason)...)
		return
	}
	s.log.Info("attempt failed", args...)
}
