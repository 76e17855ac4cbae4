package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// scopeApart sends one event to several endpoints that fare differently: what becomes of it at one is no matter of the others.
func (k kit) scopeApart() drive.Scenario {
	return drive.Scenario{
		Name:  "scope/endpoints-fare-differently",
		Title: "One event goes to endpoints of which one takes it, one fails for a time, one hangs and one refuses it",
		Checks: append(perRequest(), "scope.match", "durable.no-loss", "durable.no-dup", "outcome.2xx", "id.stable", "body.stable", "retry.transient",
			"retry.permanent"),
		Paths: []drive.Path{drive.First, drive.Retry},
		Needs: []sender.Ability{sender.CanFanOut},
		Play: func(ctx context.Context, st *drive.Stage) error {
			const tenant = "hookassay-apart"
			plans := []fault.Plan{k.plan("200"), k.plan("503*2, 200"), k.plan("timeout, 200"), k.plan("200")}
			for _, s := range k.permanent(404) {
				plans = append(plans, plan("%d", s))
			}
			at := map[*drive.Endpoint]fault.Plan{}
			for _, p := range plans {
				e, err := st.Endpoint(ctx, drive.EndpointSpec{Tenant: tenant})
				if err != nil {
					return err
				}
				at[e] = p
			}
			// And one that is to get nothing of it.
			if _, err := st.Endpoint(ctx, drive.EndpointSpec{Tenant: tenant + "-not"}); err != nil {
				return err
			}
			for i := range 2 {
				_, err := st.Emit(ctx, drive.Emission{Tenant: tenant, Type: k.anyType(), Data: order(i), Plan: k.plan("200"), At: at})
				if err != nil {
					return err
				}
			}
			return nil
		},
		Watch: k.window(),
	}
}
