package httpapi

import (
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// wire is how far a request came. What a connection that the other side closed at once makes of it depends on who was faster: an end of
// file, a reset, a broken pipe, or net/http's word that it was idle. The errors tell these apart, and for us they are one.
type wire struct{ connected, answered atomic.Bool }

func (w *wire) watch(req *http.Request) *http.Request {
	return req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn:              func(httptrace.GotConnInfo) { w.connected.Store(true) },
		GotFirstResponseByte: func() { w.answered.Store(true) },
	}))
}

// silent tells that there was a connection, and no byte of an answer.
func (w *wire) silent() bool { return w.connected.Load() && !w.answered.Load() }
