package scenarios

import (
	"context"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

// held is how long an endpoint stays disabled: past the longest short wait of a compressed schedule, so that a retry that was
// not held would show.
const held = 4 * time.Second

func (k kit) lifecycleDisable() drive.Scenario {
	return drive.Scenario{
		Name:   "lifecycle/disable",
		Title:  "An endpoint is disabled while events wait for an attempt and one is on the wire, and enabled again",
		Checks: append(perRequest(), "life.stop", "id.stable", "body.stable"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Needs:  []sender.Ability{sender.CanDisable},
		Play: func(ctx context.Context, st *drive.Stage) error {
			e, _, err := k.pending(ctx, st)
			if err != nil {
				return err
			}
			if err := k.busy(ctx, st, e); err != nil {
				return err
			}
			if err := st.Disable(ctx, e); err != nil {
				return err
			}
			return k.heldAndEnabled(ctx, st, e)
		},
		Watch: k.window(),
	}
}

// heldAndEnabled waits while an endpoint is disabled, enables it, and delivers an event.
func (k kit) heldAndEnabled(ctx context.Context, st *drive.Stage, e *drive.Endpoint) error {
	if err := st.Until(ctx, st.Now()+held+k.c.TakesEffectWithin); err != nil {
		return err
	}
	return k.enabled(ctx, st, e)
}

// enabled enables an endpoint, and delivers an event.
func (k kit) enabled(ctx context.Context, st *drive.Stage, e *drive.Endpoint) error {
	if err := st.Enable(ctx, e); err != nil {
		return err
	}
	// Past what a change may take to show: this one must arrive.
	if err := st.Until(ctx, st.Now()+margin+k.c.TakesEffectWithin); err != nil {
		return err
	}
	return k.deliver(ctx, st, e)
}

// busy leaves an endpoint with a request on the wire and an event that is due soon.
func (k kit) busy(ctx context.Context, st *drive.Stage, e *drive.Endpoint) error {
	slow, err := k.emitTo(ctx, st, e, k.plan("200(delay=%s)", k.unhurried()))
	if err != nil {
		return err
	}
	if _, err := st.Await(ctx, slow, k.window(), func(s drive.Seen) bool { return s.Arrivals > 0 }); err != nil {
		return err
	}
	_, err = k.emitTo(ctx, st, e, k.plan("200"))
	return err
}

// unhurried is how long an answer may take at which no sender gives up.
func (k kit) unhurried() time.Duration {
	d := margin / 2
	if s := k.c.Schedule; s != nil && s.Timeout > 0 {
		d = min(d, s.Timeout/3)
	}
	return d
}

func (k kit) lifecycleDelete() drive.Scenario {
	return drive.Scenario{
		Name:   "lifecycle/delete",
		Title:  "An endpoint is deleted while an event waits for its retry",
		Checks: append(perRequest(), "life.stop", "id.stable", "body.stable"),
		Paths:  []drive.Path{drive.First, drive.Retry},
		Needs:  []sender.Ability{sender.CanDelete},
		Play: func(ctx context.Context, st *drive.Stage) error {
			e, _, err := k.pending(ctx, st)
			if err != nil {
				return err
			}
			return st.Delete(ctx, e)
		},
		Watch: k.window(),
	}
}
