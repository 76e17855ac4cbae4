package drive

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Stage is what a scenario acts on: one sender, and endpoints, secrets and events of its own. Its methods are safe for
// concurrent use. Their errors are harness trouble, a call that the sender refused, or the end of ctx.
type Stage struct {
	p  *player
	sc Scenario
	in *instance
	// watched is when the watching ended.
	watched time.Duration

	mu        sync.Mutex
	endpoints []*Endpoint
	events    []*Event
	lastEmit  time.Duration
}

// Endpoint is a URL of the mock receiver that the sender delivers to.
type Endpoint struct {
	Name string // unique in the run
	URL  string
	ID   string // the sender's
}

// Emission is an event to be emitted.
type Emission struct {
	Endpoint *Endpoint
	Type     string
	Data     json.RawMessage // an object; the marker is added to it
	Plan     fault.Plan      // what the receiver does with its requests
}

// Event is an event that the sender accepted.
type Event struct {
	Emission
	Marker string
	ID     string // as the sender returned it
	Object string // the business object behind it
}

func newStage(p *player, sc Scenario, in *instance) *Stage { return &Stage{p: p, sc: sc, in: in} }

// Now returns the offset from the start of the run.
func (st *Stage) Now() time.Duration { return st.p.now() }

// Rand returns a source of choices that depends on the run's seed and the scenario's name only.
func (st *Stage) Rand() *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(st.sc.Name)) // a hash never returns an error
	return rand.New(rand.NewPCG(st.p.setup.Header.Seed, h.Sum64()))
}

// Has tells whether the sender's driver has an ability.
func (st *Stage) Has(a sender.Ability) bool { return st.in.Has(a) }

// Endpoint makes an endpoint with a secret of its own and registers it with the sender.
func (st *Stage) Endpoint(ctx context.Context) (*Endpoint, error) {
	st.mu.Lock()
	name := strings.ReplaceAll(st.sc.Name, "/", ".")
	if n := len(st.endpoints); n > 0 {
		name = fmt.Sprintf("%s.%d", name, n+1)
	}
	e := &Endpoint{Name: name}
	st.endpoints = append(st.endpoints, e)
	st.mu.Unlock()

	url, err := st.p.receiver.AddEndpoint(mockreceiver.Endpoint{Name: name, Scenario: st.sc.Name, Plan: fault.OK()})
	if err != nil {
		return nil, err
	}
	e.URL = url
	secret := newSecret()
	from := st.Now()
	a := &evidence.Act{Act: evidence.ActRegister, Scenario: st.sc.Name, Instance: st.in.name, Endpoint: name}
	err = st.p.act(a, func() error {
		reg, err := st.in.RegisterEndpoint(ctx, sender.Endpoint{Name: name, URL: url, Secret: secret})
		if err == nil && reg.Secret != "" {
			secret = reg.Secret
		}
		e.ID = reg.ID
		return err
	})
	st.p.add(&evidence.Endpoint{
		Name: name, Scenario: st.sc.Name, URL: url, SenderID: e.ID,
		Secrets: []evidence.Secret{{Value: secret, From: from}},
	})
	return e, err
}

// Emit makes the sender accept one event. The plan is in place before the call, since the first attempt can beat its answer.
func (st *Stage) Emit(ctx context.Context, e Emission) (*Event, error) {
	st.mu.Lock()
	ev := &Event{Emission: e, Marker: newMarker(st.p.setup.Header.Seed, st.sc.Name, len(st.events))}
	ev.Object = "object_" + ev.Marker
	st.events = append(st.events, ev)
	st.mu.Unlock()

	data, err := mark(e.Data, ev.Marker)
	if err != nil {
		return nil, err
	}
	if err := st.p.receiver.SetPlan(e.Endpoint.Name, ev.Marker, e.Plan); err != nil {
		return nil, err
	}
	a := &evidence.Act{
		Act: evidence.ActEmit, Scenario: st.sc.Name, Instance: st.in.name, Endpoint: e.Endpoint.Name,
		Marker: ev.Marker, Type: e.Type, Data: evidence.Raw(data),
	}
	err = st.p.act(a, func() error {
		got, err := st.in.Emit(ctx, sender.Event{Type: e.Type, Data: data, Endpoint: e.Endpoint.ID, Object: ev.Object})
		ev.ID, a.Event = got.ID, got.ID
		return err
	})
	if err != nil {
		return nil, err
	}
	st.mu.Lock()
	st.lastEmit = max(st.lastEmit, a.Returned)
	st.mu.Unlock()
	st.p.tell(func(pr *Progress) { pr.Emitted++ })
	return ev, nil
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

// Until waits for an offset. It returns at once if that has passed.
func (st *Stage) Until(ctx context.Context, at time.Duration) error {
	d := at - st.Now()
	if d <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Await waits until enough was seen of an event, or for at most limit, and tells whether it was. That it was not is no error:
// what a sender leaves undone is for the judge.
func (st *Stage) Await(ctx context.Context, ev *Event, limit time.Duration, enough func(Seen) bool) (bool, error) {
	return st.p.board.await(ctx, seenKey{ev.Endpoint.Name, ev.Marker}, limit, enough)
}

// Replan changes what the receiver does with the further requests of an event.
func (st *Stage) Replan(ev *Event, plan fault.Plan) error {
	a := st.about(evidence.ActReplan, ev)
	a.Note = plan.String()
	return st.p.act(a, func() error { return st.p.receiver.SetPlan(ev.Endpoint.Name, ev.Marker, plan) })
}

// Change changes the business object behind an event, so that a payload made from it again would differ.
func (st *Stage) Change(ctx context.Context, ev *Event, data json.RawMessage) error {
	c, ok := st.in.Instance.(sender.ObjectChanger)
	if !ok {
		return absent(sender.CanChangeObject)
	}
	data, err := mark(data, ev.Marker)
	if err != nil {
		return err
	}
	a := st.about(evidence.ActChange, ev)
	a.Data = evidence.Raw(data)
	return st.p.act(a, func() error { return c.ChangeObject(ctx, ev.Object, data) })
}

// Replay asks the sender to deliver an event once more. That it refuses is recorded, and no error.
func (st *Stage) Replay(ctx context.Context, ev *Event, reason string) error {
	r, ok := st.in.Instance.(sender.Replayer)
	if !ok {
		return absent(sender.CanReplay)
	}
	a := st.about(evidence.ActReplay, ev)
	a.Note = reason
	_ = st.p.act(a, func() error { return r.Replay(ctx, ev.delivery(), reason) })
	return context.Cause(ctx)
}

func (st *Stage) about(kind evidence.ActKind, ev *Event) *evidence.Act {
	return &evidence.Act{
		Act: kind, Scenario: st.sc.Name, Instance: st.in.name,
		Endpoint: ev.Endpoint.Name, Marker: ev.Marker, Event: ev.ID,
	}
}

func (ev *Event) delivery() sender.Delivery {
	return sender.Delivery{Event: ev.ID, Endpoint: ev.Endpoint.ID}
}

func absent(a sender.Ability) error {
	return fmt.Errorf("the scenario uses ability %q and does not list it among its needs", a)
}
