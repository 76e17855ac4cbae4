package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func (k kit) outcomeRedirect() drive.Scenario {
	sc := drive.Scenario{
		Name:   "outcome/redirect",
		Title:  "Redirects, with and without a place to go to",
		Checks: settled("retry.permanent", "outcome.failure", "dlq.entry", "dlq.hint"),
		Paths:  []drive.Path{drive.First},
		Watch:  k.window(),
	}
	statuses := k.permanent(301, 302, 303, 304, 307, 308)
	if len(statuses) == 0 || k.c.Answers.Redirects != "fail" {
		sc.NotRun = "the contract does not promise that a redirect is a failure"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		e, err := st.Endpoint(ctx, drive.EndpointSpec{})
		if err != nil {
			return err
		}
		for _, s := range statuses {
			plans := []fault.Plan{plan("%d", s)}
			if s != 304 { // which is no redirect and never has a Location
				// To the endpoint itself, where following it is seen.
				plans = append(plans, k.plan(`%d(header="Location: %s"), 200`, s, e.URL))
			}
			for _, p := range plans {
				if _, err := k.emitTo(ctx, st, e, p); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return sc
}
