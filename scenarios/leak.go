package scenarios

import (
	"context"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

const (
	// leaking is how many events come over connections of which few may stay open: four for each way to fail.
	leaking = 24
	// mostKept keeps the scenario light: to exceed a larger bound takes more events than that.
	mostKept = 200
	// mostIdle is how long idle connections may live for their end to be the sender's: the receiver ends them after five minutes.
	mostIdle = 4 * time.Minute
)

func (k kit) netLeak() drive.Scenario {
	sc := drive.Scenario{
		Name:   "net/connections-settle",
		Title:  "Many events whose first attempts fail in every way, then quiet: the connections that are still open are counted",
		Checks: append(perRequest(), "net.leak"),
		Paths:  []drive.Path{drive.First, drive.Retry, drive.Burst},
		Watch:  k.window(),
	}
	n := k.c.Network
	switch {
	case n == nil || n.IdleConnections == 0 && n.IdleTimeout == 0:
		sc.NotRun = "the contract does not bound idle connections"
		return sc
	case n.IdleConnections > mostKept || n.IdleTimeout > mostIdle:
		sc.NotRun = "more connections are kept, or for longer, than a scenario can bring about"
		return sc
	}
	sc.Play = func(ctx context.Context, st *drive.Stage) error {
		e, err := k.ownEndpoint(ctx, st, fault.ConnPlan{})
		if err != nil {
			return err
		}
		plans := k.failing(max(leaking, n.IdleConnections+leaking/2))
		es := make([]drive.Emission, len(plans))
		for i, p := range plans {
			es[i] = drive.Emission{Endpoint: e, Type: k.anyType(), Data: order(i), Plan: p}
		}
		evs, err := st.EmitPaced(ctx, pace, es)
		if err != nil {
			return err
		}
		if err := k.awaitAll(ctx, st, evs); err != nil {
			return err
		}
		return k.countSettled(ctx, st, e)
	}
	return sc
}

// countSettled counts the open connections when those beyond the bound must be closed, and again when all must be.
func (k kit) countSettled(ctx context.Context, st *drive.Stage, e *drive.Endpoint) error {
	quiet := st.Now()
	times := []time.Duration{margin}
	if d := k.c.Network.IdleTimeout; d > 0 {
		times = append(times, d+margin)
	}
	for _, after := range times {
		if err := st.Until(ctx, quiet+after); err != nil {
			return err
		}
		if err := st.CountConnections(e); err != nil {
			return err
		}
	}
	return nil
}

// failing are plans whose first attempts fail in every way and whose second ones succeed. Only two hang, which is no load.
func (k kit) failing(n int) []fault.Plan {
	ways := []string{"503", "large(200000, status=503)", "reset", "close", "cut(after=3, status=503)", "500"}
	plans := make([]fault.Plan, 0, n)
	for i := range n {
		way := ways[i%len(ways)]
		if i < 2 {
			way = "timeout"
		}
		plans = append(plans, k.plan("%s, 200", way))
	}
	return plans
}

// awaitAll waits until all events are delivered, or until a second attempt of each must have ended.
func (k kit) awaitAll(ctx context.Context, st *drive.Stage, evs []*drive.Event) error {
	until := st.Now() + margin
	if s := k.c.Schedule; s != nil {
		until += s.Wait(1).Max + s.Wait(2).Max + 2*s.Timeout
	}
	for _, ev := range evs {
		if _, err := st.Await(ctx, ev, until-st.Now(), delivered); err != nil {
			return err
		}
	}
	return nil
}
