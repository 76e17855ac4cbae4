package httpapi_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

func (s *fakeSender) emit(w http.ResponseWriter, q *http.Request) {
	var in fakeEvent
	if json.NewDecoder(q.Body).Decode(&in) != nil || in.Type == "" {
		refuse(w, http.StatusBadRequest, "type is missing")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	to := s.matching(in)
	if in.Endpoint != "" && len(to) == 0 {
		refuse(w, http.StatusNotFound, "there is no such endpoint")
		return
	}
	if in.RolledBack && s.defect != defectPhantom {
		w.WriteHeader(http.StatusOK)
		return
	}
	id := "ev_" + rand.Text()
	if s.defect == defectSameID {
		id = "ev_1"
	}
	for _, endpoint := range to {
		d := &fakeDelivery{
			Event: id, Endpoint: endpoint, State: "pending", Attempts: []map[string]any{}, Accepted: time.Now(),
			Payload: fmt.Sprintf(`{"id":%q,"type":%q,"data":%s}`, id, in.Type, in.Data),
		}
		s.state.Deliveries[id+"/"+endpoint] = d
		if e := s.state.Endpoints[endpoint]; s.defect != defectDeaf && !e.Dead {
			s.work.Go(func() { s.deliver(d, e, "schedule") })
		}
	}
	s.save()
	if in.RolledBack {
		w.WriteHeader(http.StatusOK)
		return
	}
	say(w, http.StatusAccepted, map[string]string{"id": id})
}

type fakeEvent struct {
	Type, Endpoint, Tenant, Environment string
	Data                                json.RawMessage
	RolledBack                          bool `json:"rolled_back"`
}

// matching returns the endpoints that get an event.
func (s *fakeSender) matching(in fakeEvent) []string {
	var to []string
	for _, id := range slices.Sorted(maps.Keys(s.state.Endpoints)) {
		e := s.state.Endpoints[id]
		match := in.Endpoint == id || in.Endpoint == "" &&
			(e.Tenant == in.Tenant || s.defect == defectNoTenant) && (e.Environment == in.Environment || s.defect == defectMixes) &&
			(len(e.Types) == 0 || slices.Contains(e.Types, in.Type) || s.defect == defectNoFilter)
		if match && !e.Disabled {
			to = append(to, id)
		}
	}
	if s.defect == defectOneEndpoint && len(to) > 1 {
		to = to[:1]
	}
	return to
}

// deliver tries until the answer is final. Anything from 500 on is tried again soon.
func (s *fakeSender) deliver(d *fakeDelivery, e *fakeEndpoint, trigger string) {
	for s.attempt(d, e, trigger) {
		select {
		case <-s.ending:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *fakeSender) post(e *fakeEndpoint, payload string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodPost, e.URL, strings.NewReader(payload))
	if err != nil {
		return nil, err
	}
	for name, value := range e.Headers {
		if s.defect != defectNoHeaders {
			req.Header.Set(name, value)
		}
	}
	req.Header.Set("Content-Type", "application/json")
	return http.DefaultClient.Do(req)
}

// attempt makes one request and tells whether another is wanted.
func (s *fakeSender) attempt(d *fakeDelivery, e *fakeEndpoint, trigger string) (again bool) {
	at := time.Now()
	status, outcome := 0, "failed"
	res, err := s.post(e, d.Payload)
	if err == nil {
		status = res.StatusCode
		_ = res.Body.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d.State, d.Failure = "dead-lettered", fmt.Sprintf("answered %d", status)
	switch {
	case status == http.StatusOK:
		d.State, d.Failure, outcome = "delivered", "", "delivered"
	case status >= http.StatusInternalServerError:
		d.State, again = "pending", !e.Disabled || s.defect == defectPending
	}
	d.Attempts = append(d.Attempts, map[string]any{
		"number": len(d.Attempts) + 1, "at": at, "status": status, "outcome": outcome, "error": nil, "trigger": trigger,
		"response_sha256": "00",
	})
	s.save()
	return again
}
