package selftest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Job is one play of a row.
type Job struct {
	Row  Row    `json:"row"`
	Seed uint64 `json:"seed"`
	// Select lists the scenarios to play; empty is all.
	Select []string `json:"select,omitempty"`
	// Unloaded leaves out the load, and OnlyLoad all else.
	Unloaded bool `json:"unloaded,omitempty"`
	OnlyLoad bool `json:"only_load,omitempty"`
	// AcceptanceEvents is how many events the load has; 0 is the contract's sample.
	AcceptanceEvents int `json:"acceptance_events,omitempty"`
	// Dir is a folder for what the play records. It exists.
	Dir string `json:"dir"`
}

// Player plays one row. The error is trouble of the player, not of the sender.
type Player func(context.Context, Job) (Played, error)

// Config says what to play, and who plays it. Everything is required but Progress.
type Config struct {
	Rows []Row
	Seed uint64
	// Whole tells that Rows are all of them.
	Whole bool
	// AcceptanceEvents is how many events the load has for a sender or receiver with a defect; 0 is the contract's sample. The correct
	// one gets the sample always, since with less its promise of a delivery rate could not be seen to be kept, and so does a row of a load
	// alone; its variants get no load, in which a difference shows no better.
	AcceptanceEvents int
	// Dir makes the folder for one play of a row.
	Dir func(Row, string) (string, error)
	// Virtual plays whole rows on virtual time, Computing at once: these use the processor all the time.
	Virtual   Player
	Computing int
	// Processes plays what is left, by the contract in five seconds, Waiting at once: these mostly wait.
	Processes Player
	Waiting   int
	// Now is the clock, for how long things took.
	Now func() time.Time
	// Progress is told of each row that is done, from one goroutine at a time.
	Progress func(f Found, done, all int)
}

// Run plays all rows side by side and returns the matrix. It ends early, with an error, when ctx does.
func Run(ctx context.Context, cfg Config) (*Matrix, error) {
	m := &Matrix{
		Schema: Schema, Complete: cfg.Whole, Seed: cfg.Seed, Started: cfg.Now(),
		Contracts: Contracts(), Checks: columns(), Rows: make([]Found, len(cfg.Rows)),
	}
	computing, waiting := make(chan struct{}, cfg.Computing), make(chan struct{}, cfg.Waiting)
	var mu sync.Mutex
	var wg sync.WaitGroup
	done := 0
	for _, i := range longestFirst(cfg.Rows) {
		computing <- struct{}{}
		wg.Go(func() {
			f := cfg.row(ctx, cfg.Rows[i], computing, waiting)
			mu.Lock()
			defer mu.Unlock()
			m.Rows[i] = f
			if done++; cfg.Progress != nil && ctx.Err() == nil { // what an end cut short says nothing
				cfg.Progress(f, done, len(cfg.Rows))
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("self-test: %w", context.Cause(ctx))
	}
	m.Seconds = cfg.Now().Sub(m.Started).Seconds()
	m.sum()
	return m, nil
}

// longestFirst returns the places of the rows in the order in which they begin: their own, but for the silent sender. Nothing of what is
// waited for comes from it, so that all would wait for it if it began last.
func longestFirst(rows []Row) []int {
	var first, rest []int
	for i, r := range rows {
		if r.Kind == Silent {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(first, rest...)
}

// row plays one row: on virtual time what can be, and in processes what is left. It gives back its place in computing.
func (cfg Config) row(ctx context.Context, r Row, computing <-chan struct{}, waiting chan struct{}) Found {
	began := cfg.Now()
	first, err := cfg.play(ctx, r, "virtual", cfg.Virtual, nil)
	<-computing
	if err != nil {
		return Judge(r, cfg.Now().Sub(began)).troubled(err)
	}
	if len(first.Unplayed) == 0 {
		return Judge(r, cfg.Now().Sub(began), first)
	}
	waiting <- struct{}{}
	defer func() { <-waiting }()
	second, err := cfg.play(ctx, r, "processes", cfg.Processes, first.Unplayed)
	f := Judge(r, cfg.Now().Sub(began), first, second)
	if err != nil {
		return f.troubled(err)
	}
	return f
}

func (cfg Config) play(ctx context.Context, r Row, how string, p Player, some []string) (Played, error) {
	if ctx.Err() != nil {
		return Played{}, context.Cause(ctx)
	}
	dir, err := cfg.Dir(r, how)
	if err != nil {
		return Played{}, err
	}
	j := Job{Row: r, Seed: cfg.Seed, Select: slices.Clone(some), Dir: dir}
	switch r.Kind {
	case Defect, Silent, Receiver:
		if j.OnlyLoad = r.Load; !r.Load {
			j.AcceptanceEvents = cfg.AcceptanceEvents
		}
	case Variant:
		j.Unloaded = true
	case Correct:
	}
	return p(ctx, j)
}

// troubled is the row when a play of it was not possible.
func (f Found) troubled(err error) Found {
	f.Result, f.Why = Trouble, err.Error()
	return f
}
