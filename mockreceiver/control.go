package mockreceiver

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

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
		status, answer, err := handle(req)
		if err != nil {
			status, answer = statusOf(err), map[string]string{"error": err.Error()}
		}
		writeJSON(w, status, answer)
	})
}

func statusOf(err error) int {
	var api apiError
	var unknown unknownEndpointError
	switch {
	case errors.As(err, &api):
		return api.status
	case errors.As(err, &unknown):
		return http.StatusNotFound
	default:
		return http.StatusBadRequest
	}
}

func writeJSON(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Cache-Control", "no-store")
	if answer == nil {
		w.WriteHeader(status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(answer) // the caller hung up: there is nobody to tell
}

// guarded lets nobody in without the token, and no web page at all: not one from another origin, and not one that made its
// own name point to this machine.
func (c control) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := c.admit(req); err != nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeJSON(w, statusOf(err), map[string]string{"error": err.Error()})
			return
		}
		next.ServeHTTP(w, req)
	})
}

func (c control) admit(req *http.Request) error {
	if origin := req.Header.Get("Origin"); origin != "" && origin != "http://"+req.Host {
		return apiError{http.StatusForbidden, fmt.Sprintf("origin %q: only pages of this address may call the control API", origin)}
	}
	local, ok := req.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || !ownHost(req.Host, local) {
		return apiError{http.StatusForbidden, fmt.Sprintf("host %q: call the control API by its address or as localhost", req.Host)}
	}
	scheme, token, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(token), []byte(c.r.cfg.Token)) != 1 {
		return apiError{http.StatusUnauthorized, "send the token that the receiver was started with: Authorization: Bearer TOKEN"}
	}
	return nil
}

// ownHost tells whether a Host header names the listener by an address or as localhost. On an address other than loopback
// the receiver cannot know its names (a container's, say), and any will do; the token still guards it.
func ownHost(host string, local net.Addr) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	at, err := netip.ParseAddrPort(local.String())
	if err != nil || !at.Addr().Unmap().IsLoopback() {
		return true
	}
	ip, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return strings.EqualFold(name, "localhost") || err == nil && ip.Unmap().IsLoopback()
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
