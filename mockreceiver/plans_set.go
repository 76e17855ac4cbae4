package mockreceiver

import (
	"fmt"

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
	defer r.streams.changed(endpoint)
	e.mu.Lock()
	defer e.mu.Unlock()
	c := newCourse(p, r.now())
	if old := e.plans[key]; old != nil {
		c.cursors = old.cursors
	}
	e.plans[key] = c
	e.noted()
	return nil
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
	defer r.streams.changed(endpoint)
	e.mu.Lock()
	defer e.mu.Unlock()
	c := newCourse(p, r.now())
	c.cursors = e.plan.cursors
	e.plan = c
	e.noted()
	return nil
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
	defer r.streams.changed(endpoint)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.rules = made
	e.noted()
	return nil
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
