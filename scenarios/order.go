package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func (k kit) orderPerKey() drive.Scenario {
	sc := drive.Scenario{
		Name:   "order/earlier-event-fails",
		Title:  "Events about one object follow one that fails for a time, one that hangs and one that is refused for good",
		Checks: retried(success(), "order.per-key"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Watch:  k.window(),
	}
	if k.c.Order != "per-key" {
		sc.NotRun = "the contract promises no order"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		e, err := st.Endpoint(ctx, drive.EndpointSpec{})
		if err != nil {
			return err
		}
		plans := []fault.Plan{k.plan("503*2, 200"), k.plan("200"), k.plan("timeout, 200"), k.plan("200")}
		for _, s := range k.permanent(404) {
			plans = append(plans, k.plan("503, %d", s), k.plan("200"))
		}
		// One after the other: events that are emitted at once have no order. Those of another object wait for none of them.
		for _, p := range plans {
			for _, object := range []string{"a", "b"} {
				_, err := st.Emit(ctx, drive.Emission{Endpoint: e, Type: k.anyType(), Data: order(0), Plan: p, Object: object})
				if err != nil {
					return err
				}
			}
		}
		return nil
	}
	return sc
}
