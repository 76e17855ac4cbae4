package signature_test

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// published is a vector of testdata/published.json, which is a collection of what providers publish, of what was derived from that, and of
// what was made by a provider's description (kind says which). It stands there as it was collected.
type published struct {
	ID, Scheme, Kind, Secret, Body string

	SecretForm string `json:"secret_form"`
	Headers    map[string]string
	Valid      bool
	Hash       string
	Encoding   string
	Request    struct {
		Method, URL string
		Status      int `json:"response_status"`
	}
	WebhookID  string `json:"webhook_id"`
	PrivateKey string `json:"private_key"`
	Symmetric  string `json:"symmetric_secret"`
	Expected   string `json:"expected_signature"`
	Signed     string `json:"signed_content"`
}

func publishedVectors(t testing.TB) []published {
	t.Helper()
	text, err := os.ReadFile("testdata/published.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []published
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// scheme is the vector's scheme, with what the vector says of it.
func (v published) scheme(t testing.TB) *signature.Scheme {
	t.Helper()
	r := scheme(t, v.Scheme).Record()
	if v.Hash != "" {
		r.Digest = v.Hash
	}
	if v.Encoding != "" {
		r.Encoding = v.Encoding
	}
	if v.SecretForm == "hex string" {
		r.Secret.Decode = "hex"
	}
	if v.WebhookID != "" {
		r.Constants[0].Value = v.WebhookID
	}
	s, err := signature.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (v published) request() signature.Request {
	r := signature.Request{Method: v.Request.Method, URL: v.Request.URL, Status: v.Request.Status, Body: []byte(v.Body)}
	r.Header = vector{Headers: v.Headers}.header()
	if v.Expected != "" { // of the bare digest, which no header carries
		r.Header.Set("X-Signature", v.Expected)
	}
	return r
}

// judgedAt is when the vector says that it was looked at: at its own time, or long after where it is about that.
func (v published) judgedAt(signed time.Time) time.Time {
	if v.ID == "convoy-advanced-expired" || v.ID == "slack-3-expired" {
		return signed.Add(301 * time.Second)
	}
	return signed
}

func TestPublishedVectors(t *testing.T) {
	all := publishedVectors(t)
	if len(all) != 67 {
		t.Errorf("there are %d vectors, want 67", len(all))
	}
	for _, v := range all {
		t.Run(v.ID, func(t *testing.T) {
			s, r := v.scheme(t), v.request()
			f := s.VerifyRequest(r, v.Secret)
			past, _ := s.Tolerance()
			valid := f.OK() && f.Fresh(v.judgedAt(f.SignedAt), past)
			if valid != v.Valid {
				t.Errorf("got %s (%s), want valid %t", f.Reason, f.Detail, v.Valid)
			}
			if by := s.Verifies(r, v.Secret); !slices.Equal(by, f.Keys) {
				t.Errorf("it verifies by %v, and the finding says %v", by, f.Keys)
			}
			ready, err := s.Verifier(v.Secret)
			if err != nil {
				t.Fatal(err)
			}
			if g := ready.VerifyRequest(r); g.OK() != f.OK() {
				t.Errorf("the verifier says %s (%s), and the scheme %s", g.Reason, g.Detail, f.Reason)
			}
			if v.Symmetric != "" {
				if f := scheme(t, "standard-webhooks-v1").VerifyRequest(r, v.Symmetric); !f.OK() {
					t.Errorf("by the symmetric key: got %s (%s)", f.Reason, f.Detail)
				}
			}
		})
	}
}

// TestSignReproducesPublishedVectors signs what was published anew, wherever the key that signs is known: the published signature must
// come out.
func TestSignReproducesPublishedVectors(t *testing.T) {
	signed := map[string]bool{}
	for _, v := range publishedVectors(t) {
		s, r := v.scheme(t), v.request()
		key := v.signingKey(s)
		f := s.VerifyRequest(r, v.Secret)
		if !v.Valid || key == "" {
			continue
		}
		c := signature.Content{ID: r.Header.Get(s.Record().MessageID.Header), At: f.SignedAt, Body: r.Body, Method: r.Method, URL: r.URL, Header: http.Header{}}
		c.Header.Set("Content-Type", r.Header.Get("Content-Type"))
		for name, value := range v.Headers {
			if strings.EqualFold(name, s.Record().MessageID.Header) {
				c.ID = value
			}
		}
		if !v.reproduced(t, s, c, key) {
			t.Errorf("%s: signed anew, the signature is another", v.ID)
		}
		signed[v.Scheme] = true
	}
	for _, v := range publishedVectors(t) {
		// Of PayPal and SendGrid only the public keys are known; what RFC 9421 covers is for each signature to say, and is compared below.
		if id := v.Scheme; v.Valid && !signed[id] && id != "paypal" && id != "sendgrid-ecdsa" && id != "rfc9421" {
			t.Errorf("%s: nothing was signed", id)
		}
	}
}

// signingKey is empty where only the public one is known.
func (v published) signingKey(s *signature.Scheme) string {
	switch {
	case v.PrivateKey != "":
		return v.PrivateKey
	case v.Scheme == "discord-ed25519": // RFC 8032, section 7.1, test 1
		return "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60" + v.Secret
	case v.Scheme == "content-digest":
		return "none"
	case s.Record().Algorithm == "" || s.Record().Algorithm == "hmac" || s.Record().Algorithm == "token":
		return v.Secret
	}
	return ""
}

// reproduced tells whether one of the forms of the URL gives what was published.
func (v published) reproduced(t *testing.T, s *signature.Scheme, c signature.Content, key string) bool {
	t.Helper()
	urls := []string{c.URL}
	if len(s.Record().URLVariants) > 0 {
		urls = append(urls, strings.Replace(c.URL, ":1234", "", 1), strings.Replace(c.URL, ".com/", ".com:443/", 1), strings.Replace(c.URL, ".com/", ".com:80/", 1))
	}
	for _, c.URL = range urls {
		r, err := signRequest(s, c, key)
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		if s.InBody() {
			return string(r.Body) == v.Body
		}
		texts := s.Signatures(r.Header)
		if v.Scheme == "content-digest" {
			texts = []string{r.Header.Get("Content-Digest")}
		}
		published := v.Expected
		for name, value := range v.Headers {
			if strings.EqualFold(name, s.Header()) {
				published = value
			}
		}
		if len(texts) == 1 && strings.Contains(published, texts[0]) {
			return true
		}
	}
	return false
}

// TestSignedContentOfPublishedVectors compares the bytes under the signature, where the vectors have them.
func TestSignedContentOfPublishedVectors(t *testing.T) {
	compared := 0
	for _, v := range publishedVectors(t) {
		if v.Signed == "" {
			continue
		}
		compared++
		if got, ok := v.scheme(t).SignedRequest(v.request()); !ok || string(got) != v.Signed {
			t.Errorf("%s: got %q, want %q", v.ID, got, v.Signed)
		}
	}
	if compared < 5 {
		t.Errorf("%d were compared", compared)
	}
}
