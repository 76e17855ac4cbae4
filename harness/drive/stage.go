package drive

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/sender"
)

// Stage is what a scenario acts on: one sender, and endpoints, secrets and events of its own. Its methods are safe for
// concurrent use. Their errors are harness trouble, a call that the sender refused, or the end of ctx.
type Stage struct {
	p  *player
	sc Scenario
	in *instance
	// name is the scenario's, told apart from that of an earlier play which was interrupted.
	name string
	// watched is when the watching ended.
	watched time.Duration

	mu        sync.Mutex
	endpoints []*Endpoint
	events    []*Event
	traps     int // traps and listeners of its own
	made      int // events that were given a marker
	lastEmit  time.Duration
}

func newStage(p *player, sc Scenario, in *instance) *Stage {
	st := &Stage{p: p, sc: sc, in: in, name: sc.Name}
	if p.reached(sc) == acting {
		st.name += fmt.Sprintf(".again%d", p.before.number)
	}
	return st
}

// Now returns the offset from the start of the run.
func (st *Stage) Now() time.Duration { return st.p.now() }

// Began returns the offset at which the run began, or was gone on with.
func (st *Stage) Began() time.Duration {
	if st.p.before == nil || len(st.p.before.gaps) == 0 {
		return 0
	}
	return st.p.before.gaps[len(st.p.before.gaps)-1].To
}

// Rand returns a source of choices that depends on the run's seed and the scenario's name only.
func (st *Stage) Rand() *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(st.sc.Name)) // a hash never returns an error
	return rand.New(rand.NewPCG(st.p.setup.Header.Seed, h.Sum64()))
}

// Has tells whether the sender's driver has an ability.
func (st *Stage) Has(a sender.Ability) bool { return st.in.Has(a) }

// Until waits for an offset. It returns at once if that has passed.
func (st *Stage) Until(ctx context.Context, at time.Duration) error {
	d := at - st.Now()
	if d <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Await waits until enough was seen of an event, or for at most limit, and tells whether it was. That it was not is no error:
// what a sender leaves undone is for the judge.
func (st *Stage) Await(ctx context.Context, ev *Event, limit time.Duration, enough func(Seen) bool) (bool, error) {
	if ev.Refused {
		return false, context.Cause(ctx)
	}
	return st.p.board.await(ctx, seenKey{ev.Endpoint.Name, ev.Marker}, limit, enough)
}

func absent(a sender.Ability) error {
	return fmt.Errorf("the scenario uses ability %q and does not list it among its needs", a)
}
