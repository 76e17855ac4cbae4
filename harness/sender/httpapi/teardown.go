package httpapi

import (
	"context"
	"fmt"
	"sync"
)

// ending counts those who share a sender, so that it is torn down once.
type ending struct {
	mu    sync.Mutex
	users int
	done  bool
}

func (e *ending) join() {
	e.mu.Lock()
	e.users++
	e.mu.Unlock()
}

// leave tells whether the caller was the last.
func (e *ending) leave() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.users--
	if e.users > 0 || e.done {
		return false
	}
	e.done = true
	return true
}

func (e *ending) over() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.done
}

// tearDown is the op teardown, done once, while the sender still runs. One that does not run any more, or was never set up, has
// nothing to tear down.
func (i *instance) tearDown() error {
	if !i.end.leave() || i.adapter.teardown == nil || i.proc != nil && !i.proc.Running() || i.adapter.setup != nil && i.setup == nil {
		return nil
	}
	base, err := i.baseURL()
	if err != nil {
		return fmt.Errorf("teardown: %w", err)
	}
	// The run may have been interrupted: what it made is to be cleared away all the same, within the limit of a call.
	_, _, err = i.do(context.Background(), base, i.adapter.teardown, "teardown", nil)
	return err
}
