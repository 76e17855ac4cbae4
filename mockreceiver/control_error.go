package mockreceiver

import (
	"errors"
	"fmt"
	"net/http"
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
