package scenarios

import (
	"context"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

func (k kit) secRedirect() drive.Scenario {
	sc := drive.Scenario{
		Name:   "sec/redirect-elsewhere",
		Title:  "Redirects of every kind to a place that was never registered and would answer 200",
		Checks: append(perRequest(), "sec.no-redirect", "retry.permanent", "outcome.failure"),
		Paths:  []drive.Path{drive.First, drive.Retry, drive.Replay},
		Watch:  k.window(),
	}
	statuses := k.permanent(301, 302, 303, 307, 308)
	if len(statuses) == 0 || k.c.Answers.Redirects != "fail" {
		sc.NotRun = "the contract does not promise that redirects are not followed"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		var plans []fault.Plan
		for _, s := range statuses {
			path, err := st.Trap() // one each, so that it is known which was followed
			if err != nil {
				return err
			}
			plans = append(plans, plan("redirect(to=%q, status=%d)", path, s))
		}
		// Retries and replays may go through another client than first attempts.
		for _, before := range append(k.transient(503, 500), 200) {
			path, err := st.Trap()
			if err != nil {
				return err
			}
			plans = append(plans, plan("%d, redirect(to=%q, status=307)", before, path))
		}
		evs, err := k.emit(ctx, st, plans...)
		if err != nil || !st.Has(sender.CanReplay) {
			return err
		}
		last := evs[len(evs)-1]
		if _, err := st.Await(ctx, last, k.window(), delivered); err != nil {
			return err
		}
		return k.replay(ctx, st, last, 2)
	}
	return sc
}

func (k kit) secInternal() drive.Scenario {
	sc := drive.Scenario{
		Name:   "sec/redirect-to-another-address",
		Title:  "Redirects to an address that no endpoint was registered with, as if into the sender's own network",
		Checks: append(perRequest(), "sec.no-internal", "sec.no-redirect", "outcome.failure"),
		Paths:  []drive.Path{drive.First},
		Watch:  k.window(),
	}
	statuses := k.permanent(301, 302, 303, 307, 308)
	if len(statuses) == 0 || k.c.Network == nil || k.c.Network.Addresses != contract.AddressesRegistered {
		sc.NotRun = "the contract does not promise that only registered addresses are connected to"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		var plans []fault.Plan
		for _, s := range statuses {
			silent, err := st.Listener(ctx, fault.ConnPlan{})
			if err != nil {
				return err
			}
			plans = append(plans, plan(`redirect(to="/inside", listener=%q, status=%d)`, silent, s))
		}
		_, err := k.emit(ctx, st, plans...)
		return err
	}
	return sc
}
