package sender

import (
	"context"
	"time"
)

// probeLimit ends a probe that gets no answer; it may have been lost for good, so that another one is sent.
const probeLimit = 10 * time.Second

// Probe asks for a sign of life every step until ctx ends, and tells how late the answers are. Whoever was paused, or got no
// processor time, shows nowhere else.
//
// A probe is due every step. Its lateness is how long after that an answer was there, minus the shortest such time so far,
// which stands for the usual. A probe that is still open when the next is due answers for that one too; where it gets no answer for
// long it is sent again, so that one standstill is one lateness, however long. ask tells whether an answer came; it must return when
// its context ends. A probe that failed at once says nothing.
func Probe(ctx context.Context, step time.Duration, ask func(context.Context) bool, late func(due time.Time, late time.Duration)) {
	usual := time.Duration(-1)
	due := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		answered := askOn(ctx, ask)
		now := time.Now()
		took := now.Sub(due)
		// What was asked for as the process ended says nothing, unless it had been open for long by then.
		if answered && (usual < 0 || took < usual) {
			usual = took
		}
		if answered || took > step {
			for at := due; !at.After(now); at = at.Add(step) {
				late(at, max(0, now.Sub(at)-max(0, usual)))
			}
		}
		for !due.After(now) {
			due = due.Add(step)
		}
		timer.Reset(time.Until(due))
	}
}

// askOn asks until there is an answer, or none can be had.
func askOn(ctx context.Context, ask func(context.Context) bool) bool {
	for {
		once, cancel := context.WithTimeout(ctx, probeLimit)
		answered := ask(once)
		hung := once.Err() != nil && ctx.Err() == nil
		cancel()
		if answered || !hung {
			return answered
		}
	}
}
