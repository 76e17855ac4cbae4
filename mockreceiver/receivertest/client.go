package receivertest

import (
	"crypto/tls"
	"net/http"
)

// Client returns an HTTP client that trusts the receiver where it speaks TLS, and follows no redirect, as a sender should not. Each
// call makes a new one with connections of its own; they end with the test. Time limits are up to the caller.
func (r *Receiver) Client() *http.Client {
	tr := &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: r.Mock.CertPool(), MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2: true, // net/http leaves it out where it is given TLS settings
	}
	r.t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{
		Transport:     tr,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
