package refsender

import (
	"database/sql"
	"time"
)

const interrupted = "interrupted: the sender was killed during the attempt"

// recover returns the deliveries that an earlier run left open. Those that it had in flight get a record of the interrupted
// attempt and what follows from that, by the same rules as any failure.
func (s *Sender) recover() ([]*delivery, error) {
	var open []*delivery
	err := s.store.write(func(t *tx) error {
		if err := s.begin(t); err != nil {
			return err
		}
		left, err := leftOver(t, time.Now())
		if err != nil {
			return err
		}
		for _, l := range left {
			again, err := s.takeUp(t, l)
			if err != nil {
				return err
			}
			if again {
				open = append(open, l.d)
			}
		}
		return nil
	})
	if len(open) > 0 {
		s.log.Info("took up open deliveries", "count", len(open))
	}
	return open, err
}

// begin marks the database as in use; it stays so if the process is killed.
func (s *Sender) begin(t *tx) error {
	var clean bool
	if err := t.get("SELECT clean FROM life", nil, &clean); err != nil {
		return err
	}
	if err := s.defect.start(t, clean); err != nil {
		return err
	}
	return t.exec("UPDATE life SET clean = 0")
}

// left is a delivery that an earlier run left open.
type left struct {
	d        *delivery
	object   string
	inFlight bool
	leased   time.Time
	now      time.Time
}

func leftOver(t *tx, now time.Time) ([]left, error) {
	// Stored times are wall-clock readings; from here on they count from now on the monotonic clock.
	at := func(ns int64) time.Time { return now.Add(time.Unix(0, ns).Sub(now)) }
	var all []left
	err := t.each(`SELECT event, endpoint, state, attempts, accepted_at, coalesce(next_at, 0), trigger, reason, fallback, leased_at,
		last_failure, round, (SELECT object FROM events WHERE id = event) FROM deliveries
		WHERE state IN ('pending', 'in-flight') ORDER BY accepted_at`, nil, func(rows *sql.Rows) error {
		d, state, object := &delivery{}, "", ""
		var accepted, next, leased int64
		err := rows.Scan(&d.event, &d.endpoint, &state, &d.made, &accepted, &next, &d.trigger, &d.reason, &d.fallback, &leased, &d.failure, &d.round, &object)
		d.accepted, d.due = at(accepted), at(next)
		all = append(all, left{d: d, object: object, inFlight: state == stateInFlight, leased: at(leased), now: now})
		return err
	})
	return all, err
}

// takeUp returns true if the delivery is to wait for its due time.
func (s *Sender) takeUp(t *tx, l left) (bool, error) {
	if l.d.trigger == triggerSchedule {
		l.d.chain = s.chain(l.d.endpoint, l.object)
	}
	if !l.inFlight {
		return true, nil
	}
	// When the attempt ended is not known, but it was over by its timeout; a wait from there is not too short.
	end := l.leased.Add(s.c.Schedule.Timeout)
	if end.After(l.now) {
		end = l.now
	}
	r := result{made: true, start: l.leased, end: end, kind: kindInterrupted, detail: interrupted}
	dec, err := outlived(t, l.d, r, s.decide(l.d, r))
	if err != nil {
		return false, err
	}
	if err := record(t, l.d, r, dec); err != nil {
		return false, err
	}
	if err := s.count(t, l.d, r, dec); err != nil {
		return false, err
	}
	l.d.note(r, dec)
	return dec.verdict == retry, nil
}
