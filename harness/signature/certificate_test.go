package signature_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// issued makes a certificate for a key, by an issuer or by itself.
func issued(t *testing.T, name string, key *rsa.PrivateKey, issuer *x509.Certificate, by *rsa.PrivateKey) (*x509.Certificate, []byte) {
	t.Helper()
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: from, NotAfter: from.AddDate(1, 0, 0),
		IsCA: issuer == nil, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if issuer == nil {
		issuer = c
	}
	der, err := x509.CreateCertificate(rand.Reader, c, issuer, key.Public(), by)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return made, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func rsaKey(t *testing.T, n int) *rsa.PrivateKey {
	t.Helper()
	block, _ := pem.Decode([]byte(rsaKeys()[n]))
	k, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	key, ok := k.(*rsa.PrivateKey)
	if !ok {
		t.Fatal("it is no RSA key")
	}
	return key
}

func TestCertificatesVerifyPayPal(t *testing.T) {
	authority, _ := issued(t, "authority", rsaKey(t, 0), nil, rsaKey(t, 0))
	_, leaf := issued(t, "sender", rsaKey(t, 1), authority, rsaKey(t, 0))
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	const url = "https://certs.example.com/a.pem"
	certs := signature.Certificates{
		Hosts: []string{"certs.example.com"}, Roots: roots,
		Fetch: func(at string) ([]byte, error) {
			if at != url {
				t.Errorf("fetched %s", at)
			}
			return leaf, nil
		},
	}
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	s := readyScheme(t, "paypal")
	r, err := signRequest(s, content(s, []byte("x"), now), rsaKeys()[1])
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Paypal-Cert-Url", url)
	key, err := certs.Key(s.CertificateURL(r.Header), now)
	if err != nil {
		t.Fatal(err)
	}
	if f := s.VerifyRequest(r, key); !f.OK() {
		t.Errorf("got %s (%s)", f.Reason, f.Detail)
	}
	if at := s.CertificateURL(http.Header{}) + scheme(t, "stripe").CertificateURL(r.Header); at != "" {
		t.Errorf("got %q of requests and schemes without a certificate", at)
	}
}

func TestCertificatesRefuse(t *testing.T) {
	authority, root := issued(t, "authority", rsaKey(t, 0), nil, rsaKey(t, 0))
	_, leaf := issued(t, "sender", rsaKey(t, 1), authority, rsaKey(t, 0))
	_, stranger := issued(t, "stranger", rsaKey(t, 2), nil, rsaKey(t, 2))
	roots := x509.NewCertPool()
	roots.AddCert(authority)
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	const good = "https://certs.example.com/a.pem"
	for name, tt := range map[string]struct {
		url  string
		text []byte
		now  time.Time
		want string
	}{
		"no URL":            {"", leaf, now, "no plain https URL"},
		"not encrypted":     {"http://certs.example.com/a.pem", leaf, now, "no plain https URL"},
		"another port":      {"https://certs.example.com:8443/a.pem", leaf, now, "no plain https URL"},
		"a name in it":      {"https://certs.example.com@evil.example/a.pem", leaf, now, "no plain https URL"},
		"another host":      {"https://evil.example/a.pem", leaf, now, "none of the pinned hosts"},
		"a host alike":      {"https://certs.example.com.evil.example/a.pem", leaf, now, "none of the pinned hosts"},
		"a stranger's":      {good, stranger, now, "not trusted"},
		"expired":           {good, leaf, now.AddDate(1, 0, 0), "not trusted"},
		"not yet valid":     {good, leaf, now.AddDate(-1, 0, 0), "not trusted"},
		"no certificate":    {good, []byte("hello"), now, "no certificate in PEM"},
		"another PEM block": {good, []byte(rsaKeys()[0]), now, "is no certificate"},
		"too many":          {good, []byte(strings.Repeat(string(root), 9)), now, "more than 8"},
		"nothing comes":     {good, nil, now, "fetch the certificate: gone"},
	} {
		c := signature.Certificates{Hosts: []string{"certs.example.com"}, Roots: roots, Fetch: func(string) ([]byte, error) {
			if tt.text == nil {
				return nil, errors.New("gone")
			}
			return tt.text, nil
		}}
		if key, err := c.Key(tt.url, tt.now); err == nil || key != "" || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %q, %v, want %s", name, key, err, tt.want)
		}
	}
}
