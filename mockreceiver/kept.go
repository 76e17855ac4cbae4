package mockreceiver

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// ErrInUse is wrapped by the error of New for a journal that another receiver has open.
var ErrInUse = journal.ErrInUse

// keptJSON is an endpoint as the journal keeps it over a restart: as the API has it, but for its secrets.
type keptJSON struct {
	endpointJSON
	Sealed *sealedJSON `json:"sealed,omitempty"` // instead of verify
}

// sealedJSON is how an endpoint verifies, without the secrets.
type sealedJSON struct {
	Scheme    string `json:"scheme"`
	Tolerance string `json:"tolerance"`
	Reject    bool   `json:"reject"`
}

// keeps tells whether endpoints outlive the receiver: where its journal does.
func (r *Receiver) keeps() bool { return r.cfg.Journal != "" }

// keep stores what is set for an endpoint, or for one event of it if event is not empty. What is there when it is written is what is
// stored, so that of two changes the later one stays.
func (r *Receiver) keep(name, event string) error {
	if !r.keeps() || !r.begin(&r.handlers) {
		return nil
	}
	defer r.handlers.Done()
	return r.commits.do(&job{task: func(ctx context.Context, conn *sql.Conn) error {
		record, err := r.keptRecord(name, event)
		if err != nil {
			return err
		}
		return journal.KeepSetting(ctx, conn, journal.Setting{Endpoint: name, Event: event, Record: record})
	}})
}

// keptRecord is nil where there is nothing to keep.
func (r *Receiver) keptRecord(name, event string) ([]byte, error) {
	e, err := r.endpoints.named(name)
	if err != nil {
		return nil, nil // it was removed, and so is what was kept
	}
	if event != "" {
		e.mu.Lock()
		defer e.mu.Unlock()
		if c := e.plans[event]; c != nil {
			return json.Marshal(c.Plan)
		}
		return nil, nil
	}
	k := keptJSON{endpointJSON: shown(e)}
	k.URL, k.Verify, k.EventPlans, k.Handshake = "", nil, 0, k.Handshake.kept()
	if v := e.verify.Load(); v != nil {
		k.Sealed = &sealedJSON{v.Scheme, v.Tolerance.String(), v.Reject}
	}
	return json.Marshal(k)
}

// Restore adds the endpoints that the journal keeps from an earlier run, with their plans, their rules and the plans of their events,
// and returns the names of those that came back, whole or with their plans. Call it after Serve and after AddEndpoint for your own: one of those wins over a kept one of its
// name or path, and takes over only plans, and those only if it was given none. The times to live of plans begin anew.
//
// Secrets are not kept. An endpoint that verified checks nothing until SetVerify gives them again, and answers 401 to everything
// if it is to reject; a trouble says so. One that cannot come back, such as one whose listener is not there, stays in the journal
// and is part of the error. Restore does nothing with Memory, or without a file.
func (r *Receiver) Restore() ([]string, error) {
	list := r.kept
	r.kept = nil
	var names []string
	var errs []error
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].Endpoint == list[0].Endpoint {
			n++
		}
		back, err := r.restore(list[:n])
		if err != nil {
			errs = append(errs, fmt.Errorf("restore endpoint %s: %w", list[0].Endpoint, err))
		}
		if back {
			names = append(names, list[0].Endpoint)
		}
		list = list[n:]
	}
	return names, errors.Join(errs...)
}

// restore brings back one endpoint from its own setting and those of its events.
func (r *Receiver) restore(list []journal.Setting) (back bool, err error) {
	var k keptJSON
	if err := json.Unmarshal(list[0].Record, &k); err != nil {
		return false, err
	}
	events := map[string]*course{}
	for _, s := range list[1:] {
		var p fault.Plan
		if err := json.Unmarshal(s.Record, &p); err != nil {
			return false, fmt.Errorf("plan of event %s: %w", s.Event, err)
		}
		events[s.Event] = newCourse(p, r.now())
	}
	if e, err := r.endpoints.named(k.Name); err == nil {
		return e.takeOver(k, events, r.now())
	}
	in := Endpoint{Name: k.Name, Path: k.Path, Listener: k.Listener, Scenario: k.Scenario, Plan: k.Plan, Rules: k.Rules}
	if err := k.setup(&in); err != nil {
		return false, err
	}
	in.Handshake = nil // it is checked with its secrets, which are not there
	made, err := r.newEndpoint(in)
	if err != nil {
		return false, err
	}
	if made.greeter, err = k.Handshake.restored(); err != nil {
		return false, err
	}
	made.plans = events
	made.noted()
	if k.Sealed != nil {
		v, err := k.Sealed.verifier()
		if err != nil {
			return false, err
		}
		made.verify.Store(v)
	}
	if err := r.endpoints.add(made); err != nil {
		return false, err
	}
	r.opened(made)
	if k.Sealed != nil {
		r.trouble(k.Scenario, "endpoint "+k.Name+" is back from the journal without its secrets, which are not kept: "+k.Sealed.said()+" until they are given again")
	}
	if made.greeter != nil && made.greeter.sealed {
		r.trouble(k.Scenario, "endpoint "+k.Name+" is back from the journal without the secrets of its handshake, which are not kept: it refuses each until the endpoint is made anew")
	}
	return true, nil
}

func (s *sealedJSON) said() string {
	if s.Reject {
		return "it answers 401 to everything"
	}
	return "no signature is checked"
}

// verifier has no keys: it can check nothing, and lets nothing in where it is to reject.
func (s *sealedJSON) verifier() (*verifier, error) {
	scheme, err := signature.Lookup(s.Scheme)
	if err != nil {
		return nil, err
	}
	tolerance, err := time.ParseDuration(s.Tolerance)
	if err != nil {
		return nil, err
	}
	return &verifier{Verify: Verify{Scheme: s.Scheme, Tolerance: tolerance, Reject: s.Reject}, scheme: scheme, sealed: true}, nil
}

// takeOver gives an endpoint that was added anew the plans of an earlier run, unless it came with some.
func (e *endpoint) takeOver(k keptJSON, events map[string]*course, now time.Duration) (bool, error) {
	rules, err := newRules(k.Rules, now)
	if err != nil {
		return false, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	bare := func(p fault.Plan) bool { return len(p.Steps) == 0 && p.Then.Fault == nil }
	own := !bare(e.plan.Plan) || len(e.rules) > 0 || len(e.plans) > 0
	kept := k.Plan.String() != (fault.Plan{}).String() || len(rules) > 0 || len(events) > 0
	if own || !kept {
		return false, nil
	}
	e.plan, e.rules, e.plans = newCourse(k.Plan, now), rules, events
	e.noted()
	return true, nil
}
