package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/hookassay/hookassay/harness/sender"
)

// pingError is an answer to a ping that is no sign of life.
type pingError struct {
	what string
	said bool // by the shim, which knows that it cannot answer; else it is not understood
}

// Error is one sentence.
func (e *pingError) Error() string {
	return `the shim declares ping, and ` + e.what + `; answer it with {"id":…,"result":{}} at once, or leave it out of hello's abilities`
}

// ping asks the shim for a sign of life. The error is a pingError if an answer came that is none.
func (s *shim) ping(ctx context.Context) error {
	a, err := s.exchange(ctx, "ping", struct{}{})
	switch {
	case err != nil:
		return err
	case a.Error != nil:
		return &pingError{"says: " + clip(*a.Error), true}
	case a.Refused != nil:
		return &pingError{"refuses it: " + clip(*a.Refused), false}
	case decode(a.Result, &struct{}{}) != nil:
		return &pingError{"answers it with another result than {}: " + clip(string(a.Result)), false}
	}
	return nil
}

// tryPing shows before anything is played whether a shim that declares ping answers it.
func (i *instance) tryPing(ctx context.Context) error {
	if !i.Has(sender.CanPing) {
		return nil
	}
	ctx, cancel := i.inTime(ctx)
	defer cancel()
	return i.secrets.Wrap(i.ping(ctx))
}

// pings are those to one process. No more than one is open, so that they hold up nothing, and a shim that stands still finds no heap of them.
type pings struct {
	shim *shim
	open chan error // of the one that is open; nil: none is
	deaf bool       // its answers are not understood, and say nothing
}

// ask is for sender.Probe. A ping that is open when ctx ends is the next one's.
func (p *pings) ask(ctx context.Context) bool {
	if p.deaf {
		return false
	}
	if p.open == nil {
		open := make(chan error, 1) // whoever answers must not wait
		p.open = open
		go func() { open <- p.shim.ping(context.Background()) }() // ends with the answer, or the process
	}
	select {
	case err := <-p.open:
		p.open = nil
		if e, ok := errors.AsType[*pingError](err); ok {
			p.deaf = !e.said
			p.shim.note(e)
		}
		return err == nil
	case <-ctx.Done():
		return false
	}
}

// note tells people once what the answers to pings lack.
func (s *shim) note(e *pingError) {
	s.noted.Do(func() {
		if n, ok := s.watcher.(sender.Noter); ok {
			n.Noticed(s.secrets.Clean(fmt.Sprintf("ping: %s; how late it is is not measured meanwhile", e)))
		}
	})
}
