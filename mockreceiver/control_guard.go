package mockreceiver

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// guarded lets nobody in without the token, and no web page at all: not one from another origin, and not one that made its
// own name point to this machine.
func (c control) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		inert(w.Header())
		if err := c.admit(req); err != nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeError(w, err)
			return
		}
		next.ServeHTTP(w, req)
	})
}

func (c control) admit(req *http.Request) error {
	if n := len(req.Header["Origin"]); n > 1 {
		return apiError{http.StatusForbidden, fmt.Sprintf("%d origins: a request has one", n)}
	}
	if origin := req.Header.Get("Origin"); origin != "" && origin != "http://"+req.Host {
		return apiError{http.StatusForbidden, fmt.Sprintf("origin %q: only pages of this address may call the control API", origin)}
	}
	local, ok := req.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || !ownHost(req.Host, local) {
		return apiError{http.StatusForbidden, fmt.Sprintf("host %q: call the control API by its address or as localhost", req.Host)}
	}
	if req.URL.Path == healthPath && req.Header.Get("Authorization") == "" {
		return nil // whoever restarts a receiver that fails has no token; a wrong one is still told
	}
	if !c.knowsToken(req) {
		return apiError{http.StatusUnauthorized, "send the token that the receiver was started with: Authorization: Bearer TOKEN"}
	}
	return nil
}

func (c control) knowsToken(req *http.Request) bool {
	scheme, token, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(token), []byte(c.r.cfg.Token)) == 1
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

// inert sets what makes every answer of the control API useless to a browser: it holds what strangers sent. Nothing in it
// runs, is guessed to be something else, is kept, framed or told to another site.
func inert(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}
