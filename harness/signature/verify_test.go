package signature_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/signature"
)

const (
	stamp    = "1700000000"
	millis   = "1700000000123"
	key      = "canary-key-one"
	otherKey = "canary-key-two"
	stdKey   = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz" // of 24 ASCII bytes
)

// body has spaces, a key order that sorting changes, characters outside ASCII and outside 16 bits, markup, and separators
// inside a string, so that each serialisation differs.
const body = `{"type": "payment.succeeded",  "data": {"name": "Zoë <b> 🎉 1:2,3"}}` + "\n"

func sum(key, content string) string {
	m := hmac.New(sha256.New, []byte(key))
	m.Write([]byte(content))
	return hex.EncodeToString(m.Sum(nil))
}

func sum64(key, content string) string {
	raw, err := hex.DecodeString(sum(key, content))
	if err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func TestVerifyTimestampV1(t *testing.T) {
	good := sum(key, stamp+"."+body)
	raw, err := hex.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	none := []int(nil)
	for _, tt := range []struct {
		name   string
		header string
		reason signature.Reason
		keys   []int // of key and otherKey
	}{
		{"good", "t=" + stamp + ",v1=" + good, signature.Verified, []int{0}},
		{"signature before time", "v1=" + good + ",t=" + stamp, signature.Verified, []int{0}},
		{"both keys", "t=" + stamp + ",v1=" + sum(otherKey, stamp+"."+body) + ",v1=" + good, signature.Verified, []int{0, 1}},
		{"the second key", "t=" + stamp + ",v1=" + sum(otherKey, stamp+"."+body), signature.Verified, []int{1}},
		{"bad, unknown and good entries mixed", "t=" + stamp + ",v0=x,v1=zz,v2=" + good + ",v1=,v1=" + good, signature.Verified, []int{0}},
		{"empty header", "", signature.MissingHeader, none},
		{"no pairs", "hello", signature.MalformedHeader, none},
		{"trailing separator", "t=" + stamp + ",v1=" + good + ",", signature.MalformedHeader, none},
		{"space after the separator", "t=" + stamp + ", v1=" + good, signature.MalformedHeader, none},
		{"empty tag", "t=" + stamp + ",=" + good, signature.MalformedHeader, none},
		{"two times", "t=" + stamp + ",t=" + stamp + ",v1=" + good, signature.MalformedHeader, none},
		{"a second, empty time", "t=,t=" + stamp + ",v1=" + good, signature.MalformedHeader, none},
		{"no time", "v1=" + good, signature.NoTimestamp, none},
		{"empty time", "t=,v1=" + good, signature.NoTimestamp, none},
		{"right digest under another version", "t=" + stamp + ",v0=" + good, signature.NoSignature, none},
		{"tag in upper case", "t=" + stamp + ",V1=" + good, signature.NoSignature, none},
		{"no hex", "t=" + stamp + ",v1=" + strings.Repeat("z", 64), signature.BadEncoding, none},
		{"cut", "t=" + stamp + ",v1=" + good[:62], signature.BadEncoding, none},
		{"half a byte too long", "t=" + stamp + ",v1=" + good + "0", signature.BadEncoding, none},
		{"upper case", "t=" + stamp + ",v1=" + strings.ToUpper(good), signature.BadEncoding, none},
		{"base64", "t=" + stamp + ",v1=" + base64.StdEncoding.EncodeToString(raw), signature.BadEncoding, none},
		{"another digest", "t=" + stamp + ",v1=" + strings.Repeat("ab", 32), signature.Mismatch, none},
		{"another time than signed", "t=1700000001,v1=" + good, signature.Mismatch, none},
		{"milliseconds, signed as sent", "t=" + millis + ",v1=" + sum(key, millis+"."+body), signature.Milliseconds, []int{0}},
		{"milliseconds sent, seconds signed", "t=" + millis + ",v1=" + good, signature.SignedOtherTime, none},
		{"seconds sent, milliseconds signed", "t=" + stamp + ",v1=" + sum(key, stamp+"000."+body), signature.SignedOtherTime, none},
		{"no number, signed as sent", "t=now,v1=" + sum(key, "now."+body), signature.BadTimestamp, []int{0}},
		{"no number, not signed", "t=now,v1=" + good, signature.BadTimestamp, none},
		{"negative", "t=-1,v1=" + sum(key, "-1."+body), signature.BadTimestamp, []int{0}},
		{"leading zero", "t=0" + stamp + ",v1=" + sum(key, "0"+stamp+"."+body), signature.BadTimestamp, []int{0}},
		{"fraction", "t=" + stamp + ".5,v1=" + sum(key, stamp+".5."+body), signature.BadTimestamp, []int{0}},
		{"beyond any number", "t=" + strings.Repeat("9", 30) + ",v1=" + sum(key, strings.Repeat("9", 30)+"."+body), signature.BadTimestamp, []int{0}},
		{"infinity", "t=Infinity,v1=" + sum(key, "Infinity."+body), signature.BadTimestamp, []int{0}},

		{"body alone signed", "t=" + stamp + ",v1=" + sum(key, body), signature.SignedBodyOnly, none},
		{"empty key", "t=" + stamp + ",v1=" + sum("", stamp+"."+body), signature.EmptyKey, none},
		{"key in base64", "t=" + stamp + ",v1=" + sum(base64.StdEncoding.EncodeToString([]byte(key)), stamp+"."+body), signature.OtherKeyForm, none},
		{"key with a line end", "t=" + stamp + ",v1=" + sum(key+"\n", stamp+"."+body), signature.OtherKeyForm, none},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{"X-Webhook-Signature": {tt.header}}
			f := scheme(t, "timestamp-v1").Verify(h, []byte(body), key, otherKey)
			if f.Reason != tt.reason {
				t.Errorf("got %s (%s), want %s", f.Reason, f.Detail, tt.reason)
			}
			if diff := cmp.Diff(tt.keys, f.Keys); diff != "" {
				t.Error(diff)
			}
			checkDetail(t, f, good)
		})
	}
}

