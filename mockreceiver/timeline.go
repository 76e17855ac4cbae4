package mockreceiver

import (
	"context"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// Window bounds the wait before an attempt.
type Window struct {
	Min, Max time.Duration
	// FromStart: the wait runs from the start of the attempt before, and not from its end.
	FromStart bool
}

// gapAllowance is by how much a gap may miss its window and still be in order: the margin for a busy machine that the judge
// takes at least.
const gapAllowance = 250 * time.Millisecond

// timeline puts the requests of an event, oldest first, side by side with what the contract allows.
func (r *Receiver) timeline(ctx context.Context, rows []journal.Attempt) ([]timedAttempt, error) {
	list := make([]timedAttempt, 0, len(rows))
	var before *journal.Attempt
	number, bodies := 0, int64(0)
	for i := range rows {
		a := &rows[i]
		if bodies += a.BodySize; bodies <= scanBodies {
			if err := r.whole(ctx, a); err != nil {
				return nil, err
			}
		}
		s, err := r.summariseAsRead(ctx, a)
		if err != nil {
			return nil, err
		}
		t := timedAttempt{summary: s}
		if s.Class != journal.Injected && s.Class != journal.Handshake && s.Class != journal.Unhandled && s.Class != journal.TransportReplay {
			number++
			t.Gap, t.Window = r.gap(before, a, number)
			before = a
		}
		list = append(list, t)
	}
	return list, nil
}

// gap measures the wait before the n-th attempt, by wall clocks as journal.Classify does.
func (r *Receiver) gap(before, a *journal.Attempt, n int) (*time.Duration, *windowJSON) {
	if before == nil {
		return nil, nil
	}
	end, known := before.Answered()
	if !known {
		end = before.Wall
	}
	if r.cfg.Window == nil {
		gap := a.Wall.Sub(end)
		return &gap, nil
	}
	w, ok := r.cfg.Window(n, before)
	if ok && w.FromStart {
		end = before.Wall
	}
	gap := a.Wall.Sub(end)
	if !ok {
		return &gap, nil
	}
	return &gap, &windowJSON{Min: w.Min, Max: w.Max, OK: w.Min-gapAllowance <= gap && gap <= w.Max+gapAllowance}
}
