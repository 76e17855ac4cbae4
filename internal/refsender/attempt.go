package refsender

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
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
	kind, created string
	id            string // as sent: the event's
	body          []byte // frozen at creation
	object        []byte // current state of the business object; empty if there is none
	url           string
	keys          keyring
	custom        headers // to be sent with it
	endpoint      string  // its state
	claimed       bool    // the delivery is in flight by this attempt
	over          bool    // the delivery was ended, or replayed, by somebody else
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
	said       string // the beginning of the answer's body, for a defect
	kept       bool   // a failure without an answer came over a connection that had carried a request before, for a defect
}

// failure says what went wrong with an attempt that failed: a contract may call any status a failure.
func (r result) failure() string {
	if r.status != 0 && (r.detail == "" || r.status < 200 || r.status > 299) {
		return fmt.Sprintf("status %d", r.status)
	}
	return r.detail
}

// attempt makes one request for d and puts on record what follows. It returns true if d is to wait for its new due time.
func (s *Sender) attempt(d *delivery) bool {
	s.gate.RLock()
	r, end := s.prepare(d)
	if r == nil {
		s.gate.RUnlock()
		return end()
	}
	res := s.exchange(r, s.gate.RUnlock)
	return s.settle(d, res, s.decide(d, res))
}

// request is what goes over the wire.
type request struct {
	url    string
	header http.Header
	body   []byte
	start  time.Time
}

// prepare claims d and makes its request. If there is none to be made, it returns what is to be done instead, once the gate
// is left.
func (s *Sender) prepare(d *delivery) (*request, func() bool) {
	p, err := s.claim(d)
	now := time.Now()
	if err != nil {
		return nil, func() bool {
			s.log.Error("claim", "event", d.event, "endpoint", d.endpoint, "err", err)
			d.due = now.Add(storePause)
			return true
		}
	}
	if p.over {
		return nil, func() bool { return false }
	}
	if why := s.refusal(d, p, now); why != nil {
		return nil, func() bool { return s.settle(d, result{detail: d.failure}, *why) }
	}
	if !p.claimed {
		return nil, func() bool {
			d.hold(now, s.c.Schedule.Deadline)
			return true
		}
	}
	d.held = false
	id, body := s.defect.outgoing(d, p, s.envelope)
	var header http.Header
	if body, err = s.signedInside(d, p, id, body, now); err == nil {
		body = s.variant.coded(body)
		header, err = s.header(d, p, id, body, now)
	}
	if err != nil {
		return nil, func() bool { return s.settle(d, result{detail: "signature: " + err.Error()}, unsignable()) }
	}
	return &request{url: s.defect.target(p.url), header: header, body: body, start: now}, nil
}

func unsignable() decision {
	return decision{
		verdict: dead, reason: "not sent: the request could not be signed",
		hint: "check the endpoint's configuration: it needs a secret of the declared form",
	}
}

// decide says what follows an attempt.
func (s *Sender) decide(d *delivery, r result) decision {
	f := facts{
		number: d.made + 1, accepted: d.accepted, start: r.start, end: r.end, status: r.status, kind: r.kind, failure: r.failure(),
		retryAfter: r.retryAfter, kept: r.kept, replay: d.trigger == triggerReplay, draw: s.random(), ahead: s.variant.ahead(),
	}
	dec := decide(s.c, f, s.defect.class(f, classify(s.c, f)))
	return s.variant.placed(s.c, d, f, s.defect.placed(s.c, f, dec))
}

// claim takes the lease on d and reads what it needs. It is on disk before the request leaves, so that a restart after a
// kill knows of the attempt. At an endpoint that is not enabled nothing is claimed.
func (s *Sender) claim(d *delivery) (*parcel, error) {
	p := &parcel{id: d.event}
	return p, s.store.write(func(t *tx) error {
		var state, keys, custom string
		var round int
		err := t.get(`SELECT d.state, d.round, e.type, e.created, e.body, coalesce(o.data, x''), p.url, p.keys, p.headers, p.state
			FROM deliveries d JOIN events e ON e.id = d.event LEFT JOIN objects o ON o.name = e.object
			JOIN endpoints p ON p.id = d.endpoint WHERE d.event = ? AND d.endpoint = ?`, []any{d.event, d.endpoint},
			&state, &round, &p.kind, &p.created, &p.body, &p.object, &p.url, &keys, &custom, &p.endpoint)
		if errors.Is(err, sql.ErrNoRows) || err == nil && (state != statePending || round != d.round) {
			p.over = true
			return nil
		}
		if err == nil {
			p.keys, err = parseKeys(keys)
		}
		if err == nil {
			p.custom, err = parseHeaders(custom)
		}
		if err == nil {
			err = s.defect.claimed(t, d, p)
			s.variant.believed(&s.late, d.endpoint, p)
		}
		p.claimed = p.endpoint == endpointEnabled || s.defect.outlives() && d.made > 0
		if err != nil || !p.claimed {
			return err
		}
		return t.exec(`UPDATE deliveries SET state = 'in-flight', next_at = NULL, lease = ?, leased_at = ?
			WHERE event = ? AND endpoint = ?`, s.run, time.Now().UnixNano(), d.event, d.endpoint)
	})
}

// refusal says why no request may be made for d any more, nil if one may.
func (s *Sender) refusal(d *delivery, p *parcel, now time.Time) *decision {
	limit := s.c.Schedule.Deadline
	late := d.trigger == triggerSchedule && limit > 0 && now.Sub(d.accepted) > limit
	switch {
	case late && p.endpoint == endpointDisabled:
		return &decision{verdict: dead, reason: "deadline: it passed while the endpoint was disabled" + after(d.failure)}
	case late:
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
		err := s.put(d, r, &dec)
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

// put records. It changes a retry into the end if the endpoint is gone by now.
func (s *Sender) put(d *delivery, r result, dec *decision) error {
	write := s.store.write
	if dec.disable || s.c.AutoDisable != nil && dec.verdict != delivered {
		write = s.change
	}
	return write(func(t *tx) error {
		if !s.defect.outlives() {
			final, err := outlived(t, d, r, *dec)
			if err != nil {
				return err
			}
			*dec = final
		}
		if err := record(t, d, r, *dec); err != nil {
			return err
		}
		return s.count(t, d, r, *dec)
	})
}

// note brings the delivery in memory up to date with its row.
func (d *delivery) note(r result, dec decision) {
	if r.made {
		d.made++
	}
	if f := failureIn(r, dec); f != "" {
		d.failure = f
	}
	d.due = dec.at
}

func (s *Sender) report(d *delivery, r result, dec decision) {
	if dec.verdict == delivered {
		return
	}
	args := []any{"event", d.event, "endpoint", d.endpoint, "attempts", d.made, "trigger", d.trigger, "failure", r.failure()}
	args = s.defect.logged(d, args)
	s.defect.shout(s.out, r)
	if dec.verdict == dead {
		s.log.Warn("gave up", append(args, "reason", dec.reason)...)
		return
	}
	s.log.Info("attempt failed", args...)
}
