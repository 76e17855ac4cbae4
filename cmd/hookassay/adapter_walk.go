package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/hookassay/hookassay/harness/sender"
)

// walk tries the chain and says of each link whether it holds. The broken one is named as soon as it is known, and what was started
// is ended after that: to remove containers takes seconds on a busy machine.
func (c *chain) walk(ctx context.Context, s streams) error {
	t := &tale{out: s.text(), link: linkReachable}
	err := c.open(ctx)
	if err == nil {
		err = c.inTime(ctx, t)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx) // somebody wants an end, which says nothing of the links
	}
	named := t.breaks(err)
	left := c.close()
	switch {
	case !named:
		return errors.Join(err, left)
	case left != nil:
		fmt.Fprintln(s.err, "hookassay: clean up:", left)
	}
	return verdictError{1}
}

// preparer is a launcher that has images to fetch or to build, which is not counted as a part of the walk.
type preparer interface {
	Prepare(ctx context.Context) error
}

// open makes the launcher and the images that it needs.
func (c *chain) open(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "hookassay-")
	if err != nil {
		return err
	}
	c.opened = append(c.opened, func() error { return os.RemoveAll(dir) })
	if c.launcher, err = c.newLauncher(ctx, dir); err != nil {
		return err
	}
	p, ok := c.launcher.(preparer)
	if !ok {
		return nil
	}
	defer c.pace.pause()()
	if err := p.Prepare(ctx); err != nil {
		return &linkError{linkReachable, err}
	}
	return nil
}

func (c *chain) newLauncher(ctx context.Context, dir string) (sender.Launcher, error) {
	ctx, cancel := c.pace.bound(ctx)
	defer cancel()
	engine, end, err := containersOf(ctx, c.driver)
	if err != nil {
		return nil, err
	}
	c.opened = append(c.opened, end)
	l, err := c.driver.launcher(ctx, driverOptions{contract: c.contract, vars: c.vars, dir: dir, calls: c.pace.call(), engine: engine})
	if _, ok := c.driver.(shimDriver); ok && err != nil { // it was started, and asked what it is
		return nil, &linkError{linkReachable, err}
	}
	return l, err
}

// inTime walks the links, and says of one that does not come to an end even when it is told to that it is the broken one.
func (c *chain) inTime(ctx context.Context, t *tale) error {
	ctx, cancel := c.pace.bound(ctx)
	defer cancel()
	walked := make(chan error, 1)
	go func() { walked <- c.links(ctx, t) }()
	last := c.pace.last()
	defer last.Stop()
	select {
	case err := <-walked:
		return err
	case <-last.C:
		err := &linkError{t.tried(), outOfTimeError{c.pace.within}}
		t.breaks(err)
		cancel()
		return errors.Join(err, <-walked) // what it has started is known once it is back
	}
}

// close undoes what the walk has done, the last first.
func (c *chain) close() error {
	var errs []error
	for _, end := range slices.Backward(c.opened) {
		errs = append(errs, end())
	}
	return errors.Join(errs...)
}

// tale is what is told of the links. It is safe for concurrent use; what comes after the broken one is not told.
type tale struct {
	out io.Writer

	mu   sync.Mutex
	link string // that is being tried
	over bool
}

func (t *tale) tries(link string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.link = link
}

func (t *tale) tried() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.link
}

func (t *tale) holds(link, what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		fmt.Fprintf(t.out, "ok      %-11s %s\n", link, what)
	}
}

// breaks names the broken link, once; false if err is of no link.
func (t *tale) breaks(err error) bool {
	b, ok := errors.AsType[*linkError](err)
	if !ok {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		fmt.Fprintf(t.out, "BROKEN  %-11s %s\n", b.link, strings.Join(strings.Fields(b.err.Error()), " "))
	}
	t.over = true
	return true
}
