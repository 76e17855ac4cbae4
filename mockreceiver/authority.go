package mockreceiver

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"sync"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

const (
	// certLife is how long our certificates are valid: longer than a receiver is left running, and too short to be of use to
	// anybody who finds one later.
	certLife = 7 * 24 * time.Hour
	// clockSlack is how far a sender's clock may be behind ours.
	clockSlack = time.Hour
)

// authority is a certificate authority that lives as long as its receiver. Its key is never written anywhere.
type authority struct {
	once sync.Once
	err  error
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

// ready makes the authority when it is first needed.
func (a *authority) ready() error {
	a.once.Do(func() { a.err = a.make() })
	return a.err
}

func (a *authority) make() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make a certificate authority: %w", err)
	}
	template := certTemplate("hookassay throw-away authority")
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return fmt.Errorf("make a certificate authority: %w", err)
	}
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		return fmt.Errorf("make a certificate authority: %w", err)
	}
	a.key, a.pem = key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return nil
}

// certTemplate is a certificate that is valid now. Numbers are random, so that no two certificates of an authority have one.
func certTemplate(name string) *x509.Certificate {
	number := make([]byte, 16) // 128 bits: what public authorities use at least 64 of
	_, _ = rand.Read(number)   // it never fails
	number[0] &= 0x7f          // a positive number
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(number), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-clockSlack), NotAfter: now.Add(certLife),
	}
}

// otherName is in nobody's reach (RFC 2606), and so never the name that a sender asks for.
const otherName = "wrong-name.invalid"

// leaf makes a server's certificate for hosts.
func (a *authority) leaf(hosts []string, f fault.Flaw) (tls.Certificate, error) {
	if err := a.ready(); err != nil {
		return tls.Certificate{}, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make a certificate: %w", err)
	}
	template := certTemplate("hookassay receiver")
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	parent, signer := a.cert, a.key
	switch f {
	case fault.Sound:
	case fault.Expired:
		template.NotBefore, template.NotAfter = time.Now().Add(-2*certLife), time.Now().Add(-certLife)
	case fault.NotYetValid:
		template.NotBefore, template.NotAfter = time.Now().Add(certLife), time.Now().Add(2*certLife)
	case fault.SelfSigned:
		parent, signer = template, key
	case fault.WrongName:
		hosts = []string{otherName}
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
			continue
		}
		template.DNSNames = append(template.DNSNames, h)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make a certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// CA is the certificate of the receiver's own authority, PEM, by which senders can trust its TLS listeners. It is made new
// for each receiver. nil if no certificate could be made.
func (r *Receiver) CA() []byte {
	if r.authority.ready() != nil {
		return nil
	}
	return bytes.Clone(r.authority.pem)
}

// CertPool holds the receiver's own authority, for a client in Go: tls.Config{RootCAs: r.CertPool()}.
func (r *Receiver) CertPool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(r.CA())
	return pool
}
