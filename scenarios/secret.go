package scenarios

import (
	"context"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

func (k kit) secretRotation() drive.Scenario {
	sc := drive.Scenario{
		Name:   "secret/rotation",
		Title:  "The key is rotated while an event is being retried; events before, inside and after the window of both keys",
		Checks: append(perRequest(), "secret.rotation", "durable.no-loss", "id.stable", "body.stable"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Needs:  []sender.Ability{sender.CanRotate},
		Watch:  k.settle(), // the last event is delivered at once
	}
	if k.c.Keys == nil {
		sc.NotRun = "the contract promises nothing about the rotation of keys"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		e, pending, err := k.pending(ctx, st)
		if err != nil {
			return err
		}
		if err := k.deliver(ctx, st, e); err != nil {
			return err
		}
		if err := st.Rotate(ctx, e, k.c.Keys.Overlap); err != nil {
			return err
		}
		rotated := st.Now()
		// Right after the change, as soon as it must show; and late in the window, which may be too short.
		for _, at := range []time.Duration{k.c.TakesEffectWithin + margin/2, k.c.Keys.Overlap * 9 / 10} {
			if err := st.Until(ctx, rotated+at); err != nil {
				return err
			}
			if err := k.deliver(ctx, st, e); err != nil {
				return err
			}
		}
		if _, err := st.Await(ctx, pending, k.window(), delivered); err != nil {
			return err
		}
		if err := st.Until(ctx, rotated+k.c.Keys.Overlap+margin); err != nil {
			return err
		}
		return k.deliver(ctx, st, e)
	}
	return sc
}

func (k kit) secretRevoked() drive.Scenario {
	sc := drive.Scenario{
		Name:   "secret/revoked",
		Title:  "A leaked key is revoked while an event is being retried; then an event, and a replay of one from before",
		Checks: replayed("secret.rotation", "id.stable", "body.stable"),
		Paths:  []drive.Path{drive.First, drive.Retry, drive.Replay},
		Needs:  []sender.Ability{sender.CanRevoke},
		Watch:  k.window(),
	}
	if k.c.Keys == nil || !k.c.Keys.Revoke {
		sc.NotRun = "the contract does not promise that a revoked key signs no more"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		e, pending, err := k.pending(ctx, st)
		if err != nil {
			return err
		}
		before, err := k.emitTo(ctx, st, e, k.plan("200"))
		if err != nil {
			return err
		}
		if _, err := st.Await(ctx, before, k.window(), delivered); err != nil {
			return err
		}
		if err := st.Revoke(ctx, e); err != nil {
			return err
		}
		if err := k.deliver(ctx, st, e); err != nil {
			return err
		}
		if st.Has(sender.CanReplay) {
			if err := k.replay(ctx, st, before, 2); err != nil {
				return err
			}
		}
		_, err = st.Await(ctx, pending, k.window(), delivered)
		return err
	}
	return sc
}

// pending makes an endpoint with an event that has failed and waits for a retry some seconds away, as far as the schedule
// has such a wait. It has failed twice, so that a retry is seen even if no other follows, where the schedule has three attempts.
func (k kit) pending(ctx context.Context, st *drive.Stage) (*drive.Endpoint, *drive.Event, error) {
	e, err := st.Endpoint(ctx, drive.EndpointSpec{})
	if err != nil {
		return nil, nil, err
	}
	fails := max(k.freshAttempt()-1, 1)
	if s := k.c.Schedule; s != nil && s.Count() > 2 {
		fails = max(fails, 2)
	}
	ev, err := k.emitTo(ctx, st, e, k.plan("503*%d, 200", fails))
	if err != nil {
		return nil, nil, err
	}
	_, err = st.Await(ctx, ev, k.window(), outcomes(fails))
	return e, ev, err
}

// deliver emits an event and waits for its delivery.
func (k kit) deliver(ctx context.Context, st *drive.Stage, e *drive.Endpoint) error {
	ev, err := k.emitTo(ctx, st, e, k.plan("200"))
	if err != nil {
		return err
	}
	_, err = st.Await(ctx, ev, k.settle(), delivered)
	return err
}

func (k kit) secretIssued() drive.Scenario {
	sc := drive.Scenario{
		Name:   "secret/issued",
		Title:  "The sender issues keys for a test and a live endpoint of one customer; the endpoints are read back",
		Checks: append(perRequest(), "secret.environments", "secret.shown-once", "durable.no-loss"),
		Paths:  []drive.Path{drive.First},
		Needs:  []sender.Ability{sender.CanIssueSecrets},
		Watch:  k.settle(),
	}
	if k.c.Keys == nil {
		sc.NotRun = "the contract promises nothing about keys"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		for _, env := range []string{"test", "live"} {
			spec := drive.EndpointSpec{Issued: true, Tenant: "hookassay-issued"}
			if st.Has(sender.CanSeparate) {
				spec.Environment = env
			}
			e, err := st.Endpoint(ctx, spec)
			if err != nil {
				return err
			}
			if err := k.deliver(ctx, st, e); err != nil {
				return err
			}
			if st.Has(sender.CanReadEndpoint) {
				if err := st.ReadEndpoint(ctx, e); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return sc
}
