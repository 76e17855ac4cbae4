package mockreceiver

import (
	"net/http"
	"net/url"

	"github.com/gorilla/mux"

	"github.com/hookassay/hookassay/mockreceiver/console"
)

// ConsoleURL is the address of the web page with the token in its fragment, which a browser keeps to itself; empty without a
// control listener. Whoever has it can read and change everything that the receiver holds.
func (r *Receiver) ConsoleURL() string {
	base := r.ControlURL()
	if base == "" {
		return ""
	}
	return base + "/#token=" + url.QueryEscape(r.Token())
}

// withConsole adds the web page to the API. The page is the same for everybody and holds no data: a browser gets it without
// the token.
func (c control) withConsole(api http.Handler) http.Handler {
	page := c.local(console.Handler())
	m := mux.NewRouter().SkipClean(true).UseEncodedPath()
	m.Handle("/", page).Methods(http.MethodGet, http.MethodHead).Name("console")
	m.PathPrefix(console.Assets).Handler(page).Methods(http.MethodGet, http.MethodHead).Name("console assets")
	m.NotFoundHandler = api
	m.MethodNotAllowedHandler = api
	return m
}

// local lets in whoever may call the API but for the token.
func (c control) local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := c.admit(req); err != nil && statusOf(err) != http.StatusUnauthorized {
			writeError(w, err)
			return
		}
		next.ServeHTTP(w, req)
	})
}
