package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

func (k kit) scopeEnvironments() drive.Scenario {
	return drive.Scenario{
		Name:   "scope/environments",
		Title:  "A customer has endpoints for test and for live, some with a filter: events of one reach none of the other",
		Checks: append(perRequest(), "scope.match", "durable.no-loss", "outcome.2xx", "durable.no-dup"),
		Paths:  []drive.Path{drive.First},
		Needs:  []sender.Ability{sender.CanFanOut, sender.CanSeparate},
		Watch:  k.window(),
		Play: func(ctx context.Context, st *drive.Stage) error {
			const tenant = "hookassay-environments"
			envs := []string{"test", "live"}
			for _, env := range envs {
				for _, types := range [][]string{nil, {k.anyType()}} {
					if _, err := st.Endpoint(ctx, drive.EndpointSpec{Tenant: tenant, Environment: env, Types: types}); err != nil {
						return err
					}
				}
			}
			var es []drive.Emission
			for i := range aside {
				es = append(es, drive.Emission{
					Tenant: tenant, Environment: envs[i%len(envs)], Type: k.anyType(), Data: order(i), Plan: k.plan("200"),
				})
			}
			_, err := st.EmitPaced(ctx, pace, es)
			return err
		},
	}
}
