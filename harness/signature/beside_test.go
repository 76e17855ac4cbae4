package signature_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/signature"
)

// TestBesideAgreesWithVerify holds the cheap answer to the plain one over all schemes: whoever signed, once or several times, whatever is
// wrong with the request, and where a key that is not the right one makes the same signatures as one that is.
func TestBesideAgreesWithVerify(t *testing.T) {
	strange := 0
	rapid.Check(t, func(t *rapid.T) {
		s := readyScheme(t, rapid.SampledFrom(keyedIDs()).Draw(t, "scheme"))
		random := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "random")
		own := []string{keyText(t, s, random, 0), keyText(t, s, random, 1)}[:rapid.IntRange(1, 2).Draw(t, "own")]
		others := []string{keyText(t, s, random, 2), keyText(t, s, random, 3), twin(t, s, own[0])}[:rapid.IntRange(1, 3).Draw(t, "others")]
		signers := rapid.SliceOfN(rapid.SampledFrom(append(others, own...)), 1, min(3, s.Carries())).Draw(t, "signers")
		r := drawRequest(t, s, signers)
		v, err := s.Verifier(others...)
		if err != nil {
			t.Fatal(err)
		}
		right, err := s.Verifier(own...)
		if err != nil {
			t.Fatal(err)
		}
		want := v.VerifyRequest(r).Keys
		if d := cmp.Diff(want, v.Beside(r, right)); d != "" {
			t.Errorf("beside its own keys: %s", d)
		}
		if d := cmp.Diff(want, v.Beside(r, nil)); d != "" {
			t.Errorf("with no key of its own: %s", d)
		}
		if len(want) > 0 {
			strange++
		}
	})
	if strange == 0 {
		t.Error("no request verified with a key that is not its own, so that this shows nothing")
	}
}

// twin is a key that makes the same HMACs, by another text: zeros at its end change nothing. Where there is none it is the key itself.
func twin(t failer, s *signature.Scheme, key string) string {
	t.Helper()
	for _, more := range []string{"\x00", "00"} {
		if _, err := s.Verifier(key + more); err == nil && s.Record().Algorithm == "" {
			return key + more
		}
	}
	return strings.Clone(key)
}
