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

// TestVectors wants of each scheme a good vector and a tampered one, so that a new scheme cannot come without.
func TestVectors(t *testing.T) {
	good, bad := map[string]int{}, map[string]int{}
	for _, v := range vectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			f := scheme(t, v.Scheme).Verify(v.header(), []byte(v.Body), v.Keys...)
			if f.Reason != v.Reason || f.OK() != (v.Reason == signature.Verified) {
				t.Errorf("got %s (%s), want %s", f.Reason, f.Detail, v.Reason)
			}
		})
		if v.Reason == signature.Verified {
			good[v.Scheme]++
		} else {
			bad[v.Scheme]++
		}
	}
	for _, s := range signature.Schemes() {
		if good[s.ID()] == 0 || bad[s.ID()] == 0 {
			t.Errorf("%s has %d good and %d bad vectors, want some of each", s.ID(), good[s.ID()], bad[s.ID()])
		}
	}
}

// TestSignReproducesVectors signs what was published anew: the published signature must be among the header's.
func TestSignReproducesVectors(t *testing.T) {
	signed := map[string]int{}
	for _, v := range vectors(t) {
		s := scheme(t, v.Scheme)
		f := s.Verify(v.header(), []byte(v.Body), v.Keys...)
		if !f.OK() {
			continue
		}
		signed[v.Scheme]++
		h, err := s.Sign(signature.Content{ID: v.Headers["webhook-id"], At: f.SignedAt, Body: []byte(v.Body)}, v.Keys...)
		if err != nil {
			t.Errorf("%s: %v", v.ID, err)
			continue
		}
		var published string
		for name, value := range v.Headers {
			if strings.EqualFold(name, s.Header()) {
				published = value
			}
		}
		if got := s.Signatures(h); len(got) != 1 || !strings.Contains(published, got[0]) {
			t.Errorf("%s: signed anew, the signature is another", v.ID)
		}
	}
	for _, s := range signature.Schemes() {
		if signed[s.ID()] == 0 {
			t.Errorf("%s: nothing was signed", s.ID())
		}
	}
}

func TestLookupListsKnownSchemes(t *testing.T) {
	_, err := signature.Lookup("rot13")
	want := `signature scheme "rot13" is unknown; known are standard-webhooks-v1, timestamp-v1`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSchemesDescribeThemselves(t *testing.T) {
	var got []string
	for _, s := range signature.Schemes() {
		got = append(got, s.Describe(), strings.Join(s.Headers(), " "))
	}
	want := []string{
		"standard-webhooks-v1: Standard Webhooks, symmetric: HMAC-SHA256 over id, time and body; in Webhook-Signature; covers body, timestamp, id",
		"Webhook-Signature Webhook-Timestamp Webhook-Id",
		"timestamp-v1: HMAC-SHA256 over time and body, both in one header; in X-Webhook-Signature; covers body, timestamp",
		"X-Webhook-Signature",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
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
