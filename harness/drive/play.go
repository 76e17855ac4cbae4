package drive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// playAll plays everything that may go on side by side, and then, one after another, what must be alone.
func (p *player) playAll(ctx context.Context) error {
	canLaunch := slices.Contains(p.setup.Launcher.Info().Abilities, string(sender.CanLaunch))
	var together, alone []Scenario
	for _, sc := range p.setup.Scenarios {
		if sc.Instance != "" && !canLaunch {
			sc.Instance, sc.Alone = "", true
		}
		if p.setup.ByHand != "" {
			sc.Alone = true
		}
		if sc.Alone {
			alone = append(alone, sc)
		} else {
			together = append(together, sc)
		}
	}
	phase := 0
	if len(together) > 0 {
		phase++
	}
	if err := p.playTogether(ctx, phase, together); err != nil {
		return err
	}
	for _, sc := range alone {
		phase++
		if err := p.playTogether(ctx, phase, []Scenario{sc}); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) playTogether(ctx context.Context, phase int, scenarios []Scenario) error {
	if len(scenarios) == 0 {
		return nil
	}
	limit := p.setup.Parallel
	if limit <= 0 || limit > len(scenarios) {
		limit = len(scenarios)
	}
	slots := make(chan struct{}, limit)
	var wg sync.WaitGroup
	for _, sc := range scenarios {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			p.play(ctx, phase, sc)
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// play plays one scenario and records how long it was watched.
func (p *player) play(ctx context.Context, phase int, sc Scenario) {
	rec := &evidence.Scenario{
		Name: sc.Name, Family: sc.Family(), Title: sc.Title, Checks: sc.Checks,
		Instance: instanceName(sc.Instance), NotRun: sc.NotRun,
	}
	defer func() {
		p.add(rec)
		p.tell(func(pr *Progress) {
			pr.Done++
			if ctx.Err() == nil { // what ended the run is said once, not for each scenario
				pr.Note = note(rec)
			}
		})
	}()
	if ctx.Err() != nil {
		rec.NotRun = "the run was interrupted before"
		return
	}
	if rec.NotRun != "" {
		return
	}
	in, err := p.instance(ctx, sc.Instance)
	if err != nil {
		rec.NotRun = "the sender did not start"
		p.cancel(err)
		return
	}
	if a, missing := sc.missing(in.Has); missing {
		rec.NotRun = fmt.Sprintf("the sender's driver has no ability %q", a)
		return
	}
	rec.From, rec.Phase = p.now(), phase
	st := newStage(p, sc, in)
	err = p.perform(ctx, sc, st)
	if errors.Is(err, errByHand) {
		rec.NotRun = err.Error()
	} else if err != nil && ctx.Err() == nil {
		p.trouble(sc.Name, in.explain(err))
	}
	rec.WatchUntil, rec.Ended = st.watched, p.now()
}

// note says for people how a scenario ended.
func note(rec *evidence.Scenario) string {
	if rec.NotRun != "" {
		return rec.Name + " not played: " + rec.NotRun
	}
	return rec.Name + " ended"
}

func (p *player) perform(ctx context.Context, sc Scenario, st *Stage) error {
	defer func() {
		if st.watched == 0 {
			st.watched = p.now()
		}
	}()
	if err := sc.Play(ctx, st); err != nil {
		return err
	}
	p.tell(func(pr *Progress) { pr.Until = max(pr.Until, st.lastEmit+sc.Watch) })
	if err := st.Until(ctx, st.lastEmit+sc.Watch); err != nil {
		return err
	}
	st.watched = p.now()
	return st.ask(ctx)
}
