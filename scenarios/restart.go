package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

func (k kit) durabilityChanged() drive.Scenario {
	return drive.Scenario{
		Name:     "durability/restart-after-changes",
		Title:    "A key is rotated, and an endpoint disabled with an event that waits for its retry; both last over a restart",
		Checks:   append(perRequest(), "secret.rotation", "life.stop", "id.stable", "body.stable"),
		Paths:    []drive.Path{drive.First, drive.Retry, drive.Restart},
		Needs:    []sender.Ability{sender.CanStop, sender.CanDisable},
		Instance: "restart-after-changes",
		Watch:    k.settle(), // the last event is delivered at once
		Play: func(ctx context.Context, st *drive.Stage) error {
			rotated, err := st.Endpoint(ctx, drive.EndpointSpec{})
			if err != nil {
				return err
			}
			disabled, _, err := k.pending(ctx, st)
			if err != nil {
				return err
			}
			if st.Has(sender.CanRotate) && k.c.Keys != nil {
				if err := st.Rotate(ctx, rotated, k.c.Keys.Overlap); err != nil {
					return err
				}
			}
			return inTurn(ctx,
				func(ctx context.Context) error { return st.Disable(ctx, disabled) },
				st.Stop, st.Start,
				func(ctx context.Context) error { return st.Until(ctx, st.Now()+margin+k.c.TakesEffectWithin) },
				func(ctx context.Context) error { return k.deliver(ctx, st, rotated) },
				func(ctx context.Context) error { return k.staysDisabled(ctx, st, disabled) },
			)
		},
	}
}

// staysDisabled offers an event, which must not come, and one once the endpoint is enabled again.
func (k kit) staysDisabled(ctx context.Context, st *drive.Stage, e *drive.Endpoint) error {
	if _, err := k.emitTo(ctx, st, e, k.plan("200")); err != nil && ctx.Err() != nil { // it may refuse
		return err
	}
	return k.heldAndEnabled(ctx, st, e)
}
