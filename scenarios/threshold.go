package scenarios

import (
	"context"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/sender"
)

// mostFailures keeps the scenarios of disabled endpoints light where it takes very many failures.
const mostFailures = 200

// trouble is an endpoint that is to fail until the sender disables it, and one that is served all the time.
type trouble struct {
	k         kit
	st        *drive.Stage
	bad, calm *drive.Endpoint
	fails     string         // the plan of what fails at once
	open      []*drive.Event // accepted, and not awaited yet
	apart     time.Duration  // how far a success must be from failures so that nobody counts them in another order
}

func (k kit) trouble(ctx context.Context, st *drive.Stage) (*trouble, error) {
	bad, err := st.Endpoint(ctx, drive.EndpointSpec{})
	if err != nil {
		return nil, err
	}
	calm, err := st.Endpoint(ctx, drive.EndpointSpec{})
	tr := &trouble{k: k, st: st, bad: bad, calm: calm, apart: k.logLag() + margin/2}
	if k.c.AutoDisable.Of == contract.OfEvents {
		tr.apart = k.settle() + k.logLag() // an event counts once its end is on record
	}
	return tr, err
}

// emit offers the failing endpoint an event. A sender that has disabled it may refuse; that is recorded, and no error.
func (tr *trouble) emit(ctx context.Context, text string) error {
	ev, err := tr.k.emitTo(ctx, tr.st, tr.bad, plan("%s", text))
	if err != nil {
		return ctx.Err()
	}
	tr.open = append(tr.open, ev)
	return nil
}

// settle waits until what was accepted has been answered, all of it together for as long as one event may take.
func (tr *trouble) settle(ctx context.Context) error {
	end := tr.st.Now() + tr.k.settle()
	for _, ev := range tr.open {
		if _, err := tr.st.Await(ctx, ev, max(end-tr.st.Now(), 0), outcomes(1)); err != nil {
			return err
		}
	}
	tr.open = nil
	return nil
}

// fail makes n events fail.
func (tr *trouble) fail(ctx context.Context, n int) error {
	for range n {
		if err := tr.emit(ctx, tr.fails); err != nil {
			return err
		}
	}
	return tr.settle(ctx)
}

// succeed delivers an event, so far from all failures that nobody can count them in another order.
func (tr *trouble) succeed(ctx context.Context) error {
	if err := tr.st.Until(ctx, tr.st.Now()+tr.apart); err != nil {
		return err
	}
	if err := tr.emit(ctx, tr.k.fit("200")); err != nil {
		return err
	}
	if err := tr.settle(ctx); err != nil {
		return err
	}
	return tr.st.Until(ctx, tr.st.Now()+tr.apart)
}

// serve shows that the sender is well: without that, silence would say nothing.
func (tr *trouble) serve(ctx context.Context) error { return tr.k.deliver(ctx, tr.st, tr.calm) }

// silence offers events that must not come, and waits until they would have.
func (tr *trouble) silence(ctx context.Context) error {
	if err := tr.st.Until(ctx, tr.st.Now()+tr.apart+tr.k.c.TakesEffectWithin); err != nil {
		return err
	}
	for range 2 {
		if err := tr.emit(ctx, tr.fails); err != nil {
			return err
		}
	}
	if err := tr.serve(ctx); err != nil {
		return err
	}
	return tr.st.Until(ctx, tr.st.Now()+margin)
}

// revive enables the endpoint again, where that can be asked for, and delivers an event.
func (tr *trouble) revive(ctx context.Context) error {
	if !tr.st.Has(sender.CanDisable) {
		return nil
	}
	return tr.k.enabled(ctx, tr.st, tr.bad)
}

// uncounted says why the contract gives no way to count an endpoint's failures; "" if it does.
func (k kit) uncounted() string {
	switch rule := k.c.AutoDisable; {
	case rule == nil:
		return "the contract does not promise that an endpoint is disabled for its failures"
	case !rule.Counts():
		return "the contract disables an endpoint after a time of failures, and not after a number"
	case rule.Failures > mostFailures:
		return "it takes so many failures to disable an endpoint that they would be a load test"
	}
	return ""
}

// refusal is the plan of a permanent failure, after which nothing more comes of an event; "" where the contract knows none.
func (k kit) refusal() string {
	refused := k.refusals(404, 400, 422)
	if len(refused) == 0 {
		return ""
	}
	return plan("%d", refused[0]).String()
}

const noRefusal = "the contract calls no status permanent, so that failures cannot be made one by one"

