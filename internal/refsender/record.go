package refsender

import "time"

// record writes what came of an attempt and what follows, in the caller's transaction. d is as it was before the attempt.
func record(t *tx, d *delivery, r result, dec decision) error {
	made := d.made
	if r.made {
		made++
		if err := recordAttempt(t, d, r, dec, made); err != nil {
			return err
		}
	}
	if dec.disable {
		if err := closeByAnswer(t, d, r.failure()); err != nil {
			return err
		}
	}
	if err := recordState(t, d, r, dec, made); err != nil {
		return err
	}
	if d.trigger == triggerReplay {
		return recordReplay(t, d, r, dec)
	}
	if dec.verdict == dead {
		return recordDead(t, d, dec, made)
	}
	return nil
}

func recordAttempt(t *tx, d *delivery, r result, dec decision, number int) error {
	return t.exec(`INSERT INTO attempts (event, endpoint, number, at, status, outcome, error, response_sha256, trigger)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		d.event, d.endpoint, number, r.start.UnixNano(), r.status, outcome(r, dec), r.detail, r.digest, d.trigger)
}

func outcome(r result, dec decision) string {
	switch {
	case r.kind == kindInterrupted:
		return outcomeInterrupted
	case dec.verdict == delivered:
		return outcomeDelivered
	}
	return outcomeFailed
}

func recordState(t *tx, d *delivery, r result, dec decision, made int) error {
	state, due := statePending, any(nil)
	switch dec.verdict {
	case delivered:
		state = stateDelivered
	case dead:
		state = stateDead
		if d.trigger == triggerReplay {
			state = d.fallback
		}
	case retry:
		due = dec.at.UnixNano()
	}
	return t.exec(`UPDATE deliveries SET state = ?1, attempts = ?2, next_at = ?3, lease = '', leased_at = 0,
		fallback = CASE WHEN ?1 = 'pending' THEN fallback ELSE '' END,
		last_failure = CASE WHEN ?4 = '' THEN last_failure ELSE ?4 END
		WHERE event = ?5 AND endpoint = ?6`,
		state, made, due, failureIn(r, dec), d.event, d.endpoint)
}

// failureIn is the failure that an attempt adds to the log; a success whose answer broke off adds none.
func failureIn(r result, dec decision) string {
	if dec.verdict == delivered {
		return ""
	}
	return r.failure()
}

func recordReplay(t *tx, d *delivery, r result, dec decision) error {
	at := r.start
	if !r.made {
		at = time.Now()
	}
	failed := failureIn(r, dec)
	if failed == "" && dec.verdict == dead {
		failed = dec.reason
	}
	return t.exec(`INSERT INTO replays (event, endpoint, number, at, outcome, status, error, reason)
		SELECT ?1, ?2, 1 + count(*), ?3, ?4, ?5, ?6, ?7 FROM replays WHERE event = ?1 AND endpoint = ?2`,
		d.event, d.endpoint, at.UnixNano(), outcome(r, dec), r.status, failed, d.reason)
}

// recordDead writes the dead letter. Its last status and error are those of the last attempt, which may lie in an earlier
// run of the process.
func recordDead(t *tx, d *delivery, dec decision, made int) error {
	return t.exec(`INSERT INTO dead_letters (endpoint, event, reason, hint, attempts, last_status, last_error, dead_at)
		SELECT ?1, ?2, ?3, ?4, ?5, coalesce(max(status), 0), coalesce(max(error), ''), ?6
		FROM attempts WHERE event = ?2 AND endpoint = ?1 AND number = ?5`,
		d.endpoint, d.event, dec.reason, dec.hint, made, time.Now().UnixNano())
}
