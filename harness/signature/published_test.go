package signature_test

import (
	"encoding/json"
	"os"
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
