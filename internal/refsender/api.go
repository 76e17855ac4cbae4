package refsender

import (
	_ "embed" // for openapi.json
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/gorilla/mux"
)

// Handler returns the HTTP API. openapi.json describes it.
func (s *Sender) Handler() http.Handler {
	r := mux.NewRouter().UseEncodedPath()
	r.Handle("/v1/endpoints", s.answer(s.postEndpoint)).Methods(http.MethodPost)
	r.Handle("/v1/endpoints/{endpoint}", s.answer(s.getEndpoint)).Methods(http.MethodGet)
	r.Handle("/v1/endpoints/{endpoint}", s.answer(s.deleteEndpoint)).Methods(http.MethodDelete)
	r.Handle("/v1/endpoints/{endpoint}/rotate", s.answer(s.postRotate)).Methods(http.MethodPost)
	r.Handle("/v1/endpoints/{endpoint}/revoke", s.answer(s.postRevoke)).Methods(http.MethodPost)
	r.Handle("/v1/endpoints/{endpoint}/disable", s.answer(s.postDisable)).Methods(http.MethodPost)
	r.Handle("/v1/endpoints/{endpoint}/enable", s.answer(s.postEnable)).Methods(http.MethodPost)
	r.Handle("/v1/endpoints/{endpoint}/replay", s.answer(s.postReplayRange)).Methods(http.MethodPost)
	r.Handle("/v1/endpoints/{endpoint}/dead-letters", s.answer(s.getDeadLetters)).Methods(http.MethodGet)
	r.Handle("/v1/dead-letters", s.answer(s.getDeadLetters)).Methods(http.MethodGet)
	r.Handle("/v1/events", s.answer(s.postEvent)).Methods(http.MethodPost)
	r.Handle("/v1/events/{event}/deliveries/{endpoint}", s.answer(s.getDelivery)).Methods(http.MethodGet)
	r.Handle("/v1/events/{event}/deliveries/{endpoint}/replay", s.answer(s.postReplay)).Methods(http.MethodPost)
	r.Handle("/v1/events/{event}/deliveries/{endpoint}/send-again", s.answer(s.postSendAgain)).Methods(http.MethodPost)
	r.Handle("/v1/objects/{object}", s.answer(s.putObject)).Methods(http.MethodPut)
	r.Handle("/healthz", s.answer(s.health)).Methods(http.MethodGet)
	r.Handle("/openapi.json", s.answer(getOpenAPI)).Methods(http.MethodGet)
	r.NotFoundHandler = s.answer(func(*http.Request) (int, any, error) {
		return 0, nil, refuse(http.StatusNotFound, "there is nothing at this path")
	})
	r.MethodNotAllowedHandler = s.answer(func(q *http.Request) (int, any, error) {
		return 0, nil, refuse(http.StatusMethodNotAllowed, "this path does not take %s", q.Method)
	})
	return r
}

// health answers once a write is committed: a sender whose disk stalls sends nothing in time, however soon it could say ok.
func (s *Sender) health(*http.Request) (int, any, error) {
	err := s.store.write(func(t *tx) error { return t.exec("UPDATE life SET clean = clean") })
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string]string{"status": "ok"}, nil
}

//go:embed openapi.json
var openAPI []byte

func getOpenAPI(*http.Request) (int, any, error) {
	return http.StatusOK, json.RawMessage(openAPI), nil
}

// refused is an error that the caller of the API is told.
type refused struct {
	status int
	why    string
}

func (e *refused) Error() string { return e.why }

func refuse(status int, why string, args ...any) error {
	return &refused{status: status, why: fmt.Sprintf(why, args...)}
}

// answer makes a handler of a function that returns a status and a value to be written as JSON (nil: none), or an error. An
// error that is not meant for the caller is logged and answered by 503: the sender could not do its work, and nothing was
// accepted.
func (s *Sender) answer(do func(*http.Request) (int, any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		status, value, err := do(q)
		var no *refused
		switch {
		case errors.As(err, &no):
			status, value = no.status, map[string]string{"error": no.why}
		case err != nil:
			if !errors.Is(err, errClosed) {
				s.log.Error("request", "method", q.Method, "err", err)
			}
			status, value = http.StatusServiceUnavailable, map[string]string{"error": "the sender cannot reach its database"}
			if s.stopping.Load() {
				value = map[string]string{"error": "the sender is stopping"}
			}
		}
		writeJSON(w, status, value)
	})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	if value == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // the caller has hung up: nobody is left to be told
}

// accepting refuses whatever would make new work once the sender is stopping.
func (s *Sender) accepting() error {
	if s.stopping.Load() {
		return refuse(http.StatusServiceUnavailable, "the sender is stopping")
	}
	return nil
}

// variable returns a variable of the path, decoded.
func variable(q *http.Request, name string) (string, error) {
	v, err := url.PathUnescape(mux.Vars(q)[name])
	if err != nil {
		return "", refuse(http.StatusBadRequest, "%s in the path is not URL-encoded", name)
	}
	return v, nil
}
