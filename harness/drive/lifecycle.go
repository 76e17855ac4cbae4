package drive

import (
	"context"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Kill ends the sender's process with SIGKILL and waits for its end.
func (st *Stage) Kill(ctx context.Context) error {
	return st.process(ctx, evidence.ActKill, st.in.Kill)
}

// Stop ends the sender's process gracefully and waits for its end.
func (st *Stage) Stop(ctx context.Context) error {
	return st.process(ctx, evidence.ActStop, st.in.Stop)
}

// Start starts the sender's process again and waits until it is ready.
func (st *Stage) Start(ctx context.Context) error {
	return st.process(ctx, evidence.ActStart, func(ctx context.Context) error {
		st.in.begun()
		return st.in.Start(ctx)
	})
}

func (st *Stage) process(ctx context.Context, kind evidence.ActKind, do func(context.Context) error) error {
	a := &evidence.Act{Act: kind, Scenario: st.sc.Name, Instance: st.in.name}
	return st.p.act(a, func() error { return do(ctx) })
}
