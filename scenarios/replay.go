package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

func (k kit) replayDelivered() drive.Scenario {
	return drive.Scenario{
		Name:   "replay/delivered",
		Title:  "A delivered event is replayed by hand, twice, after its object changed",
		Checks: request("replay.identity", "replay.body", "replay.fresh", "effect.once"),
		Needs:  []sender.Ability{sender.CanReplay},
		Play: func(ctx context.Context, st *drive.Stage) error {
			evs, err := k.emit(ctx, st, plan("200"))
			if err != nil {
				return err
			}
			if _, err := st.Await(ctx, evs[0], k.window(), delivered); err != nil {
				return err
			}
			if st.Has(sender.CanChangeObject) {
				if err := st.Change(ctx, evs[0], changed(0)); err != nil {
					return err
				}
			}
			for n := range 2 {
				if err := k.replay(ctx, st, evs[0], 2+n); err != nil {
					return err
				}
			}
			return nil
		},
		Watch: k.window(),
	}
}

func (k kit) replayDeadLettered() drive.Scenario {
	sc := drive.Scenario{
		Name:   "replay/dead-lettered",
		Title:  "An event that was refused for good is replayed by hand once the receiver is mended",
		Checks: request("replay.identity", "replay.body", "replay.fresh", "retry.permanent"),
		Needs:  []sender.Ability{sender.CanReplay},
		Watch:  k.window(),
	}
	refused := k.of(contract.Permanent, 422, 400, 404)
	if len(refused) == 0 {
		sc.NotRun = "the contract calls no 4xx permanent"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		evs, err := k.emit(ctx, st, plan("%d, 200", refused[0]))
		if err != nil {
			return err
		}
		if _, err := st.Await(ctx, evs[0], k.window(), outcomes(1)); err != nil {
			return err
		}
		return k.replay(ctx, st, evs[0], 2)
	}
	return sc
}

// replay waits until a stale signed time would show, replays, and waits for the n-th request of the event.
func (k kit) replay(ctx context.Context, st *drive.Stage, ev *drive.Event, n int) error {
	if err := st.Until(ctx, st.Now()+freshGap+margin/2); err != nil {
		return err
	}
	if err := st.Replay(ctx, ev, "tested by hookassay"); err != nil {
		return err
	}
	if _, err := st.Await(ctx, ev, k.settle(), outcomes(n)); err != nil {
		return err
	}
	return nil
}
