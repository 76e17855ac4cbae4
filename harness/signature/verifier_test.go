package signature_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/signature"
)

func lookup(t testing.TB, id string) *signature.Scheme {
	t.Helper()
	s, err := signature.Lookup(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestVerifierRefusesSecrets(t *testing.T) {
	for name, tc := range map[string]struct {
		scheme  string
		secrets []string
		want    string
	}{
		"none":                      {"timestamp-v1", nil, "no secret"},
		"empty":                     {"timestamp-v1", []string{""}, "secret 1 is empty"},
		"empty beside a good one":   {"timestamp-v1", []string{"canary", ""}, "secret 2 is empty"},
		"not base64":                {"standard-webhooks-v1", []string{"whsec_canary!"}, "secret 1 is not standard base64"},
		"prefix alone":              {"standard-webhooks-v1", []string{"whsec_"}, "secret 1 is 0 bytes long"},
		"short beside a good one":   {"standard-webhooks-v1", []string{stdKey, "Y2FuYXJ5"}, "secret 2 is 6 bytes long"},
		"long for Standard Webhook": {"standard-webhooks-v1", []string{strings.Repeat("Y2FuYXJ5", 20)}, "at most 64"},
	} {
		_, err := lookup(t, tc.scheme).Verifier(tc.secrets...)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %q", name, err, tc.want)
		} else if strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "Y2FuYXJ5") {
			t.Errorf("%s: the error holds the secret: %v", name, err)
		}
	}
}

// TestVerifierAgreesWithVerify: both must come to the same end about every request, whatever they say of the cause.
func TestVerifierAgreesWithVerify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := readyScheme(t, rapid.SampledFrom(keyedIDs()).Draw(t, "scheme"))
		random := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "random")
		known := []string{keyText(t, s, random, 0), keyText(t, s, random, 1)}
		signers := rapid.SliceOfN(rapid.SampledFrom(append([]string{keyText(t, s, random, 2)}, known...)), 1, min(3, s.Carries())).Draw(t, "signers")
		r := drawRequest(t, s, signers)
		v, err := s.Verifier(known...)
		if err != nil {
			t.Fatal(err)
		}
		want, have := s.VerifyRequest(r, known...), v.VerifyRequest(r)
		if have.OK() != want.OK() || !have.SignedAt.Equal(want.SignedAt) || len(have.Keys) != len(want.Keys) {
			t.Errorf("got %+v, want as %+v", have, want)
		}
		asCame := r
		asCame.Header, asCame.Fields = nil, [][2]string{}
		for name, values := range r.Header {
			for _, v := range values {
				asCame.Fields = append(asCame.Fields, [2]string{strings.ToLower(name), v})
			}
		}
		if d := cmp.Diff(have, v.VerifyRequest(asCame)); d != "" {
			t.Errorf("with the fields as they came: %s", d)
		}
	})
}

// drawRequest is signed by all signers, and then perhaps damaged.
func drawRequest(t *rapid.T, s *signature.Scheme, signers []string) signature.Request {
	r, err := signRequest(s, content(s, rapid.SliceOf(rapid.Byte()).Draw(t, "body"), time.Unix(1_700_000_000, 0)), signers...)
	if err != nil {
		t.Fatal(err)
	}
	damage(t, s, r.Header)
	if rapid.Bool().Draw(t, "changed") {
		r.Body = append([]byte(" "), r.Body...)
	}
	return r
}

func damage(t *rapid.T, s *signature.Scheme, h http.Header) {
	names := s.Headers()
	if len(names) == 0 {
		return
	}
	name := rapid.SampledFrom(names).Draw(t, "header")
	value := h.Get(name)
	switch rapid.SampledFrom([]string{"none", "absent", "empty", "twice", "cut", "longer"}).Draw(t, "damage") {
	case "absent":
		h.Del(name)
	case "empty":
		h.Set(name, "")
	case "twice":
		h.Add(name, value)
	case "cut":
		h.Set(name, value[:len(value)/2])
	case "longer":
		h.Set(name, value+"0")
	}
}
