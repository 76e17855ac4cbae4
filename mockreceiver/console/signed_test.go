package console_test

import (
	"crypto/x509"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"

// signatures shows why one holds and another does not, and over which bytes.
func signatures(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{})
	url, err := r.AddEndpoint(mockreceiver.Endpoint{
		Name: "hook", Plan: fault.OK(), Verify: &mockreceiver.Verify{Scheme: "standard-webhooks-v1", Secrets: []string{secret}},
	})
	if err != nil {
		t.Fatal(err)
	}
	scheme, err := signature.Lookup("standard-webhooks-v1")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	h, err := scheme.Sign(signature.Content{ID: "evt_good", At: at, Body: []byte(`{"a":1}`)}, secret)
	if err != nil {
		t.Fatal(err)
	}
	send(t, url, "evt_none", `{}`)
	send(t, url, "", `{"a":1}`, flat(h)...)
	r.console("view=signature")
	r.rows("evt_good", "evt_none")
	r.click(".event")
	r.until("document.querySelector('[aria-label=\"Signed string\"] pre')")
	if text := r.text(".panel"); !strings.Contains(text, "verified") || !strings.Contains(text, "evt_good."+h.Get("Webhook-Timestamp")+`.{"a":1}`) {
		t.Errorf("the panel says:\n%s", text)
	}
	r.click(".event:nth-child(2)")
	r.until("document.querySelector('.panel').textContent.includes('no signature')")
	if text := js[string](r.tab, "document.body.textContent"); strings.Contains(text, secret[6:]) {
		t.Error("the page shows the secret")
	}
}

// flat is a header as send takes it.
func flat(h http.Header) (list []string) {
	for name := range h {
		list = append(list, name, h.Get(name))
	}
	return list
}

// overTLS sends the first event with the very command and certificate that the page offers.
func overTLS(t *testing.T, b chromium) {
	r := start(t, b, mockreceiver.Config{TLS: &mockreceiver.TLS{}})
	r.endpoint("hook", "200")
	r.console("")
	r.until("document.querySelector('#first-curl')?.textContent.includes('--cacert hookassay-ca.pem')")
	js[any](r.tab, `(() => { window.saved = new Promise((done) => {
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => { done(blob); return make.call(URL, blob); };
	}); })(), null`)
	r.click("[aria-label='Send an event'] .quiet")
	pem := js[string](r.tab, "saved.then((blob) => blob.text())")
	if !x509.NewCertPool().AppendCertsFromPEM([]byte(pem)) {
		t.Fatalf("saved: %q", pem)
	}
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, []byte(pem), 0o600); err != nil {
		t.Fatal(err)
	}
	runShell(t, strings.Replace(r.text("#first-curl"), "hookassay-ca.pem", file, 1))
	r.click(".event")
	r.click("[data-view=connection]")
	r.until("/TLS 1\\.[23]/.test(document.querySelector('.panel').textContent)")
}
