package container

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/testcontainers/testcontainers-go"
	tcnetwork "github.com/testcontainers/testcontainers-go/network"

	"github.com/hookassay/hookassay/harness/sender/process"
)

// defaultGrace is what the engine leaves by itself.
const defaultGrace = 10 * time.Second

// group is a sender: its container, and those beside it.
type group struct {
	engine *Engine
	spec   process.Containers
	sender *box
	beside []*box

	// turn serialises what changes the containers; it is a channel so that a caller can give up waiting.
	turn    chan struct{}
	made    bool // under turn: the containers are there
	network *testcontainers.DockerNetwork

	mu     sync.Mutex
	cancel context.CancelFunc // ends the Start in progress; nil without one
	closed bool
	url    string
}

func newGroup(e *Engine, spec process.Containers, w process.Watcher) *group {
	g := &group{engine: e, spec: spec, turn: make(chan struct{}, 1)}
	if w == nil {
		w = deaf{}
	}
	spec.Sender.Name = cmp.Or(spec.Sender.Name, "sender")
	g.sender = &box{engine: e, spec: spec.Sender, ports: published(spec.Sender, spec.Port), line: w.Line, exited: w.Exited}
	for _, c := range spec.Beside {
		b := &box{engine: e, spec: c, ports: published(c, 0), exited: w.Exited}
		b.line = deaf{}.Line // what a database prints is not what the sender does
		g.beside = append(g.beside, b)
	}
	return g
}

// deaf is the watcher of those who want none.
type deaf struct{}

func (deaf) Line(string, string) {}
func (deaf) Exited(error)        {}

// Start implements process.Runner. The first start makes the containers, their network, and those beside the sender ready.
func (g *group) Start(ctx context.Context) error {
	release, err := g.take(ctx)
	if err != nil {
		return fmt.Errorf("start %s: %w", g.spec.Name, err)
	}
	defer release()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	g.mu.Lock()
	closed := g.closed
	g.cancel = cancel
	g.mu.Unlock()
	defer g.finished()
	switch {
	case closed:
		return fmt.Errorf("start %s: it was closed", g.spec.Name)
	case g.Running():
		return fmt.Errorf("start %s: it is running already", g.spec.Name)
	}
	if err := g.start(ctx); err != nil {
		return fmt.Errorf("start %s: %w", g.spec.Name, err)
	}
	return nil
}

func (g *group) finished() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cancel = nil
}

func (g *group) start(ctx context.Context) error {
	if err := g.make(ctx); err != nil {
		return err
	}
	if err := g.sender.start(ctx); err != nil {
		return err
	}
	at, err := g.sender.address(ctx, g.spec.Port)
	if err != nil {
		err = fmt.Errorf("port %d is not published: %w", g.spec.Port, err)
		return errors.Join(err, g.sender.kill(context.WithoutCancel(ctx)))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.url = "http://" + at + g.spec.BasePath
	return nil
}

// make makes the containers, once; what a failed call has made is gone again.
func (g *group) make(ctx context.Context) error {
	if g.made {
		return nil
	}
	if err := g.build(ctx); err != nil {
		return errors.Join(err, g.remove())
	}
	g.made = true
	return nil
}

func (g *group) build(ctx context.Context) error {
	in := surroundings{networks: g.spec.Networks, host: cmp.Or(g.spec.Host, DefaultHost)}
	if len(g.beside) > 0 {
		var err error
		if g.network, err = tcnetwork.New(ctx); err != nil {
			return fmt.Errorf("make a network: %w", err)
		}
		in.networks = append([]string{g.network.Name}, in.networks...)
	}
	for _, b := range g.beside {
		err := b.create(ctx, in)
		if err == nil {
			err = b.start(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s beside it: %w", b.spec.Name, err)
		}
	}
	return g.sender.create(ctx, in)
}

// Stop implements process.Runner.
func (g *group) Stop(ctx context.Context) error {
	release, err := g.take(ctx)
	if err != nil {
		return fmt.Errorf("stop %s: %w", g.spec.Name, err)
	}
	defer release()
	if err := g.sender.stop(ctx, cmp.Or(g.spec.Grace, defaultGrace)); err != nil {
		return fmt.Errorf("stop %s: %w", g.spec.Name, err)
	}
	return nil
}

// Kill implements process.Runner. It does not wait for a Start in progress, but ends it.
func (g *group) Kill(ctx context.Context) error {
	g.interrupt()
	if err := g.sender.kill(ctx); err != nil {
		return fmt.Errorf("kill %s: %w", g.spec.Name, err)
	}
	return nil
}

func (g *group) interrupt() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cancel != nil {
		g.cancel()
	}
}

// Close implements process.Runner.
func (g *group) Close() error {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.interrupt()
	release, err := g.take(context.Background())
	if err != nil {
		return err
	}
	defer release()
	if err := g.remove(); err != nil {
		return fmt.Errorf("remove the containers of %s: %w", g.spec.Name, err)
	}
	return nil
}

// remove removes all that was made, the network last.
func (g *group) remove() error {
	ctx, cancel := context.WithTimeout(context.Background(), removeWithin)
	defer cancel()
	errs := []error{g.sender.remove(ctx)}
	g.sender.ctr = nil
	for _, b := range g.beside {
		errs = append(errs, b.remove(ctx))
		b.ctr = nil
	}
	if g.network != nil {
		errs = append(errs, g.network.Remove(ctx))
		g.network = nil
	}
	g.made = false
	return errors.Join(errs...)
}

// Running implements process.Runner.
func (g *group) Running() bool { return g.sender.current(false) != nil }

// URL implements process.Runner.
func (g *group) URL() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.Running() {
		return ""
	}
	return g.url
}

func (g *group) take(ctx context.Context) (release func(), err error) {
	select {
	case g.turn <- struct{}{}:
		return func() { <-g.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
