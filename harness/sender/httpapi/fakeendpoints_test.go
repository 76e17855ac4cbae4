package httpapi_test

import (
	"encoding/json"
	"net/http"
	"time"
)

// endpointRoutes are the calls about one endpoint.
func (s *fakeSender) endpointRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /v1/endpoints/{endpoint}", s.withEndpoint(s.read))
	mux.HandleFunc("DELETE /v1/endpoints/{endpoint}", s.withEndpoint(s.remove))
	mux.HandleFunc("POST /v1/endpoints/{endpoint}/rotate", s.withEndpoint(s.newKey(defectRotateDead)))
	mux.HandleFunc("POST /v1/endpoints/{endpoint}/revoke", s.withEndpoint(s.newKey(defectRevokeDead)))
	mux.HandleFunc("POST /v1/endpoints/{endpoint}/disable", s.withEndpoint(s.disable))
	mux.HandleFunc("POST /v1/endpoints/{endpoint}/enable", s.withEndpoint(s.enable))
	mux.HandleFunc("POST /v1/endpoints/{endpoint}/replay", s.withEndpoint(s.replayRange))
}

type endpointHandler func(w http.ResponseWriter, q *http.Request, e *fakeEndpoint)

// withEndpoint finds the endpoint that the path names, or answers that there is none. The handler has the lock.
func (s *fakeSender) withEndpoint(do endpointHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, q *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		e := s.state.Endpoints[q.PathValue("endpoint")]
		if e == nil && s.defect == defectLenient {
			e = &fakeEndpoint{}
		}
		if e == nil {
			refuse(w, http.StatusNotFound, "there is no such endpoint")
			return
		}
		do(w, q, e)
		s.save()
	}
}

func (s *fakeSender) read(w http.ResponseWriter, _ *http.Request, e *fakeEndpoint) {
	if s.defect == defectUnreadable {
		refuse(w, http.StatusForbidden, "an endpoint is nobody's business")
		return
	}
	say(w, http.StatusOK, map[string]any{"url": e.URL, "types": e.Types})
}

func (s *fakeSender) remove(w http.ResponseWriter, q *http.Request, e *fakeEndpoint) {
	if s.defect != defectDelete {
		e.Disabled = true
		delete(s.state.Endpoints, q.PathValue("endpoint"))
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *fakeSender) newKey(deadly string) endpointHandler {
	return func(w http.ResponseWriter, q *http.Request, e *fakeEndpoint) {
		var in struct{ Secret string }
		if err := json.NewDecoder(q.Body).Decode(&in); err != nil {
			refuse(w, http.StatusBadRequest, err.Error())
			return
		}
		e.Dead = e.Dead || s.defect == deadly
		out := map[string]string{}
		if issued := s.key(e, in.Secret); issued != "" {
			out["secret"] = issued
		}
		say(w, http.StatusOK, out)
	}
}

func (s *fakeSender) disable(w http.ResponseWriter, _ *http.Request, e *fakeEndpoint) {
	e.Disabled = s.defect != defectDisable
	w.WriteHeader(http.StatusNoContent)
}

func (s *fakeSender) enable(w http.ResponseWriter, _ *http.Request, e *fakeEndpoint) {
	e.Disabled = s.defect == defectEnable
	w.WriteHeader(http.StatusNoContent)
}

func (s *fakeSender) replayRange(w http.ResponseWriter, q *http.Request, e *fakeEndpoint) {
	var in struct {
		From, To time.Time
		Reason   string
	}
	if json.NewDecoder(q.Body).Decode(&in) != nil || in.Reason == "" {
		refuse(w, http.StatusBadRequest, "from, to or reason is missing")
		return
	}
	for _, d := range s.state.Deliveries {
		inside := !d.Accepted.Before(in.From) && d.Accepted.Before(in.To) || s.defect == defectAllRanges
		if d.Endpoint == q.PathValue("endpoint") && d.State == "dead-lettered" && inside && s.defect != defectRange {
			s.work.Go(func() { s.deliver(d, e, "replay") })
		}
	}
	w.WriteHeader(http.StatusAccepted)
}
