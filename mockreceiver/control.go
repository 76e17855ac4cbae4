package mockreceiver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/mux"
)

// control is the control API: JSON in and out, on a listener of its own. An error is {"error": "one sentence"}.
type control struct{ r *Receiver }

// apiError is an error with a status of its own; others are 400, since they are about what the caller sent.
type apiError struct {
	status int
	text   string
}

func (e apiError) Error() string { return e.text }

// maxControlBody bounds a request to the control API: a plan of the largest size, quoted.
const maxControlBody = 256 << 10

// handler answers with what handle returns.
func (c control) handler(handle func(*http.Request) (int, any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !c.r.begin(&c.r.handlers) {
			writeJSON(w, http.StatusServiceUnavailable, map[string]string{"error": "the receiver is closing"})
			return
		}
		defer c.r.handlers.Done()
		req.Body = http.MaxBytesReader(w, req.Body, maxControlBody)
		if req.ContentLength == 0 {
			// The request is read. The deadline for that would end a long answer: net/http goes on reading to see a hang-up.
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		}
		status, answer, err := handle(req)
		if err != nil {
			status, answer = statusOf(err), map[string]string{"error": err.Error()}
		}
		if other, ok := answer.(writer); ok {
			other.write(w, req)
			return
		}
		writeJSON(w, status, answer)
	})
}

// writer is an answer that is no JSON value. It writes status, header and body itself.
type writer interface {
	write(w http.ResponseWriter, req *http.Request)
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

// pathVar is a part of the path, decoded.
func pathVar(req *http.Request, name string) (string, error) {
	v, err := url.PathUnescape(mux.Vars(req)[name])
	if err != nil {
		return "", fmt.Errorf("path: %w", err)
	}
	return v, nil
}

// readJSON reads the body strictly: a misspelt field is an error.
func readJSON(req *http.Request, v any) error {
	d := json.NewDecoder(req.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("body: want one JSON value and nothing after it")
	}
	return nil
}
