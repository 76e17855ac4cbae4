package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// TestVerifyByACertificateOfAFolder: the request names its certificate by URL, which is a file here; a pin and an authority must hold.
func TestVerifyByACertificateOfAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ca, leaf := certified(t, &key.PublicKey)
	roots := put("ca.pem", ca)
	put("CERT-1.pem", leaf)
	// Their webhook id is a constant that only the receiver knows, so that a record says it.
	record, err := json.Marshal(map[string]any{"id": "own-paypal", "like": "paypal", "constants": []map[string]string{{"name": "webhook_id", "value": "WH-1"}}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := signature.Lookup(string(record))
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	h, err := s.Sign(signature.Content{ID: "id-1", At: at, Body: []byte("{}")}, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	if err != nil {
		t.Fatal(err)
	}
	verify := func(url string, more ...string) (string, int) {
		args := []string{
			"verify", "--scheme", string(record), "--body", put("body.json", []byte("{}")), "--certificates", dir, "--certificate-ca", roots,
			"--header", "PAYPAL-CERT-URL: " + url,
		}
		for name := range h {
			args = append(args, "--header", name+": "+h.Get(name))
		}
		return command(t, append(args, more...)...)
	}
	const good = "https://certs.example.com/v1/CERT-1"
	pin := []string{"--certificate-host", "certs.example.com"}
	if out, code := verify(good, pin...); code != 0 || !strings.Contains(out, "verified by key 1") {
		t.Errorf("exit %d: %s", code, out)
	}
	for want, try := range map[string]func() (string, int){
		"needs --certificate-host": func() (string, int) { return verify(good) },
		"none of the pinned hosts": func() (string, int) { return verify("https://evil.example/CERT-1", pin...) },
		"fetch the certificate":    func() (string, int) { return verify("https://certs.example.com/CERT-2", pin...) },
		"is no plain https URL":    func() (string, int) { return verify("file:///etc/passwd", pin...) },
	} {
		if out, code := try(); code != 2 || !strings.Contains(out, want) {
			t.Errorf("exit %d: %s, want %q", code, out, want)
		}
	}
	for _, at := range []string{"https://certs.example.com/..", "https://certs.example.com/%2e%2e%2fca.pem", "https://certs.example.com"} {
		if out, code := verify(at, pin...); code == 0 || strings.Contains(out, "root:") {
			t.Errorf("%s: exit %d: %s", at, code, out)
		}
	}
}

// certified makes an authority and a certificate of a key by it, in PEM.
func certified(t *testing.T, public *rsa.PublicKey) (ca, leaf []byte) {
	t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	made := func(name string, authority bool, parent *x509.Certificate, public any) (*x509.Certificate, []byte) {
		c := &x509.Certificate{
			SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour),
			IsCA: authority, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		}
		if parent == nil {
			parent = c
		}
		der, err := x509.CreateCertificate(rand.Reader, c, parent, public, own)
		if err != nil {
			t.Fatal(err)
		}
		if c, err = x509.ParseCertificate(der); err != nil {
			t.Fatal(err)
		}
		return c, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	}
	authority, ca := made("authority", true, nil, &own.PublicKey)
	_, leaf = made("sender", false, authority, public)
	return ca, leaf
}
