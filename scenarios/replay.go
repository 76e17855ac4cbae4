package scenarios

import (
	"context"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

func (k kit) replayDelivered() drive.Scenario {
	return drive.Scenario{
		Name:   "replay/delivered",
		Title:  "A delivered event is replayed by hand, twice, after its object changed",
		Paths:  []drive.Path{drive.First, drive.Replay},
		Checks: replayed("effect.once"),
		Needs:  []sender.Ability{sender.CanReplay},
		Play: func(ctx context.Context, st *drive.Stage) error {
			evs, err := k.emit(ctx, st, k.plan("200"))
			if err != nil {
				return err
			}
			if _, err := st.Await(ctx, evs[0], k.window(), delivered); err != nil {
				return err
			}
			if st.Has(sender.CanChangeObject) {
				if err := st.Change(ctx, evs[0], changed(0)); err != nil {
					return err
				}
			}
			for n := range 2 {
				if err := k.replay(ctx, st, evs[0], 2+n); err != nil {
					return err
				}
			}
			return nil
		},
		Watch: k.window(),
	}
}

func (k kit) replayDeadLettered() drive.Scenario {
	sc := drive.Scenario{
		Name:   "replay/dead-lettered",
		Title:  "An event that was refused for good is replayed by hand once the receiver is mended",
		Paths:  []drive.Path{drive.First, drive.Replay},
		Checks: replayed("retry.permanent", "outcome.failure", "dlq.entry", "dlq.hint"),
		Needs:  []sender.Ability{sender.CanReplay},
		Watch:  k.window(),
	}
	refused := k.refusals(422, 400, 404)
	if len(refused) == 0 {
		sc.NotRun = "the contract calls no status permanent"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		evs, err := k.emit(ctx, st, k.plan("%d, 200", refused[0]))
		if err != nil {
			return err
		}
		if _, err := st.Await(ctx, evs[0], k.window(), outcomes(1)); err != nil {
			return err
		}
		return k.replay(ctx, st, evs[0], 2)
	}
	return sc
}

// replayFails is replayDeadLettered where the first replay fails: that ends in the dead letter again, and can be replayed.
func (k kit) replayFails() drive.Scenario {
	sc := k.replayDeadLettered()
	sc.Name = "replay/fails-once"
	sc.Title = "A refused event is replayed by hand, which fails, and replayed again"
	if sc.NotRun != "" {
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		evs, err := k.emit(ctx, st, k.plan("%d, 503, 200", k.refusals(422, 400, 404)[0]))
		if err != nil {
			return err
		}
		for n := range 3 {
			if n > 0 {
				err = k.replay(ctx, st, evs[0], n+1)
			} else {
				_, err = st.Await(ctx, evs[0], k.window(), outcomes(1))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return sc
}

// replay waits until a stale signed time would show, replays, and waits for the n-th request of the event.
func (k kit) replay(ctx context.Context, st *drive.Stage, ev *drive.Event, n int) error {
	if err := st.Until(ctx, st.Now()+freshGap+margin/2); err != nil {
		return err
	}
	if err := st.Replay(ctx, ev, "tested by hookassay"); err != nil {
		return err
	}
	if _, err := st.Await(ctx, ev, k.settle(), outcomes(n)); err != nil {
		return err
	}
	return nil
}

// inRange and outOfRange are how many dead letters lie in the time range that is replayed, and after it.
const inRange, outOfRange = 3, 2

func (k kit) replayRange() drive.Scenario {
	sc := drive.Scenario{
		Name:   "replay/range",
		Title:  "Refused events are replayed by a time range that leaves some of them out",
		Checks: replayed("replay.range", "outcome.failure", "dlq.entry"),
		Paths:  []drive.Path{drive.First, drive.Replay},
		Needs:  []sender.Ability{sender.CanReplayRange},
		Watch:  k.window(),
	}
	refused := k.refusals(422, 400, 404)
	if len(refused) == 0 || k.c.Replay == nil || !k.c.Replay.Range {
		sc.NotRun = "the contract does not promise a replay by time range"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		e, err := st.Endpoint(ctx, drive.EndpointSpec{})
		if err != nil {
			return err
		}
		in, err := k.refuse(ctx, st, e, refused[0], inRange)
		if err != nil {
			return err
		}
		to := st.Now()
		if err := st.Until(ctx, to+apart); err != nil {
			return err
		}
		if _, err := k.refuse(ctx, st, e, refused[0], outOfRange); err != nil {
			return err
		}
		// Until a stale signed time would show, and all are dead letters for certain.
		if err := st.Until(ctx, st.Now()+max(freshGap+margin/2, k.dead())-apart); err != nil {
			return err
		}
		if err := st.ReplayRange(ctx, e, -time.Hour, to, "tested by hookassay"); err != nil {
			return err
		}
		for _, ev := range in {
			if _, err := st.Await(ctx, ev, k.settle(), outcomes(2)); err != nil {
				return err
			}
		}
		return nil
	}
	return sc
}

// dead is how long after the end of its last attempt an event is a dead letter for certain.
func (k kit) dead() time.Duration {
	d := k.logLag() + margin
	if s := k.c.Schedule; s != nil {
		d += s.TerminalDue()
	}
	return d
}

// apart is how far events stay from the bounds of a time range, so that their place is certain although clocks differ and
// signed times have whole seconds.
const apart = 3 * time.Second

// refuse emits events that are refused for good, and leaves clear time after them.
func (k kit) refuse(ctx context.Context, st *drive.Stage, e *drive.Endpoint, status, n int) ([]*drive.Event, error) {
	var evs []*drive.Event
	for range n {
		p := k.plan("%d, 200", status)
		if len(evs) > 0 && len(evs) == n-1 {
			p = k.plan("%d, 503, 200", status) // a replay that fails is not to be tried again of its own accord
		}
		ev, err := k.emitTo(ctx, st, e, p)
		if err != nil {
			return nil, err
		}
		evs = append(evs, ev)
	}
	for _, ev := range evs {
		if _, err := st.Await(ctx, ev, k.window(), outcomes(1)); err != nil {
			return nil, err
		}
	}
	return evs, st.Until(ctx, st.Now()+apart)
}
