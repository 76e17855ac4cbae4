package signature_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/signature"
)

// vector is a signed request that somebody published, or that was derived from one.
type vector struct {
	ID, Scheme, Kind, Note, Source string

	Keys    []string
	Headers map[string]string
	Body    string
	URL     string
	Method  string
	Reason  signature.Reason
}

func vectors(t testing.TB) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func (v vector) header() http.Header {
	h := http.Header{}
	for name, value := range v.Headers {
		h[name] = []string{value} // as published, whatever its case
	}
	return h
}

func scheme(t testing.TB, id string) *signature.Scheme {
	t.Helper()
	s, err := signature.Lookup(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (v vector) request() signature.Request {
	return signature.Request{Method: v.Method, URL: v.URL, Header: v.header(), Body: []byte(v.Body)}
}

// TestVectors wants of each scheme a good vector, here or among the published ones, so that a new scheme cannot come without.
func TestVectors(t *testing.T) {
	good := map[string]int{}
	for _, v := range vectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			s := scheme(t, v.Scheme)
			f := s.VerifyRequest(v.request(), v.Keys...)
			if f.Reason != v.Reason || f.OK() != (v.Reason == signature.Verified) {
				t.Errorf("got %s (%s), want %s", f.Reason, f.Detail, v.Reason)
			}
			checkDetail(t, f)
		})
		if v.Reason == signature.Verified {
			good[v.Scheme]++
		}
	}
	for _, v := range publishedVectors(t) {
		if v.Valid {
			good[v.Scheme]++
		}
	}
	for _, s := range signature.Schemes() {
		if good[s.ID()] == 0 {
			t.Errorf("%s has no good vector", s.ID())
		}
	}
}

func TestLookupSaysWhereTheKnownSchemesStand(t *testing.T) {
	_, err := signature.Lookup("rot13")
	want := `signature scheme "rot13" is unknown; hookassay list schemes names them`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err = signature.Lookup("../schemes/stripe"); err == nil {
		t.Error("a path is an id")
	}
	if _, err = signature.Lookup(strings.Repeat("x", 500)); err == nil || len(err.Error()) > 200 {
		t.Errorf("got %v, want it cut", err)
	}
}

func TestSchemesDescribeThemselves(t *testing.T) {
	for id, want := range map[string][2]string{
		"standard-webhooks-v1": {
			"Standard Webhooks, symmetric: HMAC-SHA256 over id, time and body; in Webhook-Signature; covers body, timestamp, id",
			"Webhook-Signature Webhook-Timestamp Webhook-Id",
		},
		"timestamp-v1": {
			"HMAC-SHA256 over time and body, both in one header; in X-Webhook-Signature; covers body, timestamp", "X-Webhook-Signature",
		},
		"mailgun":         {"Mailgun: HMAC over time and token in the body, and not the event; in the body; covers timestamp, id", ""},
		"paypal":          {"PayPal: RSA over id, time, webhook id and the body's CRC-32; in Paypal-Transmission-Sig; covers body-crc32, timestamp, id", "Paypal-Transmission-Sig Paypal-Transmission-Time Paypal-Transmission-Id"},
		"gitea":           {"Gitea: HMAC over the JSON text, also of a form, in four headers; in X-Gitea-Signature; covers body", "X-Gitea-Signature X-Gogs-Signature X-Hub-Signature-256 X-Hub-Signature"},
		"rfc9421-webhook": {"HTTP Message Signatures over time, method, target and body; in Signature; covers body, timestamp, method, target", "Signature Signature-Input Content-Digest"},
	} {
		s := scheme(t, id)
		if diff := cmp.Diff(want, [2]string{strings.TrimPrefix(s.Describe(), id+": "), strings.Join(s.Headers(), " ")}); diff != "" {
			t.Error(diff)
		}
	}
}

func TestFreshness(t *testing.T) {
	s := scheme(t, "timestamp-v1")
	at := time.Unix(1_700_000_000, 0)
	h, err := s.Sign(signature.Content{At: at.Add(900 * time.Millisecond), Body: []byte("{}")}, "key")
	if err != nil {
		t.Fatal(err)
	}
	f := s.Verify(h, []byte("{}"), "key")
	for _, tt := range []struct {
		name  string
		after time.Duration
		fresh bool
	}{
		{"at once", 0, true},
		{"at the limit", 300 * time.Second, true},
		{"past it", 301 * time.Second, false},
		{"from the future, at the limit", -300 * time.Second, true},
		{"from further in the future", -301 * time.Second, false},
		{"centuries later", 1<<63 - 1, false},
		{"centuries before", -1 << 63, false},
	} {
		now := at.Add(tt.after)
		if got := f.Age(now); got != tt.after {
			t.Errorf("%s: got age %v, want %v", tt.name, got, tt.after)
		}
		if got := f.Fresh(now, 300*time.Second); got != tt.fresh {
			t.Errorf("%s: got fresh %t, want %t", tt.name, got, tt.fresh)
		}
	}
	unproven := s.Verify(h, []byte("{}"), "other")
	if unproven.Fresh(at, time.Hour) || unproven.Age(at.Add(time.Second)) != time.Second {
		t.Errorf("unproven: got fresh %t and age %v, want false and 1s", unproven.Fresh(at, time.Hour), unproven.Age(at.Add(time.Second)))
	}
	if (signature.Finding{}).OK() || (signature.Finding{}).Age(at) != 0 {
		t.Error("the zero finding is good or has an age")
	}
}