// checkDetail wants a sentence with every failure, and neither keys nor signatures in it.
func checkDetail(t *testing.T, f signature.Finding, secrets ...string) {
	t.Helper()
	if (f.Detail == "") != f.OK() {
		t.Errorf("%s has the detail %q", f.Reason, f.Detail)
	}
	for _, s := range append(secrets, key, otherKey, stdKey) {
		if strings.Contains(strings.ToLower(f.Detail), strings.ToLower(s)) {
			t.Errorf("the detail %q echoes a secret", f.Detail)
		}
	}
}

func TestVerifyNamesTheSerialisation(t *testing.T) {
	for name, signed := range map[string]string{
		"empty":                 ``,
		"no line end":           strings.TrimSuffix(body, "\n"),
		"two line ends":         body + "\n",
		"compact":               `{"type":"payment.succeeded","data":{"name":"Zoë <b> 🎉 1:2,3"}}`,
		"spaced":                `{"type": "payment.succeeded", "data": {"name": "Zoë <b> 🎉 1:2,3"}}`,
		"escaped":               strings.NewReplacer("ë", `\u00eb`, "🎉", `\ud83c\udf89`).Replace(body),
		"sorted":                `{"data":{"name":"Zoë <b> 🎉 1:2,3"},"type":"payment.succeeded"}`,
		"sorted, HTML escaped":  `{"data":{"name":"Zoë \u003cb\u003e 🎉 1:2,3"},"type":"payment.succeeded"}`,
		"indented by two":       "{\n  \"type\": \"payment.succeeded\",\n  \"data\": {\n    \"name\": \"Zoë <b> 🎉 1:2,3\"\n  }\n}\n",
		"something else at all": `{"a":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			want := signature.SignedOtherBody
			if name == "something else at all" {
				want = signature.Mismatch
			}
			h := http.Header{"X-Webhook-Signature": {"t=" + stamp + ",v1=" + sum(key, stamp+"."+signed)}}
			f := scheme(t, "timestamp-v1").Verify(h, []byte(body), key)
			if f.Reason != want {
				t.Errorf("got %s (%s), want %s", f.Reason, f.Detail, want)
			}
			checkDetail(t, f)
		})
	}
}

func TestVerifyNamesUnescapedCharacters(t *testing.T) {
	sent := `{"a": "Zo\u00eb \ud83c\udf89 \" \\u00eb \u003c \ud800 \n"}`
	signed := `{"a": "Zoë 🎉 \" \\u00eb \u003c \ud800 \n"}`
	h := http.Header{"X-Webhook-Signature": {"t=" + stamp + ",v1=" + sum(key, stamp+"."+signed)}}
	if f := scheme(t, "timestamp-v1").Verify(h, []byte(sent), key); f.Reason != signature.SignedOtherBody {
		t.Errorf("got %s (%s), want %s", f.Reason, f.Detail, signature.SignedOtherBody)
	}
}

func TestVerifyLargeBodyWithoutDiagnosis(t *testing.T) {
	large := strings.Repeat(" ", 1<<20+1)
	h := http.Header{"X-Webhook-Signature": {"t=" + stamp + ",v1=" + sum(key, large)}}
	if f := scheme(t, "timestamp-v1").Verify(h, []byte(large), key); f.Reason != signature.Mismatch {
		t.Errorf("got %s, want %s", f.Reason, signature.Mismatch)
	}
	h = http.Header{"X-Webhook-Signature": {"t=" + stamp + ",v1=" + sum(key, stamp+"."+large)}}
	if f := scheme(t, "timestamp-v1").Verify(h, []byte(large), key); !f.OK() {
		t.Errorf("got %s (%s), want it verified", f.Reason, f.Detail)
	}
}

func TestVerifyHeaders(t *testing.T) {
	good := "t=" + stamp + ",v1=" + sum(key, stamp+"."+body)
	for name, tt := range map[string]struct {
		h    http.Header
		want signature.Reason
	}{
		"nil":                       {nil, signature.MissingHeader},
		"absent":                    {http.Header{"X-Other": {good}}, signature.MissingHeader},
		"no values":                 {http.Header{"X-Webhook-Signature": {}}, signature.MissingHeader},
		"odd case":                  {http.Header{"x-webhook-SIGNATURE": {good}}, signature.Verified},
		"twice, equal":              {http.Header{"X-Webhook-Signature": {good, good}}, signature.RepeatedHeader},
		"twice, in different cases": {http.Header{"X-Webhook-Signature": {good}, "x-webhook-signature": {good}}, signature.RepeatedHeader},
	} {
		f := scheme(t, "timestamp-v1").Verify(tt.h, []byte(body), key)
		if f.Reason != tt.want {
			t.Errorf("%s: got %s (%s), want %s", name, f.Reason, f.Detail, tt.want)
		}
		checkDetail(t, f)
	}
}

func TestVerifyStandardWebhooksHeadersInAnyCase(t *testing.T) {
	signed := "v1," + sum64("012345678901234567890123", "msg_1."+stamp+"."+body)
	for name, tt := range map[string]struct {
		h    http.Header
		want signature.Reason
	}{
		"lower case":  {http.Header{"webhook-id": {"msg_1"}, "webhook-timestamp": {stamp}, "webhook-signature": {signed}}, signature.Verified},
		"upper case":  {http.Header{"WEBHOOK-ID": {"msg_1"}, "WEBHOOK-TIMESTAMP": {stamp}, "WEBHOOK-SIGNATURE": {signed}}, signature.Verified},
		"id twice":    {http.Header{"webhook-id": {"msg_1"}, "Webhook-Id": {"msg_1"}, "webhook-timestamp": {stamp}, "webhook-signature": {signed}}, signature.RepeatedHeader},
		"white label": {http.Header{"svix-id": {"msg_1"}, "svix-timestamp": {stamp}, "svix-signature": {signed}}, signature.MissingHeader},
	} {
		if f := scheme(t, "standard-webhooks-v1").Verify(tt.h, []byte(body), stdKey); f.Reason != tt.want {
			t.Errorf("%s: got %s (%s), want %s", name, f.Reason, f.Detail, tt.want)
		}
	}
}

func TestVerifyKeys(t *testing.T) {
	h := http.Header{
		"Webhook-Id": {"msg_1"}, "Webhook-Timestamp": {stamp},
		"Webhook-Signature": {"v1," + sum64("012345678901234567890123", "msg_1."+stamp+"."+body)},
	}
	for _, tt := range []struct {
		name string
		keys []string
		want signature.Reason
		idx  []int
	}{
		{"none", nil, signature.NoKey, nil},
		{"empty", []string{""}, signature.BadKey, nil},
		{"not base64", []string{"whsec_!!"}, signature.BadKey, nil},
		{"too short", []string{"whsec_MDEyMzQ1Njc4OQ=="}, signature.BadKey, nil},
		{"too long", []string{"whsec_" + strings.Repeat("QUJD", 22)}, signature.BadKey, nil},
		{"line end in base64", []string{stdKey[:20] + "\n" + stdKey[20:]}, signature.BadKey, nil},
		{"good", []string{stdKey}, signature.Verified, []int{0}},
		{"good without prefix", []string{strings.TrimPrefix(stdKey, "whsec_")}, signature.Verified, []int{0}},
		{"good between unusable ones", []string{"", stdKey, "whsec_!!", stdKey}, signature.Verified, []int{1, 3}},
		{"another", []string{"whsec_" + strings.Repeat("QUJD", 8), ""}, signature.Mismatch, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := scheme(t, "standard-webhooks-v1").Verify(h, []byte(body), tt.keys...)
			if f.Reason != tt.want {
				t.Errorf("got %s (%s), want %s", f.Reason, f.Detail, tt.want)
			}
			if diff := cmp.Diff(tt.idx, f.Keys); diff != "" {
				t.Error(diff)
			}
			checkDetail(t, f)
		})
	}
}

func TestVerifyStandardWebhooks(t *testing.T) {
	const raw = "012345678901234567890123"
	declared := "msg_1." + stamp + "." + body
	for _, tt := range []struct {
		name    string
		id, at  string
		entries string
		want    signature.Reason
	}{
		{"good", "msg_1", stamp, "v1," + sum64(raw, declared), signature.Verified},
		{"good after an asymmetric one", "msg_1", stamp, "v1a,abc v1," + sum64(raw, declared), signature.Verified},
		{"good between unknown versions", "msg_1", stamp, "v0,x v1," + sum64(raw, declared) + " v2,", signature.Verified},
		{"an asymmetric one alone", "msg_1", stamp, "v1a," + sum64(raw, declared), signature.NoSignature},
		{"version in upper case", "msg_1", stamp, "V1," + sum64(raw, declared), signature.NoSignature},
		{"separated by two spaces", "msg_1", stamp, "v1a,abc  v1," + sum64(raw, declared), signature.MalformedHeader},
		{"separated by a comma", "msg_1", stamp, "v1," + sum64(raw, declared) + ",v1," + sum64(raw, declared), signature.BadEncoding},
		{"milliseconds, signed as sent", "msg_1", millis, "v1," + sum64(raw, "msg_1."+millis+"."+body), signature.Milliseconds},
		{"no id", "", stamp, "v1," + sum64(raw, declared), signature.MissingHeader},
		{"no time", "msg_1", "", "v1," + sum64(raw, declared), signature.NoTimestamp},
		{"no tag", "msg_1", stamp, sum64(raw, declared), signature.MalformedHeader},
		{"hex", "msg_1", stamp, "v1," + sum(raw, declared), signature.BadEncoding},
		{"base64 without padding", "msg_1", stamp, "v1," + strings.TrimRight(sum64(raw, declared), "="), signature.BadEncoding},
		{"base64 with unused bits set", "msg_1", stamp, "v1," + looseEnd(sum64(raw, declared)), signature.BadEncoding},
		{"another id than signed", "msg_2", stamp, "v1," + sum64(raw, declared), signature.Mismatch},
		{"body alone", "msg_1", stamp, "v1," + sum64(raw, body), signature.SignedBodyOnly},
		{"no id signed", "msg_1", stamp, "v1," + sum64(raw, stamp+"."+body), signature.SignedWithoutID},
		{"no time signed", "msg_1", stamp, "v1," + sum64(raw, "msg_1."+body), signature.SignedWithoutTime},
		{"key not decoded", "msg_1", stamp, "v1," + sum64(stdKey, declared), signature.OtherKeyForm},
		{"key not decoded, without its prefix", "msg_1", stamp, "v1," + sum64(strings.TrimPrefix(stdKey, "whsec_"), declared), signature.OtherKeyForm},
		{"empty key", "msg_1", stamp, "v1," + sum64("", declared), signature.EmptyKey},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{"Webhook-Signature": {tt.entries}}
			if tt.id != "" {
				h.Set("Webhook-Id", tt.id)
			}
			if tt.at != "" {
				h.Set("Webhook-Timestamp", tt.at)
			}
			f := scheme(t, "standard-webhooks-v1").Verify(h, []byte(body), stdKey)
			if f.Reason != tt.want {
				t.Errorf("got %s (%s), want %s", f.Reason, f.Detail, tt.want)
			}
			checkDetail(t, f, raw, sum64(raw, declared))
		})
	}
}

func TestVerifyReportsTheTime(t *testing.T) {
	h := http.Header{"X-Webhook-Signature": {"t=" + stamp + ",v1=" + strings.Repeat("ab", 32)}}
	f := scheme(t, "timestamp-v1").Verify(h, []byte(body), key)
	if f.SignedAtText != stamp || !f.SignedAt.Equal(time.Unix(1_700_000_000, 0)) {
		t.Errorf("got %q and %v, want the time whatever the signature", f.SignedAtText, f.SignedAt)
	}
	h = http.Header{"X-Webhook-Signature": {"t=" + millis + ",v1=" + strings.Repeat("ab", 32)}}
	f = scheme(t, "timestamp-v1").Verify(h, []byte(body), key)
	if f.SignedAtText != millis || !f.SignedAt.IsZero() {
		t.Errorf("got %q and %v, want the text alone: milliseconds are never read as seconds", f.SignedAtText, f.SignedAt)
	}
}

// looseEnd sets the two bits that the last letter of a 32-byte digest does not use.
func looseEnd(sum64 string) string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	last := strings.IndexByte(letters, sum64[len(sum64)-2])
	return sum64[:len(sum64)-2] + letters[last|3:last|3+1] + "="
}

// TestAuthenticationSchemesHaveNoCase is RFC 9110, section 11.1. What follows has one.
func TestAuthenticationSchemesHaveNoCase(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{
		"Bearer token-1234": true, "bearer token-1234": true, "BEARER token-1234": true,
		"Bearer TOKEN-1234": false, "Bearertoken-1234": false, "Basic token-1234": false, "Be": false,
	} {
		f := scheme(t, "authorization-bearer").Verify(http.Header{"Authorization": {value}}, nil, "token-1234")
		if f.OK() != want {
			t.Errorf("%s: %s (%s)", value, f.Reason, f.Detail)
		}
	}
}
