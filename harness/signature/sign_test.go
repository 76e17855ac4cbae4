package signature_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/signature"
)

func TestSignRefuses(t *testing.T) {
	at := time.Unix(1_700_000_000, 0)
	for _, tt := range []struct {
		name, scheme string
		c            signature.Content
		keys         []string
		want         string
	}{
		{"no key", "timestamp-v1", signature.Content{At: at}, nil, "sign: no key"},
		{"empty key", "timestamp-v1", signature.Content{At: at}, []string{""}, "sign: key 0 is empty"},
		{"empty key beside a good one", "timestamp-v1", signature.Content{At: at}, []string{key, ""}, "sign: key 1 is empty"},
		{"prefix without a key", "standard-webhooks-v1", signature.Content{ID: "a", At: at}, []string{"whsec_"}, "sign: key 0 is 0 bytes long; this scheme wants at least 24"},
		{"not base64", "standard-webhooks-v1", signature.Content{ID: "a", At: at}, []string{"whsec_§"}, "sign: key 0 is not standard base64; this scheme wants whsec_ and the key in base64, 24 to 64 bytes"},
		{"no id", "standard-webhooks-v1", signature.Content{At: at}, []string{stdKey}, "sign: id is empty, and this scheme signs it"},
		{"id with a line end", "standard-webhooks-v1", signature.Content{ID: "a\r\nb", At: at}, []string{stdKey}, "sign: id holds a character that a header cannot carry unchanged"},
		{"id with a full stop", "standard-webhooks-v1", signature.Content{ID: "a.1", At: at}, []string{stdKey}, `sign: id holds ".", which ends the id in what is signed`},
		{"no time", "timestamp-v1", signature.Content{}, []string{key}, "sign: time 0001-01-01T00:00:00Z lies before 1970 and has no form on the wire"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, err := scheme(t, tt.scheme).Sign(tt.c, tt.keys...)
			if err == nil || err.Error() != tt.want || h != nil {
				t.Errorf("got %v and error %v, want %s", h, err, tt.want)
			}
		})
	}
}

func TestSecret(t *testing.T) {
	random := []byte("0123456789abcdef01234567")
	for _, s := range signature.Schemes() {
		secret, err := s.Secret(random)
		if err != nil {
			t.Errorf("%s: %v", s.ID(), err)
			continue
		}
		if _, err := s.Sign(signature.Content{ID: "a", At: time.Unix(0, 0)}, secret); err != nil {
			t.Errorf("%s does not take its own secret: %v", s.ID(), err)
		}
		if _, err := s.Secret(nil); err == nil {
			t.Errorf("%s makes a secret of nothing", s.ID())
		}
	}
	if secret, err := scheme(t, "standard-webhooks-v1").Secret(random); err != nil || !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("got %q, %v, want the prefix of the scheme", secret, err)
	}
}

func TestStandardWebhooksSecretLength(t *testing.T) {
	for size, want := range map[int]bool{1: false, 23: false, 24: true, 32: true, 64: true, 65: false} {
		secret, err := scheme(t, "standard-webhooks-v1").Secret(bytes.Repeat([]byte{0xff}, size))
		if (err == nil) != want {
			t.Errorf("%d bytes: got %q, %v; want it accepted: %t", size, secret, err, want)
		}
	}
}

// TestStandardWebhooksRotation signs with two keys, as during a rotation: the header lists both, newest first, and a
// receiver with either key verifies.
func TestStandardWebhooksRotation(t *testing.T) {
	const newest = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY" // of 24 ASCII bytes
	s := scheme(t, "standard-webhooks-v1")
	h, err := s.Sign(signature.Content{ID: "msg_1", At: time.Unix(1_700_000_000, 0), Body: []byte(body)}, newest, stdKey)
	if err != nil {
		t.Fatal(err)
	}
	declared := "msg_1." + stamp + "." + body
	want := http.Header{
		"Webhook-Id": {"msg_1"}, "Webhook-Timestamp": {stamp},
		"Webhook-Signature": {"v1," + sum64("ABCDEFGHIJKLMNOPQRSTUVWX", declared) + " v1," + sum64("012345678901234567890123", declared)},
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Error(diff)
	}
	for _, secret := range []string{newest, stdKey} {
		if f := s.Verify(h, []byte(body), secret); !f.OK() {
			t.Errorf("by one of the two keys: got %s (%s)", f.Reason, f.Detail)
		}
	}
}

