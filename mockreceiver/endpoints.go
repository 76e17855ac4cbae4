package mockreceiver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Endpoint is a URL where deliveries land.
type Endpoint struct {
	Name string // unique in the receiver, not empty
	// Path is the path of its URL; empty: /hooks/ and the name.
	Path string
	// Listener is the listener that it lives on; empty: the first.
	Listener string
	Scenario string // for the evidence
	// Plan is for events without a plan of their own. The zero value answers 200.
	Plan fault.Plan
	// Rules are tried in order before Plan, on the requests of events without a plan of their own. One whose plan has a step
	// that acts before the body is read (fault.Eager) is tried first, on the head alone. One whose time to live has passed
	// is not tried. An event that has not come for 262 144 others may begin a rule anew, which is told in a trouble; the same
	// holds for steps that last for a time.
	Rules []fault.Rule
	// Verify says how requests are signed; nil: nothing is verified.
	Verify *Verify
	// Handshake is what the provider asks before it delivers; nil: every request is an attempt. One that is told by its body is
	// not seen under a plan with a step that acts before the body is read.
	Handshake *Handshake
	// Business is what a 2xx stands for; empty: business.Transaction.
	Business business.Mode
	// Worker says how the events of an inbox are handled.
	Worker business.Worker
	// Types are the event types that the subscriber knows: payment.succeeded, or payment.* for all of a resource. An event of
	// another type gets its 2xx and is recorded as ignored. Empty: all are known.
	Types []string
	// Fields says where a body tells what its event is about; nil: the usual places, see Fields.
	Fields *Fields
}

// registry holds the endpoints.
type registry struct {
	mu     sync.RWMutex
	byName map[string]*endpoint
	byPath map[place]*endpoint
}

// place is where an endpoint lives.
type place struct{ listener, path string }

func (e *Endpoint) place() place { return place{e.Listener, e.Path} }

// endpoint is an Endpoint with its plans and counters.
type endpoint struct {
	Endpoint
	url string

	pace    pace
	eager   atomic.Bool // a plan has a step that must be known before the body is read
	verify  atomic.Pointer[verifier]
	greeter *greeter // nil: there is no handshake
	about   about
	inbox   atomic.Pointer[inboxWorker] // nil: there is none
	inside  atomic.Int64                // requests that are being read or answered
	meter   *endpointMeter

	ruled atomic.Bool // there are rules
	large sync.Once   // said that a body is too large for rules

	mu       sync.Mutex
	plan     *course
	plans    map[string]*course
	rules    []*rule
	attempts *counter
}

// AddEndpoint makes an endpoint and returns its URL. It can be called while requests arrive, after Serve. On a journal that
// knows the endpoint, attempts are counted on. Config.Journal keeps what it is told for Restore.
func (r *Receiver) AddEndpoint(e Endpoint) (string, error) {
	if e.Name == "" {
		return "", errors.New("add endpoint: give it a name")
	}
	added, err := r.newEndpoint(e)
	if err == nil {
		err = r.endpoints.add(added)
	}
	if err != nil {
		return "", fmt.Errorf("add endpoint %s: %w", e.Name, err)
	}
	r.opened(added)
	if err := r.keep(e.Name, ""); err != nil {
		return "", fmt.Errorf("add endpoint %s: %w", e.Name, err)
	}
	return added.url, nil
}

// opened starts what goes on at an endpoint that was added.
func (r *Receiver) opened(e *endpoint) {
	r.recall(e)
	if e.Business == business.Inbox {
		e.inbox.Store(r.startInbox(e.Name, e.Worker))
		if there, _ := r.endpoints.named(e.Name); there != e {
			e.inbox.Load().end() // it was removed before it had a worker
		}
	}
	r.streams.changed(e.Name)
}

// newEndpoint checks the settings of an endpoint and prepares what it needs.
func (r *Receiver) newEndpoint(e Endpoint) (*endpoint, error) {
	base, err := r.ListenerURL(e.Listener)
	if err != nil {
		return nil, err
	}
	if err := e.settlePlace(); err != nil {
		return nil, err
	}
	if err := r.settleBusiness(&e); err != nil {
		return nil, err
	}
	greets, err := newGreeter(e.Handshake, e.Verify)
	if err != nil {
		return nil, err
	}
	verify, err := e.ready()
	if err != nil {
		return nil, err
	}
	rules, err := newRules(e.Rules, r.now())
	if err != nil {
		return nil, err
	}
	counts, err := r.counter(e.Name)
	if err != nil {
		return nil, err
	}
	made := &endpoint{
		Endpoint: e, url: base + (&url.URL{Path: e.Path}).EscapedPath(),
		plan: newCourse(e.Plan, r.now()), plans: map[string]*course{}, rules: rules, attempts: counts,
		meter: r.meter.endpoint(e.Name), about: newAbout(*e.Fields),
		greeter: greets,
	}
	made.Plan, made.Rules, made.Handshake = fault.Plan{}, nil, nil // kept in one place only, since they can be changed
	made.verify.Store(verify)
	made.noted()
	made.pace.restart(r.now())
	if counts.unread { // the journal knows the endpoint
		r.recallBacklog(made)
	}
	return made, nil
}

func (g *registry) add(e *endpoint) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.byName == nil {
		g.byName, g.byPath = map[string]*endpoint{}, map[place]*endpoint{}
	}
	if g.byName[e.Name] != nil {
		return errors.New("the name is taken")
	}
	if other := g.byPath[e.place()]; other != nil {
		return fmt.Errorf("the path %s is taken by %s", e.Path, other.Name)
	}
	g.byName[e.Name], g.byPath[e.place()] = e, e
	return nil
}

// RemoveEndpoint removes an endpoint. Requests in flight are finished; later ones find nothing there. What was recorded
// stays; what is in its inbox waits for an endpoint of that name. Calls of the effect are told to end and waited for.
func (r *Receiver) RemoveEndpoint(name string) error {
	e, err := r.endpoints.remove(name)
	if err != nil {
		return fmt.Errorf("remove endpoint: %w", err)
	}
	e.inbox.Load().end()
	r.streams.changed(name)
	return r.keep(name, "")
}

func (g *registry) remove(name string) (*endpoint, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := g.byName[name]
	if e == nil {
		return nil, unknownEndpointError(name)
	}
	delete(g.byName, name)
	delete(g.byPath, e.place())
	return e, nil
}

// ResetEndpoint makes an endpoint as new: its recorded requests, its business rows, its counters and the plans of its
// events are gone. Its own plan stays.
func (r *Receiver) ResetEndpoint(ctx context.Context, name string) error {
	e, err := r.endpoints.named(name)
	if err != nil {
		return fmt.Errorf("reset endpoint: %w", err)
	}
	if err := r.commits.forget(ctx, name); err != nil {
		return fmt.Errorf("reset endpoint %s: %w", name, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.restart(r.now())
	e.pace.restart(r.now())
	r.streams.changed(name)
	e.meter.forget()
	return nil
}

type unknownEndpointError string

func (e unknownEndpointError) Error() string {
	return fmt.Sprintf("endpoint %q: there is none of that name", string(e))
}

func (g *registry) named(name string) (*endpoint, error) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if e := g.byName[name]; e != nil {
		return e, nil
	}
	return nil, unknownEndpointError(name)
}

func (g *registry) at(listener, path string) *endpoint {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.byPath[place{listener, path}]
}

func (g *registry) list() []*endpoint {
	g.mu.RLock()
	defer g.mu.RUnlock()
	list := make([]*endpoint, 0, len(g.byName))
	for _, e := range g.byName {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b *endpoint) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
