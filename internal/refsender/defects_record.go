package refsender

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
)

// start changes what an earlier run left; clean tells whether that was stopped gracefully. What is lost at an end is dropped
// at the next start, which from outside is the same.
func (d defect) start(t *tx, clean bool) error {
	switch {
	case d == lossOnKill && !clean, d == lossOnShutdown && clean:
		return errors.Join(
			t.exec(`UPDATE deliveries SET state = fallback, fallback = '', next_at = NULL
				WHERE state IN ('pending', 'in-flight') AND fallback <> ''`),
			t.exec("DELETE FROM deliveries WHERE state IN ('pending', 'in-flight')"))
	case d == dupAfterRestart && clean:
		return t.exec(`UPDATE deliveries SET state = 'pending', trigger = 'schedule', next_at = ?
			WHERE state = 'delivered'`, time.Now().UnixNano())
	case d == idReused:
		return errors.Join(
			t.exec("CREATE TABLE IF NOT EXISTS last_ids (endpoint TEXT PRIMARY KEY, id TEXT NOT NULL)"),
			t.exec("CREATE TABLE IF NOT EXISTS sent_ids (event TEXT PRIMARY KEY, id TEXT NOT NULL)"))
	}
	return nil
}

// sends tells whether accepted events are sent at all.
func (d defect) sends() bool { return d != silent }

// publishesAlone tells whether an event is written apart from its business change, and so outlives it.
func (d defect) publishesAlone() bool { return d == phantomOnRollback }

// outlives tells whether pending retries outlive their endpoint.
func (d defect) outlives() bool { return d == sendAfterDisable }

// unfiltered tells whether type filters are ignored.
func (d defect) unfiltered() bool { return d == scopeIgnoresFilter }

// errForgotten undoes the write of a replay that is accepted and never sent.
var errForgotten = errors.New("the replay is forgotten")

// forgetting is the end of a replay's write; right is what it should be.
func (d defect) forgetting(right error) error {
	if d == replayNotSent && right == nil {
		return errForgotten
	}
	return right
}

// bounds are the bounds of a replay by time range, in Unix nanoseconds.
func (d defect) bounds(from, to int64) (first, end int64) {
	if d == replayRangeAll {
		return 0, math.MaxInt64
	}
	return from, to
}

// Announced so much too late, a next attempt differs from the real one by more than the log's lag and any allowance for noise.
const announcedLate = 30 * time.Second

// logRead changes what the delivery log shows.
func (d defect) logRead(a *deliveryAnswer) {
	switch d {
	case logMissingAttempt:
		a.Attempts = slices.DeleteFunc(a.Attempts, func(a attemptAnswer) bool { return a.Status == 0 })
	case logNextAttemptWrong:
		if a.NextAttempt != nil {
			*a.NextAttempt += stamp(announcedLate)
		}
	case logStateStale:
		a.stale()
	default:
	}
}

// stale turns the log back to before the latest failed attempt. What was delivered, or used up, stays so: a success that the
// log denies, or a deadline that it forgets, is another defect.
func (a *deliveryAnswer) stale() {
	var failures []string
	for _, at := range a.Attempts {
		switch {
		case at.Outcome == outcomeDelivered:
		case at.Status != 0:
			failures = append(failures, fmt.Sprintf("status %d", at.Status))
		default:
			failures = append(failures, at.Error)
		}
	}
	if len(failures) == 0 {
		return
	}
	a.LastFailure = ""
	if n := len(failures); n > 1 {
		a.LastFailure = failures[n-2]
	}
	if a.State == stateDead && len(a.Attempts) == 1 {
		a.State = statePending
	}
}

// deadRead changes what the dead letters show.
func (d defect) deadRead(all []*deadLetter) []*deadLetter {
	switch d {
	case dlqMissing:
		return []*deadLetter{}
	case dlqNoReason:
		for _, l := range all {
			l.Reason, l.LastError = "", ""
		}
	case dlqNoHint:
		for _, l := range all {
			l.Hint = ""
		}
	default:
	}
	return all
}

// heardMax is how much of an answer is printed: no more than careless loggers do.
const heardMax = 1 << 10

// overheard passes an answer's body on and keeps its beginning.
func (d defect) overheard(body io.Reader, r *result) io.Reader {
	if d != logRawAnswer {
		return body
	}
	first, err := io.ReadAll(io.LimitReader(body, heardMax))
	r.said = string(first)
	if err != nil {
		return io.MultiReader(strings.NewReader(r.said), failing{err})
	}
	return io.MultiReader(strings.NewReader(r.said), body)
}

// failing is a reader that has met an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// shout prints an answer as it came.
func (d defect) shout(out io.Writer, r result) {
	if d == logRawAnswer && out != nil && r.said != "" {
		_, _ = fmt.Fprintf(out, "answer: %s\n", r.said) // nobody is left to be told
	}
}

// replaysPending tells whether a delivery that waits for its next attempt can be replayed.
func (d defect) replaysPending() bool { return d == replayPendingAccepted }
