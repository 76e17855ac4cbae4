package mockreceiver

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

const (
	// defaultLimit and maxLimit bound a list: at 200 000 recorded requests a list of everything answers no caller in time.
	defaultLimit = 50
	maxLimit     = 1000
	// defaultWait and maxWait bound a long poll; proxies and clients give up between one and two minutes.
	defaultWait = 30 * time.Second
	maxWait     = time.Minute
)

// endpointJSON is an endpoint as the API takes and shows it.
type endpointJSON struct {
	Name     string     `json:"name"`
	Path     string     `json:"path,omitempty"`
	URL      string     `json:"url,omitempty"`
	Scenario string     `json:"scenario,omitempty"`
	Plan     fault.Plan `json:"plan"`
	// Rules are plans by match.
	Rules []fault.Rule `json:"rules,omitempty"`
	setupJSON
}

func shown(e *endpoint) endpointJSON {
	plan, rules := e.plansNow()
	return endpointJSON{Name: e.Name, Path: e.Path, URL: e.url, Scenario: e.Scenario, Plan: plan, Rules: rules, setupJSON: e.setupJSON()}
}

func (c control) status(*http.Request) (int, any, error) {
	return http.StatusOK, map[string]any{
		"data_url":  c.r.DataURL(),
		"started":   c.r.cfg.Started.UTC().Round(0),
		"offset_ns": c.r.now(),
		"lost":      c.r.Lost(),
	}, nil
}

func (c control) addEndpoint(req *http.Request) (int, any, error) {
	var in endpointJSON
	if err := readJSON(req, &in); err != nil {
		return 0, nil, err
	}
	if in.URL != "" {
		return 0, nil, fmt.Errorf("add endpoint %s: the receiver makes the URL, give a path if you want one", in.Name)
	}
	add := Endpoint{Name: in.Name, Path: in.Path, Scenario: in.Scenario, Plan: in.Plan, Rules: in.Rules}
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

func (c control) listEndpoints(*http.Request) (int, any, error) {
	list := []endpointJSON{}
	for _, e := range c.r.endpoints.list() {
		list = append(list, shown(e))
	}
	return http.StatusOK, map[string]any{"endpoints": list}, nil
}

func (c control) showEndpoint(req *http.Request) (int, any, error) {
	name, err := pathVar(req, "name")
	if err != nil {
		return 0, nil, err
	}
	e, err := c.r.endpoints.named(name)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, shown(e), nil
}

func (c control) removeEndpoint(req *http.Request) (int, any, error) {
	name, err := pathVar(req, "name")
	if err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, c.r.RemoveEndpoint(name)
}

func (c control) resetEndpoint(req *http.Request) (int, any, error) {
	name, err := pathVar(req, "name")
	if err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, c.r.ResetEndpoint(req.Context(), name)
}

func (c control) setPlan(req *http.Request) (int, any, error) {
	name, err := pathVar(req, "name")
	if err != nil {
		return 0, nil, err
	}
	key, err := pathVar(req, "key")
	if err != nil {
		return 0, nil, err
	}
	var in struct {
		Plan *fault.Plan `json:"plan"`
	}
	if err := readJSON(req, &in); err != nil {
		return 0, nil, err
	}
	if in.Plan == nil {
		return 0, nil, fmt.Errorf("set plan at %s: give one, such as {\"plan\": \"502, 200\"}", name)
	}
	return http.StatusNoContent, nil, c.r.SetPlan(name, key, *in.Plan)
}

// listAttempts answers {"attempts": […], "next": SEQ}: next is the after of the following page.
func (c control) listAttempts(req *http.Request) (int, any, error) {
	q := journal.Query{Endpoint: req.URL.Query().Get("endpoint")}
	after, err := number(req, "after", 0, 1<<62)
	if err != nil {
		return 0, nil, err
	}
	limit, err := number(req, "limit", defaultLimit, maxLimit)
	if err != nil {
		return 0, nil, err
	}
	q.After, q.Limit = after, max(1, int(limit))
	list, err := c.r.Attempts(req.Context(), q)
	if err != nil {
		return 0, nil, apiError{http.StatusInternalServerError, err.Error()}
	}
	if len(list) > 0 {
		after = list[len(list)-1].Seq
	}
	return http.StatusOK, map[string]any{"attempts": list, "next": after}, nil
}

// wait answers {"count": n, "reached": true} once an endpoint has so many requests after a sequence number, or at the end of
// the timeout with reached false.
func (c control) wait(req *http.Request) (int, any, error) {
	name := req.URL.Query().Get("endpoint")
	if _, err := c.r.endpoints.named(name); err != nil {
		return 0, nil, err
	}
	after, err := number(req, "after", 0, 1<<62)
	if err != nil {
		return 0, nil, err
	}
	count, err := number(req, "count", 1, 1_000_000)
	if err != nil {
		return 0, nil, err
	}
	timeout := defaultWait
	if text := req.URL.Query().Get("timeout"); text != "" {
		if timeout, err = time.ParseDuration(text); err != nil || timeout < 0 || timeout > maxWait {
			return 0, nil, fmt.Errorf("timeout %q: want a duration from 0s to %s", text, maxWait)
		}
	}
	ctx, cancel := context.WithTimeout(req.Context(), timeout)
	defer cancel()
	n, err := c.r.Wait(ctx, name, after, int(count))
	if err != nil {
		return 0, nil, apiError{http.StatusInternalServerError, err.Error()}
	}
	return http.StatusOK, map[string]any{"count": n, "reached": n >= int(count)}, nil
}

func (c control) listTroubles(req *http.Request) (int, any, error) {
	limit, err := number(req, "limit", defaultLimit, maxLimit)
	if err != nil {
		return 0, nil, err
	}
	list, err := c.r.journal.Troubles(req.Context(), max(1, int(limit)))
	if err != nil {
		return 0, nil, apiError{http.StatusInternalServerError, err.Error()}
	}
	return http.StatusOK, map[string]any{"troubles": list}, nil
}

// number is a query parameter from 0 to limit.
func number(req *http.Request, name string, unset, limit int64) (int64, error) {
	text := req.URL.Query().Get(name)
	if text == "" {
		return unset, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > limit {
		return 0, fmt.Errorf("%s %q: want a number from 0 to %d", name, text, limit)
	}
	return n, nil
}

// Lost is how many records could not be kept since New.
func (r *Receiver) Lost() int64 { return r.commits.lost.Load() }