func (k kit) lifecycleFailures() drive.Scenario {
	sc := drive.Scenario{
		Name:   "lifecycle/fails-too-often",
		Title:  "An endpoint fails just short of what disables it, succeeds, and fails once more than that; another one is served all the time",
		Checks: append(perRequest(), "life.threshold", "life.stop", "retry.permanent"),
		Paths:  []drive.Path{drive.First, drive.Burst},
		Watch:  k.settle(),
	}
	if sc.NotRun = k.uncounted(); sc.NotRun == "" && k.refusal() == "" {
		sc.NotRun = noRefusal
	}
	if sc.NotRun != "" {
		return sc
	}
	rule := k.c.AutoDisable
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		tr, err := k.trouble(ctx, st)
		if err != nil {
			return err
		}
		tr.fails = k.refusal()
		steps := []func(context.Context) error{tr.serve}
		almost := func(ctx context.Context) error { return tr.fail(ctx, rule.Failures-1) }
		if rule.OnSuccess == contract.OnSuccessReset {
			steps = append(steps, almost, tr.succeed)
		}
		steps = append(steps, almost, tr.serve, func(ctx context.Context) error { return tr.fail(ctx, 1) }, tr.silence, tr.revive)
		return inTurn(ctx, steps...)
	}
	return sc
}

func (k kit) lifecycleRetriesFail() drive.Scenario {
	sc := drive.Scenario{
		Name:   "lifecycle/retries-fail-too-often",
		Title:  "So many attempts fail, of few events, as disable an endpoint if attempts are counted; then an event",
		Checks: append(perRequest(), "life.threshold", "id.stable", "body.stable"),
		Paths:  []drive.Path{drive.First, drive.Retry, drive.Burst},
		Watch:  k.window(),
	}
	if sc.NotRun = k.uncounted(); sc.NotRun != "" {
		return sc
	}
	quick, rule := k.quickAttempts(), k.c.AutoDisable
	events := rule.Failures/max(quick, 1) + 1
	switch {
	case quick < 2 || k.c.Schedule.Count() <= quick:
		sc.NotRun = "the schedule does not make some attempts at once and another one later"
		return sc
	case rule.Of == contract.OfEvents && events >= rule.Failures:
		sc.NotRun = "events that fail in all their attempts would disable the endpoint as well"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		tr, err := k.trouble(ctx, st)
		if err != nil {
			return err
		}
		for range events {
			if err := tr.emit(ctx, k.plan("503*%d", k.c.Schedule.Count()).String()); err != nil {
				return err
			}
		}
		return inTurn(ctx, tr.settle,
			func(ctx context.Context) error { return st.Until(ctx, st.Now()+tr.apart+margin) }, // for the retries that come at once
			func(ctx context.Context) error { return tr.emit(ctx, tr.k.fit("200")) },
			tr.serve,
		)
	}
	return sc
}

// quickAttempts is how many attempts an event makes within about a second, the request time apart.
func (k kit) quickAttempts() int {
	n := 0
	if s := k.c.Schedule; s != nil {
		for sum := time.Duration(0); n < s.Count(); n++ {
			if sum += s.Wait(n + 1).Max; sum > margin {
				break
			}
		}
	}
	return n
}

func (k kit) lifecycleFailsLong() drive.Scenario {
	sc := drive.Scenario{
		Name:   "lifecycle/fails-too-long",
		Title:  "An endpoint fails, succeeds, and fails for as long as disables it; another one is served all the time",
		Checks: append(perRequest(), "life.threshold", "life.stop", "retry.permanent"),
		Paths:  []drive.Path{drive.First},
		Watch:  k.settle(),
	}
	rule := k.c.AutoDisable
	switch {
	case rule == nil || rule.Counts():
		sc.NotRun = "the contract does not disable an endpoint after a time of failures"
	case k.refusal() == "":
		sc.NotRun = noRefusal
	case rule.FailingFor < 4*(k.logLag()+margin) || 2*rule.FailingFor > k.window():
		sc.NotRun = "the time of failures that disables an endpoint is too short to be measured, or longer than the schedule; compress the contract"
	}
	if sc.NotRun != "" {
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		tr, err := k.trouble(ctx, st)
		if err != nil {
			return err
		}
		tr.fails = k.refusal()
		one := func(ctx context.Context) error { return tr.fail(ctx, 1) }
		var begun time.Duration
		at := func(d func() time.Duration) func(context.Context) error {
			return func(ctx context.Context) error { return st.Until(ctx, d()) }
		}
		long := rule.FailingFor
		return inTurn(ctx, one, tr.serve,
			at(func() time.Duration { return st.Now() + long/2 }), tr.succeed,
			func(context.Context) error { begun = st.Now(); return nil }, one,
			// More than that time since the first failure, less than that since the success; what a failure changes shows at the next.
			at(func() time.Duration { return begun + long*3/4 }), one,
			at(func() time.Duration { return begun + long*17/20 }), one, tr.serve,
			// Past it for certain: the failure at which a sender finds that out, if it has not before.
			at(func() time.Duration { return begun + long + 2*tr.apart + k.c.TimeUnit }), one, tr.silence, tr.revive,
		)
	}
	return sc
}

// inTurn takes steps until one of them errs.
func inTurn(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}
