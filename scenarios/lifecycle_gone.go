package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
)

// mostGone is how many statuses that end all deliveries are played.
const mostGone = 4

func (k kit) lifecycleGone() drive.Scenario {
	sc := drive.Scenario{
		Name:   "lifecycle/gone",
		Title:  "The receiver answers that it is gone for good, and more events are accepted; another endpoint is served all the time",
		Checks: append(perRequest(), "life.stop", "retry.permanent", "durable.no-loss"),
		Paths:  []drive.Path{drive.First},
		Watch:  k.window(),
	}
	statuses := k.meant(k.c.Answers.Disable, contract.Disable)
	if len(statuses) == 0 {
		sc.NotRun = "the contract names no answer that disables an endpoint"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		calm, err := st.Endpoint(ctx, drive.EndpointSpec{})
		if err != nil {
			return err
		}
		var gone []*drive.Endpoint
		for _, s := range statuses[:min(len(statuses), mostGone)] {
			e, err := k.goes(ctx, st, s)
			if err != nil {
				return err
			}
			gone = append(gone, e)
		}
		if err := st.Until(ctx, st.Now()+k.logLag()+margin/4); err != nil { // for the sender's record of the answer
			return err
		}
		for _, e := range gone {
			// A sender may refuse these: the endpoint is gone.
			for range 2 {
				if _, err := k.emitTo(ctx, st, e, k.plan("200")); err != nil && ctx.Err() != nil {
					return ctx.Err()
				}
			}
		}
		return k.deliver(ctx, st, calm)
	}
	return sc
}

// goes makes an endpoint that answers its first event by a status that ends all deliveries.
func (k kit) goes(ctx context.Context, st *drive.Stage, status int) (*drive.Endpoint, error) {
	e, err := st.Endpoint(ctx, drive.EndpointSpec{})
	if err != nil {
		return nil, err
	}
	ev, err := k.emitTo(ctx, st, e, plan("%d", status))
	if err != nil {
		return nil, err
	}
	_, err = st.Await(ctx, ev, k.window(), outcomes(1))
	return e, err
}
