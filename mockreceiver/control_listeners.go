package mockreceiver

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// listenerJSON is a listener as the API takes and shows it. Certificates of one's own are not for it: it would read files.
type listenerJSON struct {
	Name          string         `json:"name"`
	Addr          string         `json:"addr,omitempty"`
	AdvertisedURL string         `json:"advertised_url,omitempty"`
	URL           string         `json:"url,omitempty"`
	TLS           bool           `json:"tls"`
	HTTP2         bool           `json:"http2"`
	Plan          fault.ConnPlan `json:"plan"`
	Down          bool           `json:"down"`
}

func (c control) shownListener(l *listener) listenerJSON {
	out := listenerJSON{
		Name: cmp.Or(l.Name, FirstListener), Addr: l.addr.String(), AdvertisedURL: l.AdvertisedURL, URL: l.url,
		TLS: l.TLS != nil, HTTP2: l.HTTP2, Down: c.r.IsDown(l.Name),
	}
	if steps := l.plan.Load(); steps != nil {
		out.Plan = steps.plan
	}
	return out
}

// listener is the one that the path names.
func (c control) listener(req *http.Request) (*listener, error) {
	name := mux.Vars(req)["name"]
	if l := c.r.listeners.named(name); l != nil {
		return l, nil
	}
	return nil, apiError{http.StatusNotFound, unknownListenerError(name).Error()}
}

func (c control) addListener(req *http.Request) (int, any, error) {
	var in listenerJSON
	if err := readJSON(req, &in); err != nil {
		return 0, nil, err
	}
	if in.URL != "" || in.Down {
		return 0, nil, fmt.Errorf("add listener %s: url and down are shown, not taken", in.Name)
	}
	add := Listener{Name: in.Name, Addr: in.Addr, AdvertisedURL: in.AdvertisedURL, HTTP2: in.HTTP2, Plan: in.Plan}
	if in.TLS {
		add.TLS = &TLS{}
	}
	if _, err := c.r.AddListener(req.Context(), add); err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, c.shownListener(c.r.listeners.named(in.Name)), nil
}

func (c control) listListeners(*http.Request) (int, any, error) {
	list := []listenerJSON{}
	for _, l := range c.r.listeners.all() {
		list = append(list, c.shownListener(l))
	}
	return http.StatusOK, map[string]any{"listeners": list}, nil
}

func (c control) showListener(req *http.Request) (int, any, error) {
	l, err := c.listener(req)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, c.shownListener(l), nil
}

func (c control) setConnPlan(req *http.Request) (int, any, error) {
	l, err := c.listener(req)
	if err != nil {
		return 0, nil, err
	}
	var in struct {
		Plan *fault.ConnPlan `json:"plan"`
	}
	if err := readJSON(req, &in); err != nil {
		return 0, nil, err
	}
	if in.Plan == nil {
		return 0, nil, errors.New(`give a plan for connections, such as {"plan": "tls-expired, ok"}`)
	}
	return http.StatusNoContent, nil, c.r.SetConnPlan(l.Name, *in.Plan)
}

func (c control) listenerDown(req *http.Request) (int, any, error) {
	l, err := c.listener(req)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, c.r.Down(l.Name)
}

func (c control) listenerUp(req *http.Request) (int, any, error) {
	l, err := c.listener(req)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusNoContent, nil, c.r.Up(req.Context(), l.Name)
}

// listConnections answers {"connections": […], "next": CURSOR}, the oldest first: those without a request.
func (c control) listConnections(req *http.Request) (int, any, error) {
	q := queryOf(req)
	after, limit := q.number("after", 0, maxSeq), q.limit()
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	list, next, err := c.r.Connections(req.Context(), after, limit)
	if err != nil {
		return 0, nil, internal(err)
	}
	return http.StatusOK, map[string]any{"connections": list, "next": cursor(next)}, nil
}
