package scenarios

import (
	"context"
	"path"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

// queued is how many events are accepted just before the sender is ended: several times what it sends in the milliseconds
// between its last answer and the signal.
const queued = 20

func (k kit) durabilityKill() drive.Scenario {
	return k.restarted("durability/kill-before-delivery", (*drive.Stage).Kill, sender.CanKill,
		"The sender is killed with SIGKILL while events are in flight, waiting for a retry, and just accepted")
}

func (k kit) durabilityStop() drive.Scenario {
	return k.restarted("durability/stop-before-delivery", (*drive.Stage).Stop, sender.CanStop,
		"The sender is stopped as usual while events are in flight, waiting for a retry, and just accepted")
}

// restarted ends the sender with work in every state, and starts it again.
func (k kit) restarted(name string, end func(*drive.Stage, context.Context) error, need sender.Ability, title string) drive.Scenario {
	return drive.Scenario{
		Name:     name,
		Title:    title,
		Checks:   append(perRequest(), "durable.no-loss", "id.stable", "body.stable", "budget.attempts"),
		Paths:    []drive.Path{drive.First, drive.Retry, drive.Burst, drive.Restart},
		Needs:    []sender.Ability{need},
		Instance: path.Base(name),
		Play: func(ctx context.Context, st *drive.Stage) error {
			if err := k.inEveryState(ctx, st); err != nil {
				return err
			}
			if err := end(st, ctx); err != nil {
				return err
			}
			return st.Start(ctx)
		},
		Watch: k.window(),
	}
}

// counted is how many attempts fail before the sender is ended, so that it shows if they are counted anew after the start.
const counted = 3

// inEveryState gives the sender an event that fails for ever, one that waits for a retry and one that is in flight, and then many at
// once.
func (k kit) inEveryState(ctx context.Context, st *drive.Stage) error {
	failing, err := k.emit(ctx, st, k.plan("503"))
	if err != nil {
		return err
	}
	n := counted
	if s := k.c.Schedule; s != nil {
		n = min(n, s.Count())
	}
	if _, err := st.Await(ctx, failing[0], k.window(), outcomes(n)); err != nil {
		return err
	}
	evs, err := k.emit(ctx, st, k.plan("503*%d, 200", max(k.freshAttempt()-1, 1)), k.plan("timeout, 200"))
	if err != nil {
		return err
	}
	for i, enough := range []func(drive.Seen) bool{outcomes(1), arrived} {
		if _, err := st.Await(ctx, evs[i], k.window(), enough); err != nil {
			return err
		}
	}
	more := make([]drive.Emission, queued)
	for i := range more {
		more[i] = drive.Emission{Endpoint: evs[0].Endpoint, Type: k.anyType(), Data: order(len(evs) + i), Plan: k.plan("200")}
	}
	_, err = st.EmitPaced(ctx, pace, more)
	return err
}

func arrived(s drive.Seen) bool { return s.Arrivals > 0 }

func (k kit) durabilityDelivered() drive.Scenario {
	return drive.Scenario{
		Name:     "durability/restart-after-delivery",
		Title:    "The sender is stopped as usual once all is delivered, and started again; then one event is replayed",
		Checks:   append(replayed(), "durable.no-dup"),
		Paths:    []drive.Path{drive.First, drive.Replay, drive.Restart},
		Needs:    []sender.Ability{sender.CanStop},
		Instance: "restart-after-delivery",
		Play: func(ctx context.Context, st *drive.Stage) error {
			evs, err := k.emit(ctx, st, k.plan("200"), k.plan("200"), k.plan("503, 200"))
			if err != nil {
				return err
			}
			for _, ev := range evs {
				if _, err := st.Await(ctx, ev, k.window(), delivered); err != nil {
					return err
				}
			}
			// For the sender's own records: what it has not yet written down it may rightly send again.
			if err := st.Until(ctx, st.Now()+k.logLag()+margin); err != nil {
				return err
			}
			if err := st.Stop(ctx); err != nil {
				return err
			}
			if err := st.Start(ctx); err != nil {
				return err
			}
			if st.Has(sender.CanReplay) {
				return k.replay(ctx, st, evs[0], 2)
			}
			return nil
		},
		Watch: k.window(),
	}
}

func (k kit) durabilityRolledBack() drive.Scenario {
	sc := drive.Scenario{
		Name:   "durability/rolled-back",
		Title:  "Business changes are rolled back: their events must never be delivered",
		Checks: request("durable.no-phantom"),
		Paths:  []drive.Path{drive.First},
		Needs:  []sender.Ability{sender.CanRollBack},
		Watch:  k.window(),
	}
	if k.c.Durability == nil || !k.c.Durability.Outbox {
		sc.NotRun = "the contract does not promise that a rolled-back change gives no event"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		e, err := st.Endpoint(ctx, drive.EndpointSpec{})
		if err != nil {
			return err
		}
		for i := range 3 {
			err := st.EmitRolledBack(ctx, drive.Emission{Endpoint: e, Type: k.anyType(), Data: order(i), Plan: k.plan("200")})
			if err != nil {
				return err
			}
		}
		_, err = k.emitTo(ctx, st, e, k.plan("200"))
		return err
	}
	return sc
}