// request draws a signed request of any scheme.
func request(t *rapid.T) (s *signature.Scheme, h http.Header, body []byte, secrets []string) {
	s = rapid.SampledFrom(signature.Schemes()).Draw(t, "scheme")
	body = rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "body")
	for i := range rapid.IntRange(1, 3).Draw(t, "keys") {
		random := rapid.SliceOfN(rapid.Byte(), 24, 64).Draw(t, fmt.Sprintf("key %d", i))
		secret, err := s.Secret(append(random[:23:23], byte(i))) // so that keys differ
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, secret)
	}
	at := time.Unix(rapid.Int64Range(0, 9_999_999_999).Draw(t, "at"), 0)
	h, err := s.Sign(signature.Content{ID: "evt_1", At: at, Body: body}, secrets...)
	if err != nil {
		t.Fatal(err)
	}
	return s, h, body, secrets
}

func TestSignThenVerify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, h, body, secrets := request(t)
		f := s.Verify(h, body, secrets...)
		if !f.OK() || len(f.Keys) != len(secrets) {
			t.Fatalf("got %s (%s) by keys %v, want all of %d", f.Reason, f.Detail, f.Keys, len(secrets))
		}
		i := rapid.IntRange(0, len(secrets)-1).Draw(t, "one key")
		if f := s.Verify(h, body, secrets[i]); !f.OK() {
			t.Fatalf("by key %d alone: got %s (%s)", i, f.Reason, f.Detail)
		}
	})
}

// TestAnyFlippedBitFails flips one bit of the body or of a header's value; with one key nothing else can make up for it.
func TestAnyFlippedBitFails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, h, body, secrets := request(t)
		secret := secrets[0]
		id, at := "evt_1", s.Verify(h, body, secret).SignedAt
		h, err := s.Sign(signature.Content{ID: id, At: at, Body: body}, secret)
		if err != nil {
			t.Fatal(err)
		}
		names := s.Headers()
		where := rapid.IntRange(-1, len(names)-1).Draw(t, "where")
		if where < 0 {
			if len(body) == 0 {
				return
			}
			body = bytes.Clone(body)
			flip(t, body)
		} else {
			value := []byte(h.Get(names[where]))
			flip(t, value)
			h.Set(names[where], string(value))
		}
		if f := s.Verify(h, body, secret); f.OK() || len(f.Keys) > 0 {
			t.Fatalf("verified with a flipped bit: %v %q", h, body)
		}
	})
}

func flip(t *rapid.T, b []byte) {
	bit := rapid.IntRange(0, 8*len(b)-1).Draw(t, "bit")
	b[bit/8] ^= 1 << (bit % 8)
}

func FuzzVerify(f *testing.F) {
	f.Add("t=1700000000,v1=00", "msg_1", "1700000000", []byte(`{"a": "\u00eb"}`))
	f.Add("v1,abc v1a,def", "", "x", []byte("\\u"))
	for _, v := range vectors(f) {
		for _, value := range v.Headers {
			f.Add(value, v.Headers["webhook-id"], v.Headers["webhook-timestamp"], []byte(v.Body))
		}
	}
	schemes := signature.Schemes()
	known := []signature.Reason{
		signature.MissingHeader, signature.MalformedHeader, signature.NoTimestamp, signature.BadTimestamp, signature.Milliseconds,
		signature.NoSignature, signature.BadEncoding, signature.Mismatch, signature.EmptyKey,
	}
	f.Fuzz(func(t *testing.T, value, id, at string, body []byte) {
		for _, s := range schemes {
			h := http.Header{}
			for _, name := range s.Headers() {
				h.Set(name, at)
			}
			h.Set("Webhook-Id", id)
			h.Set(s.Header(), value)
			// Nobody can have signed with these, so whatever the input, it must not verify, but by a known cause.
			got := s.Verify(h, body, "whsec_ZnV6ei1rZXktMDEyMzQ1Njc4OTAxMjM0NTY3ODk=", strings.Repeat("k", 32))
			if got.OK() || len(got.Keys) > 0 || !slices.Contains(known, got.Reason) {
				t.Errorf("%s: got %+v", s.ID(), got)
			}
		}
	})
}
