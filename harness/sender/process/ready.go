package process

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// awaitReady waits until r is ready, and ends it where it does not get there.
func (p *Process) awaitReady(ctx context.Context, r *run) error {
	limit := time.NewTimer(p.spec.ReadyTimeout)
	defer limit.Stop()
	var why string
	var cause error
	select {
	case <-r.ready:
		if p.markStarted(r) {
			return nil
		}
		<-r.done
		why = "ended right after it was ready (" + r.exit.String() + ")"
	case <-r.done:
		why = "ended before it was ready (" + r.exit.String() + ")"
	case <-limit.C:
		why = fmt.Sprintf("printed no line that says ready within %s", p.spec.ReadyTimeout)
	case <-ctx.Done():
		why, cause = "was not ready yet", ctx.Err()
		if words := context.Cause(ctx); errors.Is(words, cause) {
			cause = words // the caller's, who knows why its time is so short
		}
	}
	if err := p.end(context.WithoutCancel(ctx), r); err != nil {
		cause = errors.Join(cause, err)
	}
	return &notReadyError{
		command: commandText(p.spec.Command), pattern: p.spec.Ready, why: why, tail: r.tail.String(), cause: cause,
	}
}

// markStarted makes an end of r from now on an unexpected one. It returns false if r has ended already.
func (p *Process) markStarted(r *run) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.ended {
		return false
	}
	r.started = true
	return true
}
