package scenarios

import (
	"context"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
)

// backlog is how many events are accepted while an endpoint hangs: more than the queues of a hundred or 256 places that are common.
const backlog = 300

func (k kit) durabilityBacklog() drive.Scenario {
	return drive.Scenario{
		Name:     "durability/backlog",
		Title:    "Hundreds of events are accepted while their endpoint hangs, and then it recovers",
		Checks:   append(perRequest(), "durable.no-loss", "id.stable", "body.stable"),
		Paths:    []drive.Path{drive.First, drive.Retry, drive.Burst},
		Instance: "backlog",
		Play: func(ctx context.Context, st *drive.Stage) error {
			e, err := st.Endpoint(ctx, drive.EndpointSpec{})
			if err != nil {
				return err
			}
			// What may be in flight hangs, twice over, so that the rest is emitted before any of it gets its turn.
			hang := 2 * k.stalled()
			es := make([]drive.Emission, hang+backlog)
			for i := range es {
				p := k.plan("200")
				if i < hang {
					p = k.plan("timeout, 200")
				}
				es[i] = drive.Emission{Endpoint: e, Type: k.anyType(), Data: order(i), Plan: p}
			}
			_, err = st.EmitPaced(ctx, time.Millisecond, es)
			return err
		},
		Watch: k.window(),
		Ask:   drive.AskUndelivered,
	}
}
