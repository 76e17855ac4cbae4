package mockreceiver

import (
	"context"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/gorilla/mux"
)

// dataRoutes is the whole table of the data listener: endpoints are data, not routes, since they come and go.
func (r *Receiver) dataRoutes() http.Handler {
	// Paths are taken as they come: a redirect to a cleaned one would be a fault that nobody planned. A router would make two
	// copies of each request to note that its only route was taken.
	return http.HandlerFunc(r.receive)
}

// controlRoutes is all that the control listener serves.
func (r *Receiver) controlRoutes() http.Handler {
	c := control{r}
	return c.withConsole(c.guarded(c.table()))
}

// table is the whole table of the control API. What is in it is in openapi.json, and the other way round.
func (c control) table() *mux.Router {
	m := mux.NewRouter().SkipClean(true).UseEncodedPath()
	for _, route := range []struct {
		method, path, name string
		handle             func(*http.Request) (int, any, error)
	}{
		{http.MethodGet, "/v1/status", "status", c.status},
		{http.MethodGet, "/v1/faults", "list faults", c.listFaults},
		{http.MethodPost, "/v1/plans/check", "check plan", c.checkPlan},

		{http.MethodPost, "/v1/endpoints", "add endpoint", c.addEndpoint},
		{http.MethodGet, "/v1/endpoints", "list endpoints", c.listEndpoints},
		{http.MethodGet, "/v1/endpoints/{name}", "show endpoint", c.showEndpoint},
		{http.MethodDelete, "/v1/endpoints/{name}", "remove endpoint", c.removeEndpoint},
		{http.MethodPost, "/v1/endpoints/{name}/reset", "reset endpoint", c.resetEndpoint},
		{http.MethodPut, "/v1/endpoints/{name}/verify", "set verify", c.setVerify},
		{http.MethodDelete, "/v1/endpoints/{name}/verify", "end verify", c.endVerify},
		{http.MethodPut, "/v1/endpoints/{name}/plan", "set endpoint plan", c.setEndpointPlan},
		{http.MethodPut, "/v1/endpoints/{name}/events/{key}/plan", "set event plan", c.setPlan},
		{http.MethodGet, "/v1/endpoints/{name}/events/{key}/plan", "show event plan", c.showPlan},
		{http.MethodDelete, "/v1/endpoints/{name}/events/{key}/plan", "remove event plan", c.removePlan},
		{http.MethodPut, "/v1/endpoints/{name}/rules", "set rules", c.setRules},

		{http.MethodPost, "/v1/listeners", "add listener", c.addListener},
		{http.MethodGet, "/v1/listeners", "list listeners", c.listListeners},
		{http.MethodGet, "/v1/listeners/{name}", "show listener", c.showListener},
		{http.MethodPut, "/v1/listeners/{name}/plan", "set listener plan", c.setConnPlan},
		{http.MethodPost, "/v1/listeners/{name}/down", "take listener down", c.listenerDown},
		{http.MethodPost, "/v1/listeners/{name}/up", "bring listener up", c.listenerUp},
		{http.MethodGet, "/v1/connections", "list connections", c.listConnections},

		{http.MethodGet, "/v1/attempts", "list attempts", c.listAttempts},
		{http.MethodGet, "/v1/attempts/{seq}", "show attempt", c.showAttempt},
		{http.MethodGet, "/v1/attempts/{seq}/body", "show body", c.showBody},
		{http.MethodGet, "/v1/attempts/{seq}/curl", "show curl", c.showCurl},
		{http.MethodGet, "/v1/attempts/{seq}/diff", "show diff", c.showDiff},
		{http.MethodPost, "/v1/attempts/{seq}/redeliver", "redeliver", c.redeliver},
		{http.MethodGet, "/v1/events", "list events", c.listEvents},
		{http.MethodGet, "/v1/events/{endpoint}/{key}", "show event", c.showEvent},
		{http.MethodGet, "/v1/stream", "stream", c.stream},
		{http.MethodGet, "/v1/export", "export", c.export},
		{http.MethodGet, "/v1/acceptance", "acceptance", c.acceptance},
		{http.MethodGet, "/v1/wait", "wait", c.wait},
		{http.MethodGet, "/v1/inbox", "list inbox", c.listInbox},
		{http.MethodPost, "/v1/inbox/{id}/retry", "retry dead letter", c.retryInbox},
		{http.MethodGet, "/v1/troubles", "list troubles", c.listTroubles},
		{http.MethodGet, "/v1/alarms", "alarms", c.alarms},
		{http.MethodGet, healthPath, "health", c.health},
		{http.MethodGet, "/openapi.json", "openapi", c.openapi},
	} {
		m.Handle(route.path, c.handler(route.handle)).Methods(route.method).Name(route.name)
	}
	m.Handle("/metrics", c.metricsHandler()).Methods(http.MethodGet).Name("metrics")
	m.NotFoundHandler = c.handler(c.notFound)
	m.MethodNotAllowedHandler = allowing(m, c.handler(c.notAllowed))
	return m
}

func (r *Receiver) servers() (data, control *http.Server) {
	logger := log.New(serverLog{r}, "", 0)
	data = &http.Server{
		Handler:           r.dataRoutes(),
		MaxHeaderBytes:    maxHead - 4096, // net/http allows 4096 bytes more than it is told
		ReadHeaderTimeout: r.cfg.HeaderTimeout,
		// It bounds the bodies that net/http reads by itself: it does so for a request that expects what nobody knows.
		ReadTimeout: r.cfg.HeaderTimeout + r.cfg.BodyTimeout,
		IdleTimeout: r.cfg.IdleTimeout,
		ConnContext: withConn,
		ConnState:   r.conns.stateChanged,
		ErrorLog:    logger,
		// OPTIONS * is a request like any other.
		DisableGeneralOptionsHandler: true,
	}
	control = &http.Server{
		Handler:           r.controlRoutes(),
		ReadHeaderTimeout: r.cfg.HeaderTimeout,
		ReadTimeout:       r.cfg.BodyTimeout,
		IdleTimeout:       r.cfg.IdleTimeout,
		BaseContext:       func(net.Listener) context.Context { return r.ctx },
		ErrorLog:          logger,
	}
	return data, control
}

// serverLog turns what net/http complains about into troubles.
type serverLog struct{ r *Receiver }

func (l serverLog) Write(p []byte) (int, error) {
	if l.r.begin(&l.r.handlers) {
		defer l.r.handlers.Done()
		l.r.trouble("", "http server: "+strings.TrimSpace(string(p)))
	}
	return len(p), nil
}

// pathOf is the decoded path of a request target, or the target itself where it has none.
func pathOf(target string) string {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return target
	}
	return u.Path
}
