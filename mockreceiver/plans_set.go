package mockreceiver

import (
	"fmt"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// SetPlan sets the plan for one event of an endpoint. key is what its requests will be known by: the marker in the
// payload, else the event's id. Set it before the emit. A later change goes on at the attempt number that was reached; its time to
// live begins anew.
func (r *Receiver) SetPlan(endpoint, key string, p fault.Plan) error {
	e, err := r.endpoints.named(endpoint)
	if err != nil {
		return fmt.Errorf("set plan: %w", err)
	}
	if key == "" {
		return fmt.Errorf("set plan at %s: give the event's marker or id", endpoint)
	}
	if err := r.playable(p, nil); err != nil {
		return fmt.Errorf("set plan at %s: %w", endpoint, err)
	}
	e.setPlan(key, p, r.now())
	r.streams.changed(endpoint)
	return r.keep(endpoint, key)
}

func (e *endpoint) setPlan(key string, p fault.Plan, now time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := newCourse(p, now)
	if old := e.plans[key]; old != nil {
		c.cursors = old.cursors
	}
	e.plans[key] = c
	e.noted()
}

// EventPlan is the plan that one event of an endpoint has of its own; ok is false if it has none.
func (r *Receiver) EventPlan(endpoint, key string) (p fault.Plan, ok bool, err error) {
	e, err := r.endpoints.named(endpoint)
	if err != nil {
		return fault.Plan{}, false, fmt.Errorf("plan of an event: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.plans[key]; c != nil {
		return c.Plan, true, nil
	}
	return fault.Plan{}, false, nil
}

// Plans are an endpoint's own plan, its rules, and the plans of its events by key; nothing where there is no such endpoint.
func (r *Receiver) Plans(endpoint string) (p fault.Plan, rules []fault.Rule, events map[string]fault.Plan) {
	e, err := r.endpoints.named(endpoint)
	if err != nil {
		return fault.Plan{}, nil, nil
	}
	p, rules = e.plansNow()
	e.mu.Lock()
	defer e.mu.Unlock()
	events = map[string]fault.Plan{}
	for key, c := range e.plans {
		events[key] = c.Plan
	}
	return p, rules, events
}

// RemovePlan takes the plan of one event away: it goes on by the endpoint's rules and plan, at the attempt number that it has reached. had
// is false if it had none.
func (r *Receiver) RemovePlan(endpoint, key string) (had bool, err error) {
	e, err := r.endpoints.named(endpoint)
	if err != nil {
		return false, fmt.Errorf("remove plan: %w", err)
	}
	e.mu.Lock()
	_, had = e.plans[key]
	delete(e.plans, key)
	e.noted()
	e.mu.Unlock()
	if !had {
		return false, nil
	}
	r.streams.changed(endpoint)
	return true, r.keep(endpoint, key)
}

// SetEndpointPlan sets the plan for events without a plan of their own, from the next request on. Each goes on at the attempt
// number that it has reached.
func (r *Receiver) SetEndpointPlan(endpoint string, p fault.Plan) error {
	e, err := r.endpoints.named(endpoint)
	if err != nil {
		return fmt.Errorf("set plan: %w", err)
	}
	if err := r.playable(p, nil); err != nil {
		return fmt.Errorf("set plan at %s: %w", endpoint, err)
	}
	e.mu.Lock()
	c := newCourse(p, r.now())
	c.cursors = e.plan.cursors
	e.plan = c
	e.noted()
	e.mu.Unlock()
	r.streams.changed(endpoint)
	return r.keep(endpoint, "")
}

// SetRules sets the rules by match of an endpoint, in place of those that it has. Their counts begin at one. An
// expression that cannot be read is an error, and changes nothing.
func (r *Receiver) SetRules(endpoint string, rules []fault.Rule) error {
	e, err := r.endpoints.named(endpoint)
	if err != nil {
		return fmt.Errorf("set rules: %w", err)
	}
	if err := r.playable(fault.Plan{}, rules); err != nil {
		return fmt.Errorf("set rules at %s: %w", endpoint, err)
	}
	made, err := newRules(rules, r.now())
	if err != nil {
		return fmt.Errorf("set rules at %s: %w", endpoint, err)
	}
	e.mu.Lock()
	e.rules = made
	e.noted()
	e.mu.Unlock()
	r.streams.changed(endpoint)
	return r.keep(endpoint, "")
}

// plansNow are the endpoint's own plan and its rules, as they are now.
func (e *endpoint) plansNow() (fault.Plan, []fault.Rule) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var rules []fault.Rule
	for _, r := range e.rules {
		rules = append(rules, fault.Rule{Match: r.text, Plan: r.course.Plan})
	}
	return e.plan.Plan, rules
}

// eventPlans is how many events have plans of their own.
func (e *endpoint) eventPlans() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.plans)
}

// random tells whether any of the plans has a step that is drawn.
func (e *endpoint) random() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	random := e.plan.Random()
	for _, c := range e.plans {
		random = random || c.Random()
	}
	for _, r := range e.rules {
		random = random || r.course.Random()
	}
	return random
}
