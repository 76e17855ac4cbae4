package refsender

import "net/http"

// transport changes how connections are used.
func (v variant) transport(t *http.Transport) *http.Transport {
	switch v {
	case connectionPerRequest:
		t.DisableKeepAlives = true
	case longReuse:
		t.IdleConnTimeout = 0
	default:
	}
	return t
}

// dress changes how a request stands on the wire.
func (v variant) dress(req *http.Request) {
	if v == chunkedFraming {
		req.ContentLength = -1 // not known, so that the transport sends chunks
	}
}
