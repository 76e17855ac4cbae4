package mockreceiver

import (
	"fmt"
	"sync"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// connSteps is a plan for connections with the place that was reached.
type connSteps struct {
	mu   sync.Mutex
	plan fault.ConnPlan
	n    int // steps that were used
}

// SetConnPlan sets how the connections of a listener begin, counted from now; an empty name is the first listener's.
func (r *Receiver) SetConnPlan(name string, p fault.ConnPlan) error {
	l := r.listeners.named(name)
	if l == nil {
		return unknownListenerError(name)
	}
	if err := l.setPlan(p); err != nil {
		return fmt.Errorf("set the plan of listener %q: %w", name, err)
	}
	l.refuseNext()
	return nil
}

func (l *listener) setPlan(p fault.ConnPlan) error {
	tls, http2, step := p.Needs()
	switch {
	case tls && l.TLS == nil:
		return fmt.Errorf("step %s needs TLS, which the listener does not speak", step)
	case http2 && !l.HTTP2:
		return fmt.Errorf("step %s needs HTTP/2, which the listener does not offer", step)
	}
	if p.IsZero() {
		l.plan.Store(nil)
		return nil
	}
	l.plan.Store(&connSteps{plan: p})
	return nil
}

// opening is how a connection that was just accepted begins. The listener goes down where the next step wants that.
func (l *listener) opening(c *wireConn) fault.Opening {
	steps := l.plan.Load()
	if steps == nil {
		return fault.Opening{}
	}
	f, n := steps.next()
	if f != fault.ConnFault(fault.NoFault{}) {
		c.step = f.String()
	}
	l.refuseNext()
	return f.Open(draw(l.r.cfg.Seed, n, "listener "+l.Name))
}

// next uses the next step for a connection that was accepted, and so was not refused.
func (s *connSteps) next() (fault.ConnFault, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		s.n++
		f := s.plan.Step(s.n)
		if _, refuses := f.(fault.Refuse); !refuses {
			return f, s.n
		}
		if s.n > len(s.plan.Steps) {
			return fault.NoFault{}, s.n
		}
	}
}

// refusal uses the refusals that come next. ok is false if there are none.
func (s *connSteps) refusal() (first fault.Refuse, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		f, refuses := s.plan.Step(s.n + 1).(fault.Refuse)
		if !refuses {
			return first, ok
		}
		switch {
		case !ok:
			first, ok = f, true
		case first.For > 0 && f.For > 0:
			first.For += f.For
		default:
			first.For = 0 // until it is brought up
		}
		if s.n >= len(s.plan.Steps) {
			return first, ok // the last step comes again, after the next connection
		}
		s.n++
	}
}
