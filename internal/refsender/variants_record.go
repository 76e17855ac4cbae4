package refsender

import (
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// recordLag is how long after an attempt's start its record shows at the earliest where records come late: less than the second
// that bounded-6 allows.
const recordLag = 700 * time.Millisecond

// logRead changes what the delivery log shows at a time.
func (v variant) logRead(c *contract.Contract, a *deliveryAnswer, now time.Time) {
	if v == recordLate {
		a.hide(now.Add(-recordLag))
	}
	if v == retryAfterWaitsOut && a.NextAttempt != nil && *a.NextAttempt > a.accepted+stamp(c.Schedule.Deadline) {
		a.NextAttempt = nil // there will be none
	}
	for i := range a.Attempts {
		a.Attempts[i].At = v.stamped(a.Attempts[i].At)
	}
	if a.NextAttempt != nil {
		*a.NextAttempt = v.stamped(*a.NextAttempt)
	}
}

// hide leaves the attempts since a time out, as if none of them had an end yet.
func (a *deliveryAnswer) hide(since time.Time) {
	shown := slices.DeleteFunc(slices.Clone(a.Attempts), func(t attemptAnswer) bool { return int64(t.At) > since.UnixNano() })
	if len(shown) == len(a.Attempts) {
		return
	}
	a.Attempts, a.State, a.NextAttempt, a.LastFailure = shown, statePending, nil, ""
	for _, t := range shown {
		if f := t.failure(); f != "" {
			a.LastFailure = f
		}
	}
}

// failure is what the attempt adds to the log as the latest failure; empty after a success.
func (a attemptAnswer) failure() string {
	if a.Outcome == outcomeDelivered {
		return ""
	}
	return result{status: a.Status, detail: a.Error}.failure()
}

// deadRead changes what the dead letters show at a time.
func (v variant) deadRead(all []*deadLetter, now time.Time) []*deadLetter {
	if v == recordLate {
		before := now.Add(-recordLag).UnixNano()
		all = slices.DeleteFunc(all, func(d *deadLetter) bool { return int64(d.DeadAt) > before })
		for _, d := range all {
			d.Replays = slices.DeleteFunc(d.Replays, func(r replay) bool { return int64(r.At) > before })
		}
	}
	for _, d := range all {
		d.AcceptedAt, d.DeadAt = v.stamped(d.AcceptedAt), v.stamped(d.DeadAt)
		for _, at := range []*stamp{d.FirstAttemptAt, d.LastAttemptAt} {
			if at != nil {
				*at = v.stamped(*at)
			}
		}
		for i := range d.Replays {
			d.Replays[i].At = v.stamped(d.Replays[i].At)
		}
	}
	return all
}
