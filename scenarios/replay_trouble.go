package scenarios

import (
	"context"
	"strconv"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// replayInTrouble gives a replay what first attempts get: it may go another way through the sender, with bounds of its own.
func (k kit) replayInTrouble() drive.Scenario {
	return drive.Scenario{
		Name:   "replay/receiver-in-trouble",
		Title:  "Delivered and refused events are replayed to a receiver that hangs, drips, answers without an end, or fails",
		Paths:  []drive.Path{drive.First, drive.Replay},
		Checks: replayed("timeout.request", "timeout.response", "outcome.failure"),
		Needs:  []sender.Ability{sender.CanReplay},
		Play: func(ctx context.Context, st *drive.Stage) error {
			first := []string{"200"}
			if refused := k.refusals(422, 400, 404); len(refused) > 0 {
				first = append(first, strconv.Itoa(refused[0]))
			}
			var plans []fault.Plan
			for _, s := range first {
				for _, trouble := range []string{"timeout", "drip(1, every=200ms, status=503)", "endless(status=503)", "503", "404", "reset"} {
					plans = append(plans, k.plan(s+", "+trouble))
				}
			}
			evs, err := k.emit(ctx, st, plans...)
			if err != nil {
				return err
			}
			for _, ev := range evs {
				if _, err := st.Await(ctx, ev, k.window(), outcomes(1)); err != nil {
					return err
				}
			}
			return k.replayEach(ctx, st, evs, 2)
		},
		Watch: k.window(),
	}
}
