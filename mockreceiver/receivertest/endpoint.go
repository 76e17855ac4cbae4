package receivertest

import (
	"context"
	"time"
)

// Endpoint is a URL where events land. Its methods end the test where they cannot do what they are asked.
type Endpoint struct {
	URL  string
	Name string
	r    *Receiver
}

// Event is one event at an endpoint.
type Event struct {
	Key      string // see Endpoint.Event
	endpoint *Endpoint
}

// Event is the event of that key: the marker in its payload (evidence.MarkerPrefix), else its id, else the SHA-256 of its body.
// Nothing of it needs to have come yet.
func (e *Endpoint) Event(key string) *Event { return &Event{Key: key, endpoint: e} }

// Plan gives the event a plan of its own, from its next attempt on. Set it before the event is sent.
func (v *Event) Plan(plan string) {
	e := v.endpoint
	e.r.t.Helper()
	if err := e.r.Mock.SetPlan(e.Name, v.Key, e.r.plan(plan)); err != nil {
		e.r.t.Fatalf("%v", err)
	}
}

// Wait returns when n requests have taken a step of a plan and are over, with all that was received till then: the sender's
// attempts, and what its HTTP library sends a second time by itself (journal.TransportReplay; History.Sent leaves it out). A
// request that the plan lets hang is over when the sender gives up. The test ends if that takes longer than the receiver's
// Patience.
func (e *Endpoint) Wait(n int) History { e.r.t.Helper(); return e.feed().must(n) }

// WaitFor is Wait with a context in place of the receiver's patience, and an error in place of the test's end. It may be called
// from any goroutine.
func (e *Endpoint) WaitFor(ctx context.Context, n int) (History, error) { return e.feed().wait(ctx, n) }

// Settled returns when nothing new came for quiet, from the call on, and no request is open: then nothing more is on its way,
// unless the sender waits for longer than that. The test ends if that takes longer than the receiver's Patience and quiet.
func (e *Endpoint) Settled(quiet time.Duration) History {
	e.r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), e.r.Patience+quiet)
	defer cancel()
	settled, err := e.r.Mock.WaitSettled(ctx, e.Name, quiet)
	if err != nil {
		e.r.t.Fatalf("%v", err)
	}
	h := e.Attempts()
	if !settled {
		e.r.t.Fatalf("waited %s for %s to be settled, and it is not%s", e.r.Patience+quiet, e.Name, h.listed())
	}
	return h
}

// Attempts is what was received so far, without waiting. It fits Gomega's Eventually: Eventually(hook.Attempts).Should(…).
func (e *Endpoint) Attempts() History { e.r.t.Helper(); return e.feed().mustRead() }

// Reset makes the endpoint as new: what it received, its business rows and the plans of its events are gone.
func (e *Endpoint) Reset() {
	e.r.t.Helper()
	if err := e.r.Mock.ResetEndpoint(context.Background(), e.Name); err != nil {
		e.r.t.Fatalf("%v", err)
	}
}

// Wait is Endpoint.Wait for the attempts of this event.
func (v *Event) Wait(n int) History { v.endpoint.r.t.Helper(); return v.feed().must(n) }

// WaitFor is Endpoint.WaitFor for the attempts of this event.
func (v *Event) WaitFor(ctx context.Context, n int) (History, error) { return v.feed().wait(ctx, n) }

// Attempts is what was received of this event so far, without waiting.
func (v *Event) Attempts() History { v.endpoint.r.t.Helper(); return v.feed().mustRead() }
