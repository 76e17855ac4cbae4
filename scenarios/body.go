package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

func (k kit) bodyChanged() drive.Scenario {
	fails := max(k.freshAttempt()-1, 1) // the change takes some milliseconds; the last wait before success must be longer
	return drive.Scenario{
		Name:   "body/changed-between-attempts",
		Title:  "The business object changes while its event is being retried",
		Paths:  []drive.Path{drive.First, drive.Retry},
		Checks: retried(success()),
		Needs:  []sender.Ability{sender.CanChangeObject},
		Play: func(ctx context.Context, st *drive.Stage) error {
			evs, err := k.emit(ctx, st, k.plan("503*%d, 200", fails))
			if err != nil {
				return err
			}
			if _, err := st.Await(ctx, evs[0], k.window(), outcomes(1)); err != nil {
				return err
			}
			return st.Change(ctx, evs[0], changed(0))
		},
		Watch: k.window(),
	}
}
