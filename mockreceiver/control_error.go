package mockreceiver

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// apiError is an error with a status of its own; others are 400, since they are about what the caller sent.
type apiError struct {
	status int
	text   string
}

func (e apiError) Error() string { return e.text }

// internal is an error that is ours and not the caller's.
func internal(err error) error { return apiError{http.StatusInternalServerError, err.Error()} }

// errClosing answers what comes while the receiver closes.
var errClosing = apiError{http.StatusServiceUnavailable, "the receiver is closing"}

// writeError answers {"error": "one sentence"}.
func writeError(w http.ResponseWriter, err error) {
	writeJSON(w, statusOf(err), map[string]string{"error": err.Error()})
}

func statusOf(err error) int {
	var api apiError
	var unknown unknownEndpointError
	var none unknownAttemptError
	switch {
	case errors.As(err, &api):
		return api.status
	case errors.As(err, &unknown), errors.As(err, &none):
		return http.StatusNotFound
	default:
		return http.StatusBadRequest
	}
}

func (c control) notFound(req *http.Request) (int, any, error) {
	return 0, nil, apiError{http.StatusNotFound, fmt.Sprintf("%s: the control API has no such path", req.URL.Path)}
}

func (c control) notAllowed(req *http.Request) (int, any, error) {
	return 0, nil, apiError{http.StatusMethodNotAllowed, fmt.Sprintf("%s %s: the control API has no such method there", req.Method, req.URL.Path)}
}

// allowing names the methods that a path has.
func allowing(m *mux.Router, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
			other := *req
			other.Method = method
			var found mux.RouteMatch
			if m.Match(&other, &found) && found.MatchErr == nil {
				w.Header().Add("Allow", method)
			}
		}
		next.ServeHTTP(w, req)
	})
}

// known refuses the name of an endpoint that neither is there nor has left anything in the journal. An empty name stands for all.
func (c control) known(ctx context.Context, name string) error {
	_, err := c.r.endpoints.named(name)
	if name == "" || err == nil {
		return nil
	}
	list, journalErr := c.r.journal.Attempts(ctx, journal.Query{Endpoint: name, Limit: 1, MaxBody: -1})
	switch {
	case journalErr != nil:
		return internal(journalErr)
	case len(list) > 0:
		return nil
	}
	return err
}
