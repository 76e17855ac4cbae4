package scenarios

import (
	"context"
	"time"

	"github.com/hookassay/hookassay/harness/drive"
)

const (
	// aside is how many events each calm endpoint gets before the trouble, and while another one hangs.
	aside = 4
	// hanging is how many events hang at one endpoint where the contract limits nothing: more than a handful of workers that all
	// endpoints share, and no load.
	hanging = 16
	// crowd is how many more events than it may get at once are due at an endpoint, so that some of them must wait.
	crowd = 8
	// mostCrowded keeps the scenario light where the limit is high.
	mostCrowded = 200
)

// stalled is how many events are to hang at one endpoint: as many as it may get at once, and at no time at more than half of the
// sender's workers.
func (k kit) stalled() int {
	n := hanging
	if f := k.c.Fairness; f != nil && f.PerEndpoint > 0 {
		n = min(f.PerEndpoint, mostCrowded)
	}
	if w := k.c.Workers; w > 0 {
		n = min(n, max(w/2, 1))
	}
	return n
}

func (k kit) fairIsolation() drive.Scenario {
	sc := drive.Scenario{
		Name:     "fair/one-endpoint-hangs",
		Title:    "One endpoint hangs with as many events as it may get at once; events of other endpoints go on",
		Checks:   request("fair.isolation", "id.stable", "body.stable"),
		Paths:    []drive.Path{drive.First, drive.Retry, drive.Burst},
		Instance: "one-endpoint-hangs", // how long an event takes alone shows only where nothing else goes on
		Watch:    k.window(),
	}
	if k.c.Fairness == nil {
		sc.NotRun = "the contract promises nothing of endpoints beside one another"
		return sc
	}
	sc.Play = k.goesOnBeside
	return sc
}

// goesOnBeside emits to endpoints of the same customer and of another before one of them hangs, while it does, and while its events wait for
// their next attempts.
func (k kit) goesOnBeside(ctx context.Context, st *drive.Stage) error {
	var all []*drive.Endpoint
	for _, tenant := range []string{"hookassay-a", "hookassay-a", "hookassay-b"} {
		e, err := st.Endpoint(ctx, drive.EndpointSpec{Tenant: tenant})
		if err != nil {
			return err
		}
		all = append(all, e)
	}
	bad, calm := all[0], all[1:]
	before, err := k.emitAside(ctx, st, calm)
	if err != nil {
		return err
	}
	for _, ev := range before { // how long an event takes alone shows only in those that arrive before the trouble begins
		if _, err := st.Await(ctx, ev, margin, outcomes(1)); err != nil {
			return err
		}
	}
	if err := k.hang(ctx, st, bad); err != nil {
		return err
	}
	if _, err := k.emitAside(ctx, st, calm); err != nil {
		return err
	}
	if err := st.Until(ctx, st.Now()+margin); err != nil {
		return err
	}
	_, err = k.emitAside(ctx, st, calm)
	return err
}

// hang emits events that hang at an endpoint, and returns once they do.
func (k kit) hang(ctx context.Context, st *drive.Stage, e *drive.Endpoint) error {
	n := k.stalled()
	es := make([]drive.Emission, n+aside)
	for i := range es {
		p := k.plan("timeout*2, 200")
		if i >= n {
			// These fail at once: some senders hold the others up not while they wait for an answer, but while they wait for their next
			// attempt.
			p = k.plan("503*4, 200")
		}
		es[i] = drive.Emission{Endpoint: e, Type: k.anyType(), Data: order(i), Plan: p}
	}
	evs, err := st.EmitPaced(ctx, time.Millisecond, es)
	if err != nil {
		return err
	}
	_, err = st.Await(ctx, evs[0], k.window(), func(s drive.Seen) bool { return s.Arrivals > 0 })
	return err
}

// emitAside emits events that are answered at once to each of some endpoints.
func (k kit) emitAside(ctx context.Context, st *drive.Stage, calm []*drive.Endpoint) ([]*drive.Event, error) {
	var es []drive.Emission
	for i := range aside {
		for _, e := range calm {
			es = append(es, drive.Emission{Endpoint: e, Type: k.anyType(), Data: order(i), Plan: k.plan("200")})
		}
	}
	return st.EmitPaced(ctx, pace, es)
}

func (k kit) fairConcurrency() drive.Scenario {
	sc := drive.Scenario{
		Name:   "fair/crowded-endpoint",
		Title:  "More events are due at one endpoint than it may get at once, and it takes its time to answer",
		Checks: request("fair.concurrency"),
		Paths:  []drive.Path{drive.First, drive.Burst},
		Watch:  k.window(),
	}
	if k.c.Fairness == nil || k.c.Fairness.PerEndpoint == 0 || k.c.Fairness.PerEndpoint > mostCrowded {
		sc.NotRun = "the contract promises no limit of requests in flight to one endpoint, or one that is too high to be put to the test"
		return sc
	}
	delay := k.unhurried() // which is long enough for all of them to be sent
	sc.Play = afterRush(func(ctx context.Context, st *drive.Stage) error {
		e, err := st.Endpoint(ctx, drive.EndpointSpec{})
		if err != nil {
			return err
		}
		es := make([]drive.Emission, k.c.Fairness.PerEndpoint+crowd)
		for i := range es {
			es[i] = drive.Emission{Endpoint: e, Type: k.anyType(), Data: order(i), Plan: k.plan("200(delay=%s)", delay)}
		}
		_, err = st.EmitPaced(ctx, time.Millisecond, es)
		return err
	})
	return sc
}
