package scenarios

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Of each thousand events, 13 meet one to three transient faults and 5 are given up: the worked example of the reference
// contract, (982 + 13) ÷ 1000 = 99.5 %.
const (
	thousand = 1000
	faulted  = 13
	givenUp  = 5
)

func (k kit) acceptance() drive.Scenario {
	sc := drive.Scenario{
		Name:  "acceptance/mixed-load",
		Title: "Many events, paced; a few meet transient faults, a few are given up and replayed from the dead letter",
		Paths: []drive.Path{drive.First, drive.Retry, drive.Replay, drive.Burst},
		Checks: append(perRequest(), "durable.no-loss",
			"acceptance.rate", "acceptance.absorbed", "acceptance.dead-letters", "id.stable", "body.stable", "durable.no-dup",
			"replay.identity", "replay.body", "outcome.failure", "dlq.entry",
		),
		Instance: "acceptance",
		Watch:    k.window(),
		Ask:      drive.AskUndelivered,
	}
	if k.c.Acceptance == nil {
		sc.NotRun = "the contract promises no delivery rate"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		plans, lost := k.mix(st.Rand())
		evs, err := k.emit(ctx, st, plans...)
		if err != nil {
			return err
		}
		var dead []*drive.Event
		for i, ev := range evs {
			if lost[i] {
				dead = append(dead, ev)
			}
		}
		return k.replayAll(ctx, st, dead)
	}
	return sc
}

// mix deals the plans to the events by the seed, and tells which of the events will be given up.
func (k kit) mix(r *rand.Rand) (plans []fault.Plan, lost map[int]bool) {
	transient, fatal := k.transientPlans(), k.fatalPlans()
	plans, lost = make([]fault.Plan, k.events), map[int]bool{}
	for i := range plans {
		plans[i] = k.plan("200")
	}
	places := r.Perm(k.events)
	if len(transient) > 0 {
		for i := range min(k.events*faulted/thousand, len(places)) {
			plans[places[i]] = transient[i%len(transient)]
		}
	}
	if len(fatal) > 0 {
		for i := range min(k.events*givenUp/thousand, len(places)) {
			at := places[len(places)-1-i]
			plans[at] = fatal[i%len(fatal)]
			lost[at] = true
		}
	}
	return plans, lost
}

// transientPlans is one to three faults of every transient kind that the contract names, then success, as far as the contract has
// attempts for it.
func (k kit) transientPlans() []fault.Plan {
	ps := k.allTransientPlans()
	if s := k.c.Schedule; s != nil {
		ps = slices.DeleteFunc(ps, func(p fault.Plan) bool { return len(p.Steps) >= s.Fewest() })
	}
	return ps
}

func (k kit) allTransientPlans() []fault.Plan {
	var ps []fault.Plan
	for _, s := range k.failures(500, 502, 503, 504, 429) {
		ps = append(ps, k.plan("%d, 200", s))
	}
	if s, why := k.honoured(); why == "" {
		ps = append(ps, k.plan("%d(retry-after=2), 200", s))
	}
	timeouts, resets := k.c.TransientError(contract.ErrorTimeout), k.c.TransientError(contract.ErrorConnection)
	if timeouts {
		ps = append(ps, k.plan("timeout, 200"))
	}
	if resets {
		ps = append(ps, k.plan("reset, 200"), k.plan("lost-ack, 200"))
	}
	if timeouts && resets {
		ps = append(ps, k.plan("timeout, reset, 200"))
	}
	if len(k.transient(500)) > 0 {
		ps = append(ps, k.plan("business-failure, 200"), k.plan("500*2, 200"), k.plan("500*3, 200"))
	}
	return ps
}

func (k kit) fatalPlans() []fault.Plan {
	var ps []fault.Plan
	for _, s := range k.refusals(400, 404, 422) {
		ps = append(ps, plan("%d", s))
	}
	for _, s := range k.failures(500, 503) {
		ps = append(ps, plan("%d", s))
	}
	return ps
}

// replayAll mends the receiver for each event once it is given up, and has it replayed.
func (k kit) replayAll(ctx context.Context, st *drive.Stage, dead []*drive.Event) error {
	if !st.Has(sender.CanReadDead) || !st.Has(sender.CanReplay) {
		return nil
	}
	errs := make([]error, len(dead))
	var wg sync.WaitGroup
	for i, ev := range dead {
		wg.Go(func() { errs[i] = k.replayDead(ctx, st, ev) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (k kit) replayDead(ctx context.Context, st *drive.Stage, ev *drive.Event) error {
	there, err := st.DeadLettered(ctx, ev, k.window())
	if err != nil || !there {
		return err
	}
	if err := st.Replan(ev, k.plan("200")); err != nil {
		return err
	}
	if err := st.Replay(ctx, ev, "acceptance: the receiver is mended"); err != nil {
		return err
	}
	if _, err := st.Await(ctx, ev, k.settle(), delivered); err != nil {
		return err
	}
	return st.Until(ctx, st.Now()+k.lag()) // for the replay record
}
