package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// queued is how many events are accepted just before the kill: several times what a sender sends in the milliseconds between
// the last answer and the signal.
const queued = 20

func (k kit) durabilityKill() drive.Scenario {
	return drive.Scenario{
		Name:     "durability/kill-before-delivery",
		Title:    "The sender is killed with SIGKILL while events are in flight, waiting for a retry, and just accepted",
		Checks:   request("id.stable", "body.stable"),
		Needs:    []sender.Ability{sender.CanKill},
		Instance: "durability",
		Play: func(ctx context.Context, st *drive.Stage) error {
			plans := []fault.Plan{plan("503*%d, 200", max(k.freshAttempt()-1, 1)), plan("timeout, 200")}
			for range queued {
				plans = append(plans, plan("200"))
			}
			if _, err := k.emit(ctx, st, plans...); err != nil {
				return err
			}
			if err := st.Kill(ctx); err != nil {
				return err
			}
			return st.Start(ctx)
		},
		Watch: k.window(),
	}
}
