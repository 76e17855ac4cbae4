package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// observe plays nothing. It lists every check, so that the report says of each whether it can be judged by watching.
func observe(cfg Config) drive.Scenario {
	var checks []string
	for _, c := range judge.Checks() {
		checks = append(checks, c.ID)
	}
	return drive.Scenario{
		Name:   evidence.FamilyObserve + "/traffic",
		Title:  "whatever the sender delivers by itself",
		Checks: checks,
		Play: func(ctx context.Context, st *drive.Stage) error {
			if _, err := st.Endpoint(ctx, drive.EndpointSpec{}); err != nil {
				return err
			}
			if cfg.Observing != nil {
				cfg.Observing()
			}
			watch, stop := context.WithCancel(ctx)
			defer stop()
			go func() {
				select {
				case <-cfg.Stop:
					stop()
				case <-watch.Done():
				}
			}()
			_ = st.Until(watch, st.Now()+cfg.Observe) // that it was stopped is a good end
			return context.Cause(ctx)
		},
	}
}
