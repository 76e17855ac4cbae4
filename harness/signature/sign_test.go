package signature_test

import (
	"bytes"
	"net/http"
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
	random := []byte("0123456789abcdef0123456789abcdef")
	for _, id := range keyedIDs() {
		s := readyScheme(t, id)
		if s.Record().Algorithm == "rsa-pkcs1v15" {
			if _, err := s.Secret(random); err == nil || !strings.Contains(err.Error(), "openssl") {
				t.Errorf("%s: got %v, want to be told how to make a key", id, err)
			}
			continue
		}
		secret, err := s.Secret(random)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		if _, err := signRequest(s, content(s, nil, time.Unix(1_700_000_000, 0)), secret); err != nil {
			t.Errorf("%s does not take its own secret: %v", id, err)
		}
		if _, err := s.Secret(nil); err == nil {
			t.Errorf("%s makes a secret of nothing", id)
		}
	}
	if secret, err := scheme(t, "standard-webhooks-v1").Secret(random); err != nil || !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("got %q, %v, want the prefix of the scheme", secret, err)
	}
	if _, err := scheme(t, "content-digest").Secret(random); err == nil {
		t.Error("a digest without a key has a secret")
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

// drawn is a signed request of any scheme.
type drawn struct {
	s       *signature.Scheme
	content signature.Content
	request signature.Request
	secrets []string
}

func draw(t *rapid.T) drawn {
	d := drawn{s: readyScheme(t, rapid.SampledFrom(keyedIDs()).Draw(t, "scheme"))}
	text := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(t, "body")
	random := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "random")
	for i := range rapid.IntRange(1, min(3, d.s.Carries())).Draw(t, "keys") {
		d.secrets = append(d.secrets, keyText(t, d.s, random, byte(i)))
	}
	d.content = content(d.s, text, time.Unix(rapid.Int64Range(0, 9_999_999_999).Draw(t, "at"), 0))
	var err error
	if d.request, err = signRequest(d.s, d.content, d.secrets...); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSignThenVerify(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		f := d.s.VerifyRequest(d.request, d.secrets...)
		if !f.OK() || len(f.Keys) != len(d.secrets) {
			t.Fatalf("got %s (%s) by keys %v, want all of %d", f.Reason, f.Detail, f.Keys, len(d.secrets))
		}
		if timed := d.s.Timed(); !f.SignedAt.IsZero() != timed && d.s.Record().Algorithm != "rfc9421" || f.Timeless && timed {
			t.Fatalf("got the time %v, and timeless %t; the scheme signs one: %t", f.SignedAt, f.Timeless, timed)
		}
		i := rapid.IntRange(0, len(d.secrets)-1).Draw(t, "one key")
		if f := d.s.VerifyRequest(d.request, d.secrets[i]); !f.OK() {
			t.Fatalf("by key %d alone: got %s (%s)", i, f.Reason, f.Detail)
		}
		if f := d.s.VerifyRequest(d.request, keyText(t, d.s, nil, 3)); f.OK() || len(f.Keys) > 0 {
			t.Fatal("verified by a stranger's key")
		}
	})
}
