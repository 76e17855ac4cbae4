package mockreceiver

import (
	"fmt"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// endpointJSON is an endpoint as the API takes and shows it.
type endpointJSON struct {
	Name     string     `json:"name"`
	Path     string     `json:"path,omitempty"`
	Listener string     `json:"listener,omitempty"`
	URL      string     `json:"url,omitempty"`
	Scenario string     `json:"scenario,omitempty"`
	Plan     fault.Plan `json:"plan"`
	// Rules are plans by match.
	Rules []fault.Rule `json:"rules,omitempty"`
	// EventPlans is how many events have plans of their own. It is only shown.
	EventPlans int `json:"event_plans,omitempty"`
	setupJSON
}

func shown(e *endpoint) endpointJSON {
	plan, rules := e.plansNow()
	return endpointJSON{Name: e.Name, Path: e.Path, Listener: e.Listener, URL: e.url, Scenario: e.Scenario, Plan: plan, Rules: rules, EventPlans: e.eventPlans(), setupJSON: e.setupJSON()}
}

func (c control) addEndpoint(req *http.Request) (int, any, error) {
	var in endpointJSON
	if err := readJSON(req, &in); err != nil {
		return 0, nil, err
	}
	if in.URL != "" {
		return 0, nil, fmt.Errorf("add endpoint %s: the receiver makes the URL, give a path if you want one", in.Name)
	}
	if in.EventPlans != 0 {
		return 0, nil, fmt.Errorf("add endpoint %s: event_plans is only shown, set them by PUT …/events/{key}/plan", in.Name)
	}
	add := Endpoint{Name: in.Name, Path: in.Path, Listener: in.Listener, Scenario: in.Scenario, Plan: in.Plan, Rules: in.Rules}
	if err := in.setup(&add); err != nil {
		return 0, nil, fmt.Errorf("add endpoint %s: %w", in.Name, err)
	}
	if _, err := c.r.AddEndpoint(add); err != nil {
		return 0, nil, err
	}
	e, err := c.r.endpoints.named(in.Name)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, shown(e), nil
}

// listEndpoints answers {"endpoints": […], "next": NAME}, by name. next is the after of the following page.
func (c control) listEndpoints(req *http.Request) (int, any, error) {
	q := queryOf(req)
	after, limit := q.text("after"), max(1, int(q.number("limit", maxLimit, maxLimit)))
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	list := []endpointJSON{}
	var next *string
	for _, e := range c.r.endpoints.list() {
		if e.Name <= after {
			continue
		}
		if len(list) == limit {
			next = &list[limit-1].Name
			break
		}
		list = append(list, shown(e))
	}
	return http.StatusOK, map[string]any{"endpoints": list, "next": next}, nil
}

func (c control) showEndpoint(req *http.Request) (int, any, error) {
	name := mux.Vars(req)["name"]
	e, err := c.r.endpoints.named(name)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, shown(e), nil
}

func (c control) removeEndpoint(req *http.Request) (int, any, error) {
	name := mux.Vars(req)["name"]
	return http.StatusNoContent, nil, c.r.RemoveEndpoint(name)
}

func (c control) resetEndpoint(req *http.Request) (int, any, error) {
	name := mux.Vars(req)["name"]
	return http.StatusNoContent, nil, c.r.ResetEndpoint(req.Context(), name)
}
