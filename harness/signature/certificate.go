package signature

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Certificates finds the keys of senders that name a certificate by its URL in each request. It fetches nothing by itself.
type Certificates struct {
	// Fetch returns the certificates at a URL in PEM, the signer's first and its issuers after it. Whoever fetches bounds time and size.
	Fetch func(url string) ([]byte, error)
	// Hosts are the hosts that certificates may come from: without a pin a stranger names a certificate of his own.
	Hosts []string
	// Roots are the authorities that are trusted.
	Roots *x509.CertPool
}

const maxCertificates = 8 // of a chain: the longest in use have four

// CertificateURL is the URL at which a request says that its signer's certificate is; empty where the scheme has none, or the request
// names none or several.
func (s *Scheme) CertificateURL(h http.Header) string {
	if s.rec.CertificateHeader == "" {
		return ""
	}
	at, _ := headers{canonical: h}.single(s.rec.CertificateHeader)
	return at
}

// Key returns the signer's key as text for Verify. It refuses a URL that is no https URL of a pinned host, and a certificate that no trusted
// authority vouches for at that time.
func (c Certificates) Key(at string, now time.Time) (string, error) {
	u, err := url.Parse(at)
	switch {
	case err != nil || u.Scheme != "https" || u.User != nil || u.Port() != "":
		return "", errors.New("the certificate's URL is no plain https URL")
	case !slices.Contains(c.Hosts, strings.ToLower(u.Hostname())):
		return "", fmt.Errorf("the certificate's URL is at %s, which is none of the pinned hosts", quoted(u.Hostname()))
	}
	text, err := c.Fetch(at)
	if err != nil {
		return "", fmt.Errorf("fetch the certificate: %w", err)
	}
	chain, err := parseChain(text)
	if err != nil {
		return "", err
	}
	issuers := x509.NewCertPool()
	for _, issuer := range chain[1:] {
		issuers.AddCert(issuer)
	}
	if _, err := chain[0].Verify(x509.VerifyOptions{
		Roots: c.Roots, Intermediates: issuers, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	}); err != nil {
		return "", fmt.Errorf("the certificate is not trusted: %w", err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: chain[0].Raw})), nil
}

func parseChain(text []byte) ([]*x509.Certificate, error) {
	var chain []*x509.Certificate
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		if len(chain) == maxCertificates {
			return nil, fmt.Errorf("there are more than %d certificates", maxCertificates)
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, errors.New("what was fetched is no certificate")
		}
		chain = append(chain, cert)
	}
	if len(chain) == 0 {
		return nil, errors.New("what was fetched holds no certificate in PEM")
	}
	return chain, nil
}
