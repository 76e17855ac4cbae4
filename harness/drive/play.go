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
	var together, alone []Scenario
	for _, sc := range p.setup.Scenarios {
		at := p.reached(sc)
		if at == over {
			continue
		}
		if sc.Instance != "" && !p.canLaunch() {
			sc.Instance, sc.Alone = "", true
		}
		if at == waiting {
			sc.Alone = false // its stimuli are given
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

func (p *player) canLaunch() bool {
	return slices.Contains(p.setup.Launcher.Info().Abilities, string(sender.CanLaunch))
}

// reached is how far the run came with a scenario before it was interrupted.
func (p *player) reached(sc Scenario) part {
	if p.before == nil {
		return unbegun
	}
	return p.before.parts[sc.Name]
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
		rec.NotRun = notBegun
		return
	}
	if rec.NotRun != "" {
		return
	}
	in, err := p.instance(ctx, sc.Instance)
	if err != nil {
		rec.NotRun = notStarted
		p.cancel(err)
		return
	}
	if a, missing := sc.missing(in.Has); missing {
		rec.NotRun = fmt.Sprintf("the sender's driver has no ability %q", a)
		return
	}
	rec.From, rec.Phase = p.now(), phase
	st := newStage(p, sc, in)
	if p.reached(sc) == waiting {
		p.rejoin(st, rec)
	}
	err = p.perform(ctx, sc, st)
	if errors.Is(err, errByHand) {
		rec.NotRun = err.Error()
	} else if err != nil && ctx.Err() == nil {
		p.trouble(sc.Name, in.explain(err))
	}
	rec.WatchUntil = st.watched
	if err == nil || ctx.Err() == nil {
		rec.Ended = p.now()
	}
}

// Why a scenario was not played that may still be when the run is gone on with.
const (
	notBegun   = "the run was interrupted before"
	notStarted = "the sender did not start"
)

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
	if p.reached(sc) != waiting {
		if err := sc.Play(ctx, st); err != nil {
			return err
		}
		if p.keeping() {
			now := p.now()
			p.add(&evidence.Act{Act: evidence.ActWatch, Scenario: sc.Name, Called: now, Returned: now})
		}
	}
	until := st.lastEmit + sc.Watch + p.missed(st.lastEmit)
	p.tell(func(pr *Progress) { pr.Until = max(pr.Until, until) })
	if err := st.Until(ctx, until); err != nil {
		return err
	}
	st.watched = p.now()
	return st.ask(ctx)
}
