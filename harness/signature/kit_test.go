package signature_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// failer is what tests and properties have in common.
type failer interface {
	Fatal(args ...any)
	Helper()
}

// readyScheme is a scheme with a value for each of its constants.
func readyScheme(t failer, id string) *signature.Scheme {
	t.Helper()
	s, err := signature.Lookup(id)
	if err != nil {
		t.Fatal(err)
	}
	r := s.Record()
	for i := range r.Constants {
		r.Constants[i].Value = "constant"
	}
	if s, err = signature.Compile(r); err != nil {
		t.Fatal(err)
	}
	return s
}

// keyedIDs are the schemes that have a key.
func keyedIDs() []string {
	return slices.DeleteFunc(signature.IDs(), func(id string) bool { return id == "content-digest" })
}

// rsaKeys are a few private keys: making one takes a while.
var rsaKeys = sync.OnceValue(func() []string {
	var texts []string
	for range 4 {
		k, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		der, err := x509.MarshalPKCS8PrivateKey(k)
		if err != nil {
			panic(err)
		}
		texts = append(texts, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
	}
	return texts
})

// keyText makes a key that signs, the n-th of its kind: keys of other n are others.
func keyText(t failer, s *signature.Scheme, random []byte, n byte) string {
	t.Helper()
	if s.Record().Algorithm == "rsa-pkcs1v15" {
		return rsaKeys()[n]
	}
	seed := sha256.Sum256(append(bytes.Clone(random), n))
	text, err := s.Secret(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const hook = "https://example.com:8443/hook?a=1&b=2"

// content is what a scheme can sign, of any text.
func content(s *signature.Scheme, text []byte, at time.Time) signature.Content {
	c := signature.Content{ID: "evt_1", At: at, Body: text, Method: http.MethodPost, URL: hook, Header: http.Header{}}
	quoted := hex.EncodeToString(text)
	switch s.ID() {
	case "linear":
		c.Body = fmt.Appendf(nil, `{"webhookTimestamp":%d,"text":%q}`, max(at.UnixMilli(), 1e12), quoted)
	case "mailgun":
		c.Body = fmt.Appendf(nil, `{"event-data":{"text":%q}}`, quoted)
	case "adyen-standard":
		item := fmt.Sprintf(`{"NotificationRequestItem":{"pspReference":%q,"amount":{"value":1,"currency":"EUR"},"success":"true"}}`, quoted)
		c.Body = []byte(`{"notificationItems":[` + item + `,` + item + `]}`)
	case "twilio":
		c.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		c.Body = []byte(url.Values{"Text": {quoted}, "From": {"+1"}}.Encode())
	}
	return c
}

// signRequest makes the request that a sender would.
func signRequest(s *signature.Scheme, c signature.Content, keys ...string) (signature.Request, error) {
	r := signature.Request{Method: c.Method, URL: c.URL, Header: c.Header.Clone(), Body: c.Body}
	if s.InBody() {
		body, err := s.SignBody(c, keys...)
		r.Body = body
		return r, err
	}
	h, err := s.Sign(c, keys...)
	for name, values := range h {
		if r.Header == nil {
			r.Header = http.Header{}
		}
		r.Header[name] = values
	}
	return r, err
}
