package mockreceiver

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

const (
	// upAgain is how often a port is tried that somebody else has taken meanwhile.
	upAgain = 10 * time.Millisecond
	// upLate is how long that may take before it is said.
	upLate = time.Second
)

// downtime is whether a listener is down.
type downtime struct {
	mu    sync.Mutex
	open  []net.Listener // what it accepts from; none while it is down
	addrs []net.Addr     // of all that it accepts from while it is up
	since time.Duration  // offset at which it went down; 0: it is up
	step  string         // of its plan by which it did; empty: Down
	timer *time.Timer    // brings it up; nil: nothing does
}

func (d *downtime) add(nl net.Listener) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open, d.addrs = append(d.open, nl), append(d.addrs, nl.Addr())
}

// Down takes a listener down: connections are refused, and those in the system's queue are reset. Those that were accepted
// live on. An empty name is the first listener's. It does nothing to one that is down.
func (r *Receiver) Down(name string) error {
	l := r.listeners.named(name)
	if l == nil {
		return unknownListenerError(name)
	}
	return l.goDown(fault.Refuse{}, "")
}

// IsDown tells whether a listener is down; false for one that is not there.
func (r *Receiver) IsDown(name string) bool {
	l := r.listeners.named(name)
	if l == nil {
		return false
	}
	l.down.mu.Lock()
	defer l.down.mu.Unlock()
	return l.down.since != 0
}

// Up brings a listener up again, on the same port. It does nothing to one that is up. It waits for a port that somebody else
// has taken meanwhile, until ctx ends.
func (r *Receiver) Up(ctx context.Context, name string) error {
	l := r.listeners.named(name)
	if l == nil {
		return unknownListenerError(name)
	}
	return l.comeUp(ctx)
}

// refuseNext goes down if the plan's next step wants that.
func (l *listener) refuseNext() {
	steps := l.plan.Load()
	if steps == nil {
		return
	}
	if f, ok := steps.refusal(); ok {
		if err := l.goDown(f, f.String()); err != nil {
			l.r.trouble("", "step "+f.String()+": "+err.Error())
		}
	}
}

func (l *listener) goDown(f fault.Refuse, step string) error {
	if l.addr.Network() != "tcp" {
		return fmt.Errorf("listener %q: is no TCP listener and could not come up again", l.Name)
	}
	d := &l.down
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.since != 0 {
		return nil
	}
	d.since, d.step = max(l.r.now(), 1), step
	closeAll(d.open)
	d.open = nil
	if f.For > 0 {
		d.timer = time.AfterFunc(f.For, l.comeUpByItself)
	}
	return nil
}

// comeUpByItself ends a refusal that lasts for a time.
func (l *listener) comeUpByItself() {
	if !l.r.begin(&l.r.carried) {
		return
	}
	defer l.r.carried.Done()
	if err := l.comeUp(l.r.ctx); err != nil && l.r.ctx.Err() == nil {
		l.r.trouble("", "bring a listener up: "+err.Error())
	}
}

func (l *listener) comeUp(ctx context.Context) error {
	d := &l.down
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.since == 0 {
		return nil
	}
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	var list []net.Listener
	for _, addr := range d.addrs {
		nl, err := l.listenAgain(ctx, addr)
		if err != nil {
			closeAll(list)
			return fmt.Errorf("listener %q: %w", l.Name, err)
		}
		list = append(list, &closedOnce{Listener: nl})
	}
	l.r.closing.RLock()
	defer l.r.closing.RUnlock()
	if l.r.ctx.Err() != nil {
		closeAll(list)
		return errClosed
	}
	l.wasDown()
	d.open = list
	for _, nl := range list {
		l.r.serve(l.r.data, wireListener{Listener: nl, of: l})
	}
	return nil
}

// listenAgain takes the port again, which somebody else may have taken for a moment.
func (l *listener) listenAgain(ctx context.Context, addr net.Addr) (net.Listener, error) {
	began, said := time.Now(), false
	tick := time.NewTicker(upAgain)
	defer tick.Stop()
	for {
		nl, err := l.r.cfg.Network.Listen(ctx, "tcp", addr.String())
		if err == nil {
			return nl, nil
		}
		if !said && time.Since(began) > upLate {
			said = true
			l.r.trouble("", fmt.Sprintf("listener %q stays down longer than planned: %v", l.Name, err))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, err
		case <-l.r.ctx.Done():
			return nil, err
		}
	}
}

// wasDown records the time of refusal that ends now. l.down.mu is held.
func (l *listener) wasDown() {
	d := &l.down
	l.r.commits.later("", &evidence.Connection{
		Listener: l.Name, Local: l.addr.String(), Fault: d.step, Opened: d.since, Closed: l.r.now(), End: evidence.EndRefused,
	})
	d.since, d.step = 0, ""
}

// stop ends what would bring the listener up, and records a refusal that lasts to the end.
func (l *listener) stop() {
	d := &l.down
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer != nil {
		d.timer.Stop()
	}
	if d.since != 0 {
		l.wasDown()
	}
}

func (s *listeners) stop() {
	for _, l := range s.all() {
		l.stop()
	}
}
