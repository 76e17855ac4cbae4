package signature_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// kibibyte is the body that the limit is said of.
const kibibyte = 1 << 10

// signedFields is a request with the fields that a head usually has.
func signedFields(t testing.TB, s *signature.Scheme, body []byte, keys ...string) signature.Request {
	t.Helper()
	h, err := s.Sign(signature.Content{ID: "evt_1", At: time.Unix(1_700_000_000, 0), Body: body}, keys...)
	if err != nil {
		t.Fatal(err)
	}
	fields := [][2]string{
		{"Host", "127.0.0.1:8080"}, {"User-Agent", "bench"}, {"Content-Length", "1024"}, {"Content-Type", "application/json"}, {"Accept-Encoding", "gzip"},
	}
	for name, values := range h {
		fields = append(fields, [2]string{name, values[0]})
	}
	return signature.Request{Method: http.MethodPost, Fields: fields, Body: body}
}

// TestVerifyAllocatesTheSameForAnyNumberOfSignatures: what a stranger puts into a header must cost no memory.
func TestVerifyAllocatesTheSameForAnyNumberOfSignatures(t *testing.T) {
	if raced {
		t.Skip("allocations are not counted under the race detector")
	}
	body := bytes.Repeat([]byte("x"), kibibyte)
	for _, id := range []string{"timestamp-v1", "standard-webhooks-v1", "outpost", "paddle"} {
		s := scheme(t, id)
		secret := keyText(t, s, nil, 0)
		v, err := s.Verifier(secret)
		if err != nil {
			t.Fatal(err)
		}
		allocs := func(n int) float64 {
			var keys []string
			for i := range n - 1 {
				keys = append(keys, keyText(t, s, []byte("stranger"), byte(i)))
			}
			r := signedFields(t, s, body, append(keys, secret)...)
			if f := v.VerifyRequest(r); !f.OK() {
				t.Fatalf("%s with %d signatures: %s (%s)", id, n, f.Reason, f.Detail)
			}
			return testing.AllocsPerRun(100, func() { v.VerifyRequest(r) })
		}
		one, many := allocs(1), allocs(30)
		// The finding's list of keys is the one thing that is made anew.
		if one > 1 || many > one {
			t.Errorf("%s: %v allocations for one signature and %v for 30", id, one, many)
		}
	}
}

// TestSignaturesBeyondTheBoundAreMalformed: there is an end to what is looked at.
func TestSignaturesBeyondTheBoundAreMalformed(t *testing.T) {
	for id, value := range map[string]string{
		"timestamp-v1":         "t=1700000000" + strings.Repeat(",v1=00", 33),
		"standard-webhooks-v1": strings.Repeat("v1,AA== ", 32) + "v1,AA==",
		"outpost":              "v0=" + strings.Repeat("00,", 32) + "00",
		"stripe":               "t=1700000000" + strings.Repeat(",v9=00", 200),
	} {
		s := scheme(t, id)
		h := http.Header{"Webhook-Id": {"a"}, "Webhook-Timestamp": {"1700000000"}}
		h.Set(s.Header(), value)
		if f := s.Verify(h, nil, keyText(t, s, nil, 0)); f.Reason != signature.MalformedHeader || !strings.Contains(f.Detail, "more") {
			t.Errorf("%s: got %s (%s)", id, f.Reason, f.Detail)
		}
	}
}
