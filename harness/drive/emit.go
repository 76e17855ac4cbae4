package drive

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Emission is an event to be emitted.
type Emission struct {
	// Endpoint is whom it is for. Nil leaves that to the sender: all endpoints whose tenant, environment and filter match.
	Endpoint    *Endpoint
	Tenant      string
	Environment string
	Type        string
	Data        json.RawMessage // an object; the marker is added to it
	// Object names the business object that several events of the scenario are about; empty is one of the event's own.
	Object string
	Plan   fault.Plan // what the receiver does with its requests
	// At holds what it does at single endpoints instead, for an event that goes to several.
	At map[*Endpoint]fault.Plan
}

// Event is an event that the sender accepted, or refused.
type Event struct {
	Emission
	Marker string
	ID     string // as the sender returned it
	About  string // the business object behind it
	// Accepted is when the sender's answer was there.
	Accepted time.Duration
	// Refused tells that the sender takes no event just now. Nothing will come of it: what a scenario then asks of the event is
	// left undone.
	Refused bool
}

// Emit makes the sender accept one event. That it refuses is recorded, and no error. The plan is in place before the call, since the first attempt can beat its answer.
func (st *Stage) Emit(ctx context.Context, e Emission) (*Event, error) {
	ev, err := st.newEvent(e)
	if err != nil {
		return nil, err
	}
	a := st.emission(evidence.ActEmit, ev)
	err = st.p.act(a, func() error {
		got, err := st.in.Emit(ctx, ev.event())
		ev.ID, a.Event = got.ID, got.ID
		return err
	})
	ev.Refused = errors.Is(err, sender.ErrRefused)
	if err != nil && !ev.Refused {
		return nil, err
	}
	st.mu.Lock()
	st.lastEmit = max(st.lastEmit, a.Returned)
	if ev.Refused {
		st.mu.Unlock()
		return ev, nil
	}
	ev.Accepted = a.Returned
	st.events = append(st.events, ev)
	st.mu.Unlock()
	st.p.tell(func(pr *Progress) { pr.Emitted++ })
	return ev, nil
}

// EmitRolledBack makes the business change behind an event and has it rolled back.
func (st *Stage) EmitRolledBack(ctx context.Context, e Emission) error {
	r, ok := st.in.Instance.(sender.RolledBackEmitter)
	if !ok {
		return absent(sender.CanRollBack)
	}
	ev, err := st.newEvent(e)
	if err != nil {
		return err
	}
	a := st.emission(evidence.ActEmitRolledBack, ev)
	err = st.p.act(a, func() error { return r.EmitRolledBack(ctx, ev.event()) })
	st.mu.Lock()
	st.lastEmit = max(st.lastEmit, a.Returned)
	st.mu.Unlock()
	return err
}

// newEvent marks an event and puts its plan in place.
func (st *Stage) newEvent(e Emission) (*Event, error) {
	st.mu.Lock()
	ev := &Event{Emission: e, Marker: newMarker(st.p.setup.Header.Seed, st.name, st.made)}
	st.made++
	at := []*Endpoint{e.Endpoint}
	if e.Endpoint == nil {
		at = append(at[:0], st.endpoints...)
	}
	st.mu.Unlock()
	ev.About = "object_" + ev.Marker
	if e.Object != "" {
		ev.About = "object_" + st.name + "_" + e.Object
	}
	data, err := mark(e.Data, ev.Marker)
	if err != nil {
		return nil, err
	}
	ev.Data = data
	for _, to := range at {
		p, ok := e.At[to]
		if !ok {
			p = e.Plan
		}
		if err := st.p.receiver.SetPlan(to.Name, ev.Marker, p); err != nil {
			return nil, err
		}
	}
	return ev, nil
}

func (st *Stage) emission(kind evidence.ActKind, ev *Event) *evidence.Act {
	a := st.about(kind, ev)
	e := ev.event()
	if ev.Object != "" {
		a.Object = ev.About
	}
	a.Type, a.Tenant, a.Environment, a.Data = ev.Type, e.Tenant, e.Environment, evidence.Raw(ev.Data)
	return a
}

func (ev *Event) event() sender.Event {
	e := sender.Event{Type: ev.Type, Data: ev.Data, Tenant: ev.Tenant, Environment: ev.Environment, Object: ev.About}
	if ev.Endpoint != nil {
		e.Endpoint = ev.Endpoint.ID
		if e.Tenant == "" {
			e.Tenant, e.Environment = ev.Endpoint.Tenant, ev.Endpoint.Environment
		}
	}
	return e
}

// inFlight bounds how many emits wait for their answers at once: enough to keep a pace of a few milliseconds with a sender
// that takes tens of them, few enough not to be a load test of its own.
const inFlight = 16

// EmitPaced emits one event each pace, in order, and returns when all are answered. Unpaced, a burst of emits would delay the
// sender's own waits.
func (st *Stage) EmitPaced(ctx context.Context, pace time.Duration, es []Emission) ([]*Event, error) {
	evs := make([]*Event, len(es))
	errs := make([]error, len(es))
	slots := make(chan struct{}, inFlight)
	start := st.Now()
	var wg sync.WaitGroup
	for i, e := range es {
		if err := st.Until(ctx, start+time.Duration(i)*pace); err != nil {
			break
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			evs[i], errs[i] = st.Emit(ctx, e)
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return evs, nil
}
