package refsender

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"

	"github.com/hookassay/hookassay/harness/contract"
)

// The defects of connections, and of TLS on them.
const (
	noRetryTLS        defect = "no-retry-tls"
	tlsNotVerified    defect = "tls-not-verified"
	tlsNameNotChecked defect = "tls-name-not-checked"
	tlsTrustIgnored   defect = "tls-trust-ignored"
	connLeak          defect = "conn-leak"
	connIdleForever   defect = "conn-idle-forever"
)

// netDefects are bugs in how connections are made and kept.
func netDefects() []Defect {
	return []Defect{
		{
			Name: string(noRetryTLS), MustFail: "net.survives", MayAlso: company("retry.transient"),
			Title: "an event whose TLS handshake failed is given up",
		},
		{
			Name: string(tlsNotVerified), MustFail: "sec.tls", MayAlso: company(),
			Title: "certificates are not checked",
		},
		{
			Name: string(tlsNameNotChecked), MustFail: "sec.tls", MayAlso: company(),
			Title: "the name in a certificate is not checked",
		},
		{
			Name: string(tlsTrustIgnored), MustFail: "sec.tls", MayAlso: company(),
			Title: "authorities that are configured are not trusted",
		},
		{
			Name: string(connLeak), MustFail: "net.leak", MayAlso: company(), Contract: IdleBound,
			Title: "each attempt makes a pool of connections of its own",
		},
		{
			Name: string(connIdleForever), MustFail: "net.leak", MayAlso: company(), Contract: IdleBound,
			Title: "idle connections are never closed",
		},
	}
}

// verification changes how certificates are checked.
func (d defect) verification(cfg *tls.Config) *tls.Config {
	switch d {
	case tlsNotVerified:
		cfg.InsecureSkipVerify = true
	case tlsNameNotChecked:
		cfg.InsecureSkipVerify = true
		cfg.VerifyConnection = func(s tls.ConnectionState) error {
			among := x509.NewCertPool()
			for _, c := range s.PeerCertificates[1:] {
				among.AddCert(c)
			}
			_, err := s.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: cfg.RootCAs, Intermediates: among})
			return err
		}
	case tlsTrustIgnored:
		cfg.RootCAs = nil
	default:
	}
	return cfg
}

// endsBy tells whether a failure that is transient ends the delivery.
func (d defect) endsBy(f facts) bool {
	return d == noRetryTLS && f.status == 0 && f.kind == contract.ErrorTLS
}

// pool changes how connections are kept.
func (d defect) pool(t *http.Transport) *http.Transport {
	if d == connIdleForever || d == connLeak {
		t.IdleConnTimeout = 0
	}
	return t
}

// client is what makes one attempt.
func (d defect) client(shared *http.Transport) *http.Transport {
	if d == connLeak {
		return shared.Clone()
	}
	return shared
}
