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
		s := rapid.SampledFrom(signature.Schemes()).Draw(t, "scheme")
		secret := func(name string) string {
			text, err := s.Secret(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, name))
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		known := []string{secret("old"), secret("new")}
		signers := rapid.SliceOfN(rapid.SampledFrom(append([]string{secret("stranger")}, known...)), 1, 3).Draw(t, "signers")
		sent := rapid.SliceOf(rapid.Byte()).Draw(t, "body")
		h, err := s.Sign(signature.Content{ID: "evt_1", At: time.Unix(1_700_000_000, 0), Body: sent}, signers...)
		if err != nil {
			t.Fatal(err)
		}
		damage(t, s, h)
		got := sent
		if rapid.Bool().Draw(t, "changed") {
			got = append([]byte(" "), sent...)
		}
		v, err := s.Verifier(known...)
		if err != nil {
			t.Fatal(err)
		}
		want, have := s.Verify(h, got, known...), v.Verify(h, got)
		if have.OK() != want.OK() || !have.SignedAt.Equal(want.SignedAt) || len(have.Keys) != len(want.Keys) {
			t.Errorf("got %+v, want as %+v", have, want)
		}
		var fields [][2]string
		for name, values := range h {
			for _, v := range values {
				fields = append(fields, [2]string{strings.ToLower(name), v})
			}
		}
		if d := cmp.Diff(have, v.VerifyFields(fields, got)); d != "" {
			t.Errorf("with the fields as they came: %s", d)
		}
	})
}

func damage(t *rapid.T, s *signature.Scheme, h http.Header) {
	name := rapid.SampledFrom(s.Headers()).Draw(t, "header")
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
