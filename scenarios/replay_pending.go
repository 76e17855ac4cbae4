package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

func (k kit) replayPending() drive.Scenario {
	sc := drive.Scenario{
		Name:   "replay/pending",
		Title:  "A replay is asked for while the event waits for its next attempt",
		Checks: request("replay.pending"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Needs:  []sender.Ability{sender.CanReplay},
		Watch:  k.window(),
	}
	n := k.freshAttempt()
	if k.c.Replay == nil || k.c.Replay.Pending != "refuse" || n == 0 {
		sc.NotRun = "the contract does not promise that the replay of a pending event is refused, or no wait is long enough to ask for one"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		evs, err := k.emit(ctx, st, k.plan("503*%d, 200", n-1))
		if err != nil {
			return err
		}
		if _, err := st.Await(ctx, evs[0], k.window(), outcomes(n-1)); err != nil {
			return err
		}
		if err := st.Until(ctx, st.Now()+margin/2); err != nil { // for the sender's own record of the attempt
			return err
		}
		// Where the deadline is near, only the sender itself can say that it has not given up.
		if st.Has(sender.CanReadLog) {
			if err := st.ReadLog(ctx, evs[0]); err != nil {
				return err
			}
		}
		return st.Replay(ctx, evs[0], "tested by hookassay")
	}
	return sc
}
