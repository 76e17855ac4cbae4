package refsender

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

const (
	// Answers say little; 64 KiB hold any error page worth a digest, and no peer can make the sender read on for ever. Of bodies
	// the contract may say otherwise.
	answerMax = 64 << 10
	// Idle connections are closed by us before common servers close them (5 s and up), so that a request seldom meets a
	// connection that the peer is just giving up.
	idleMax = 3 * time.Second
)

// transport returns the client of all deliveries. It follows no redirect, reads no proxy settings, asks for no compression
// and speaks HTTP/1.1, so that what it sends is what was written here; one variant speaks HTTP/2.
func (cfg Config) transport(d defect, v variant) (*http.Transport, error) {
	dial := cfg.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	trusted, err := cfg.trusted()
	if err != nil {
		return nil, err
	}
	kept, idle := cfg.idle()
	return v.transport(d.pool(&http.Transport{
		DialContext:            dial,
		TLSClientConfig:        d.verification(&tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}),
		DisableCompression:     true,
		MaxIdleConnsPerHost:    kept,
		IdleConnTimeout:        idle,
		MaxResponseHeaderBytes: answerMax,
	})), nil
}

// idle is how many idle connections to one endpoint are kept, and for how long.
func (cfg Config) idle() (kept int, d time.Duration) {
	kept, d = cfg.workers(), idleMax
	if n := cfg.Contract.Network; n != nil {
		if n.IdleConnections > 0 {
			kept = min(kept, n.IdleConnections)
		}
		if n.IdleTimeout > 0 {
			d = min(d, n.IdleTimeout)
		}
	}
	return kept, d
}

// trusted are the authorities that deliveries trust; nil means the system's.
func (cfg Config) trusted() (*x509.CertPool, error) {
	if cfg.TrustFile == "" {
		return nil, nil
	}
	text, err := os.ReadFile(cfg.TrustFile)
	if err != nil {
		return nil, fmt.Errorf("read the authorities to trust: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // the system has none
	}
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM form; name a file with the authorities to trust", cfg.TrustFile)
	}
	return pool, nil
}
