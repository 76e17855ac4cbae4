package scenarios

import (
	"context"
	"slices"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// survives are the checks of events whose attempts do not all become readable: what counts attempts sees too few of them, and
// the first that is seen need not be the first.
func survives() []string {
	seen := slices.DeleteFunc(perRequest(), func(check string) bool { return check == "body.matches" })
	return append(seen, "net.survives")
}

func (k kit) netFails() drive.Scenario {
	sc := drive.Scenario{
		Name:   "net/connection-ends-at-once",
		Title:  "Connections are closed or reset as soon as they are accepted, once or twice, and then work",
		Checks: survives(),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Watch:  k.window(),
		NotRun: k.retriesConnections(),
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		for _, p := range []string{"accept-reset, ok", "accept-close, ok", "accept-reset*2, ok"} {
			conns, err := fault.ParseConn(p)
			if err != nil {
				return err
			}
			e, err := k.ownEndpoint(ctx, st, conns)
			if err != nil {
				return err
			}
			if _, err := k.emitTo(ctx, st, e, k.plan("200")); err != nil {
				return err
			}
		}
		return nil
	}
	return sc
}

func (k kit) netPooled() drive.Scenario {
	sc := drive.Scenario{
		Name:   "net/kept-connection-ends",
		Title:  "The receiver ends a kept connection at the first byte of the next request on it",
		Checks: survives(),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Watch:  k.window(),
		NotRun: k.retriesConnections(),
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		for _, with := range []string{"close", "reset"} {
			e, err := k.ownEndpoint(ctx, st, fault.ConnPlan{})
			if err != nil {
				return err
			}
			first, err := k.emitTo(ctx, st, e, plan("close-next(with=%s)", with))
			if err != nil {
				return err
			}
			if _, err := st.Await(ctx, first, k.window(), delivered); err != nil {
				return err
			}
			if _, err := k.emitTo(ctx, st, e, k.plan("200")); err != nil {
				return err
			}
		}
		return nil
	}
	return sc
}

// ownEndpoint makes an endpoint on a listener of its own, so that no other scenario's request uses its connections.
func (k kit) ownEndpoint(ctx context.Context, st *drive.Stage, conns fault.ConnPlan) (*drive.Endpoint, error) {
	name, err := st.Listener(ctx, conns)
	if err != nil {
		return nil, err
	}
	return st.Endpoint(ctx, drive.EndpointSpec{Listener: name})
}

// retriesConnections says why connections that fail are no stimulus; "" if they are one.
func (k kit) retriesConnections() string {
	if s := k.c.Schedule; !k.c.TransientError(contract.ErrorConnection) || s != nil && s.Count() < 2 {
		return "the contract does not promise another attempt after a connection error"
	}
	return ""
}
