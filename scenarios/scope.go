package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

func (k kit) scopeMatch() drive.Scenario {
	sc := drive.Scenario{
		Name:   "scope/tenants-and-filters",
		Title:  "Two customers, endpoints for all types and for one: each event goes exactly where it belongs",
		Checks: append(perRequest(), "scope.match", "durable.no-loss", "outcome.2xx", "durable.no-dup"),
		Paths:  []drive.Path{drive.First},
		Needs:  []sender.Ability{sender.CanFanOut},
		Watch:  k.window(),
	}
	first, second := k.eventType("payment.succeeded"), k.eventType("order.created")
	if first == second {
		sc.NotRun = "the contract declares no two event types to filter by"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		for _, spec := range []drive.EndpointSpec{
			{Tenant: "hookassay-a"},
			{Tenant: "hookassay-a", Types: []string{second}},
			{Tenant: "hookassay-b"},
			{Tenant: "hookassay-b", Types: []string{first}},
		} {
			if _, err := st.Endpoint(ctx, spec); err != nil {
				return err
			}
		}
		var es []drive.Emission
		for i, tenant := range []string{"hookassay-a", "hookassay-b"} {
			for j, t := range []string{first, second} {
				es = append(es, drive.Emission{Tenant: tenant, Type: t, Data: order(2*i + j), Plan: k.plan("200")})
			}
		}
		_, err := st.EmitPaced(ctx, pace, es)
		return err
	}
	return sc
}
