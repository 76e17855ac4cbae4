package mockreceiver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// setPlan sets the plan of one event.
func (c control) setPlan(req *http.Request) (int, any, error) {
	name := mux.Vars(req)["name"]
	key := mux.Vars(req)["key"]
	plan, err := readPlan(req)
	if err != nil {
		return 0, nil, fmt.Errorf("set plan at %s: %w", name, err)
	}
	return http.StatusNoContent, nil, c.r.SetPlan(name, key, plan)
}

// showPlan answers {"plan": …} with the plan of one event.
func (c control) showPlan(req *http.Request) (int, any, error) {
	name, key := mux.Vars(req)["name"], mux.Vars(req)["key"]
	p, ok, err := c.r.EventPlan(name, key)
	if err != nil {
		return 0, nil, err
	}
	if !ok {
		return 0, nil, noPlan(name, key)
	}
	return http.StatusOK, map[string]any{"plan": p}, nil
}

// removePlan takes the plan of one event away.
func (c control) removePlan(req *http.Request) (int, any, error) {
	name, key := mux.Vars(req)["name"], mux.Vars(req)["key"]
	had, err := c.r.RemovePlan(name, key)
	if err == nil && !had {
		err = noPlan(name, key)
	}
	return http.StatusNoContent, nil, err
}

func noPlan(name, key string) error {
	return apiError{http.StatusNotFound, fmt.Sprintf("event %q at %s has no plan of its own", key, name)}
}

// checkPlan answers with a plan as it was understood, or says where it cannot be. level says whose plan it is to be: of an
// endpoint, if nothing else is said, or of a listener.
func (c control) checkPlan(req *http.Request) (int, any, error) {
	var in struct {
		Plan  json.RawMessage `json:"plan"`
		Level fault.Level     `json:"level"`
	}
	if err := readJSON(req, &in); err != nil {
		return 0, nil, err
	}
	if len(in.Plan) == 0 || string(in.Plan) == "null" {
		return 0, nil, errNoPlan
	}
	switch in.Level {
	case "", fault.RequestLevel:
		return understood(in.Plan, func(p fault.Plan) (list []string, then string) {
			for _, s := range p.Steps {
				list = append(list, s.String())
			}
			return list, p.Then.String()
		})
	case fault.ConnectionLevel:
		return understood(in.Plan, func(p fault.ConnPlan) (list []string, then string) {
			for n := range p.Steps {
				list = append(list, p.Step(n+1).String())
			}
			return list, p.Step(len(p.Steps) + 1).String()
		})
	default:
		return 0, nil, fmt.Errorf("level %q: want %s or %s", in.Level, fault.RequestLevel, fault.ConnectionLevel)
	}
}

// understood reads a plan and says its steps.
func understood[P any](plan json.RawMessage, steps func(P) ([]string, string)) (int, any, error) {
	var p P
	if err := json.Unmarshal(plan, &p); err != nil {
		return 0, nil, fmt.Errorf("body: %w", err)
	}
	list, then := steps(p)
	if list == nil {
		list = []string{}
	}
	return http.StatusOK, map[string]any{"plan": p, "steps": list, "then": then}, nil
}

// setEndpointPlan sets the plan for the events that have none of their own.
func (c control) setEndpointPlan(req *http.Request) (int, any, error) {
	name := mux.Vars(req)["name"]
	plan, err := readPlan(req)
	if err != nil {
		return 0, nil, fmt.Errorf("set plan at %s: %w", name, err)
	}
	if err := c.r.SetEndpointPlan(name, plan); err != nil {
		return 0, nil, err
	}
	return c.showEndpoint(req)
}

// setRules sets the rules by match, in place of those that there are; an empty list takes them away.
func (c control) setRules(req *http.Request) (int, any, error) {
	name := mux.Vars(req)["name"]
	var in struct {
		Rules []fault.Rule `json:"rules"`
	}
	if err := readJSON(req, &in); err != nil {
		return 0, nil, err
	}
	if in.Rules == nil {
		return 0, nil, fmt.Errorf(`set rules at %s: give them, such as {"rules": [{"match": ".attempt > 3", "plan": "410"}]}`, name)
	}
	if err := c.r.SetRules(name, in.Rules); err != nil {
		return 0, nil, err
	}
	return c.showEndpoint(req)
}

var errNoPlan = errors.New(`give a plan, such as {"plan": "502, 200"}`)

// readPlan takes {"plan": …}: a plan in its text form, or the YAML form as an object.
func readPlan(req *http.Request) (fault.Plan, error) {
	var in struct {
		Plan *fault.Plan `json:"plan"`
	}
	if err := readJSON(req, &in); err != nil {
		return fault.Plan{}, err
	}
	if in.Plan == nil {
		return fault.Plan{}, errNoPlan
	}
	return *in.Plan, nil
}
