package mockreceiver_test

import (
	"bytes"
	"compress/gzip"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver"
)

// whsec is a key in the form of Standard Webhooks.
var whsec = "whsec_" + base64.StdEncoding.EncodeToString([]byte("canary-secret-of-standard-webhooks"))

const (
	timeV1   = "timestamp-v1"
	standard = "standard-webhooks-v1"
)

// rejecting starts a receiver with an endpoint e for each scheme, named after it, that lets only signed requests in.
func rejecting(t *testing.T) *rig {
	t.Helper()
	r := start(t, mockreceiver.Config{})
	for name, key := range map[string]string{timeV1: keyOne, standard: whsec} {
		r.add(mockreceiver.Endpoint{Name: name, Verify: &mockreceiver.Verify{Scheme: name, Secrets: []string{key}, Reject: true}})
	}
	return r
}

// signatureOf signs a body as of so long ago and returns the header lines.
func signatureOf(t testing.TB, scheme, body, key string, age time.Duration) http.Header {
	t.Helper()
	s, err := signature.Lookup(scheme)
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.Sign(signature.Content{ID: "evt_1", At: time.Now().Add(-age), Body: []byte(body)}, key)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// headerLines are header lines as they go on the wire.
func headerLines(h http.Header) string {
	var b strings.Builder
	for name, values := range h {
		for _, v := range values {
			fmt.Fprintf(&b, "%s: %s\r\n", name, v)
		}
	}
	return b.String()
}

// deliver sends a request with header lines over the wire and returns the status and what is found of its signature.
func (r *rig) deliver(endpoint, head, body string) (int, mockreceiver.Signature) {
	r.t.Helper()
	before := len(of[*evidence.Arrival](r.sofar()))
	w := r.dial()
	w.send(fmt.Sprintf("POST /hooks/%s HTTP/1.1\r\nHost: h\r\n%sContent-Length: %d\r\n\r\n%s", endpoint, head, len(body), body))
	status, _ := w.answer()
	if err := w.Close(); err != nil {
		r.t.Fatal(err)
	}
	return status, r.Signature(r.arrivals(before + 1)[before])
}

func TestRule01VerifiesTheRawBytes(t *testing.T) {
	r := rejecting(t)
	for name, body := range map[string]string{
		"odd spaces":      "{ \"id\" : \"evt_1\"\t,\r\n\"a\":1 }\n",
		"order of names":  `{"z":1,"a":2,"id":"evt_1"}`,
		"a name twice":    `{"id":"evt_1","id":"evt_2"}`,
		"escapes":         `{"id":"evt_1","t":"\u00e9\/<>&"}`,
		"number tokens":   `{"id":"evt_1","n":1.0,"m":1e400,"o":12345678901234567890}`,
		"no JSON at all":  "id=evt_1&x=%20+",
		"trailing spaces": `{"id":"evt_1"}   `,
	} {
		for scheme, key := range map[string]string{timeV1: keyOne, standard: whsec} {
			h := headerLines(signatureOf(t, scheme, body, key, 0))
			if status, s := r.deliver(scheme, h, body); status != 200 || s.State != mockreceiver.SignatureVerified {
				t.Errorf("%s, %s: got %d, %+v, want it to verify", name, scheme, status, s)
			}
			// The same JSON in other bytes is another message.
			if status, s := r.deliver(scheme, h, body+" "); status != 401 || s.State != mockreceiver.SignatureFailed {
				t.Errorf("%s with one space more, %s: got %d, %+v, want a failure", name, scheme, status, s)
			}
		}
	}
}

func TestRule02DecodesNoTextBeforeHashing(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(`{"id":"evt_1"}`)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r := rejecting(t)
	for name, tc := range map[string]struct{ fields, body string }{
		"no UTF-8":        {"Content-Type: application/json\r\n", "{\"t\":\"\xff\xc3\x28\xed\xa0\x80\"}"},
		"Latin-1":         {"Content-Type: text/plain; charset=iso-8859-1\r\n", "caf\xe9"},
		"UTF-8 as Latin":  {"Content-Type: text/plain; charset=iso-8859-1\r\n", "café"},
		"UTF-16":          {"Content-Type: application/json; charset=utf-16\r\n", "\xff\xfe{\x00}\x00"},
		"byte order mark": {"Content-Type: application/json\r\n", "\ufeff{}"},
		"NUL":             {"", "a\x00b"},
		"line ends":       {"", "a\r\nb\nc\rd"},
		"no composition":  {"", "e\u0301 \u00e9"},
		"compressed":      {"Content-Encoding: gzip\r\n", packed.String()},
	} {
		status, s := r.deliver(timeV1, tc.fields+headerLines(signatureOf(t, timeV1, tc.body, keyOne, 0)), tc.body)
		if status != 200 || s.State != mockreceiver.SignatureVerified {
			t.Errorf("%s: got %d, %+v, want it to verify", name, status, s)
		}
	}
}

func TestRule03LetsNothingUnsignedIn(t *testing.T) {
	r := rejecting(t)
	const body = `{"id":"evt_1"}`
	now := fmt.Sprint(time.Now().Unix())
	for name, tc := range map[string]struct{ endpoint, head string }{
		"no header":                {timeV1, ""},
		"empty header":             {timeV1, "X-Webhook-Signature:\r\n"},
		"only a time":              {timeV1, "X-Webhook-Signature: t=" + now + "\r\n"},
		"empty signature":          {timeV1, "X-Webhook-Signature: t=" + now + ",v1=\r\n"},
		"signed by nobody":         {timeV1, headerLines(unkeyed(t, now, body))},
		"another version":          {timeV1, strings.Replace(headerLines(signatureOf(t, timeV1, body, keyOne, 0)), "v1=", "v0=", 1)},
		"headers of other schemes": {timeV1, headerLines(signatureOf(t, standard, body, whsec, 0))},
		"standard, no header":      {standard, ""},
		"standard, id and time":    {standard, "webhook-id: evt_1\r\nwebhook-timestamp: " + now + "\r\n"},
		"standard, empty":          {standard, "webhook-id: evt_1\r\nwebhook-timestamp: " + now + "\r\nwebhook-signature: v1,\r\n"},
	} {
		if status, s := r.deliver(tc.endpoint, tc.head, body); status != 401 || s.State != mockreceiver.SignatureFailed && s.State != mockreceiver.SignatureMissing {
			t.Errorf("%s: got %d, %+v", name, status, s)
		}
	}
	for _, secrets := range [][]string{nil, {}, {""}, {keyOne, ""}} {
		if _, err := r.AddEndpoint(mockreceiver.Endpoint{Name: "f", Verify: &mockreceiver.Verify{Scheme: timeV1, Secrets: secrets, Reject: true}}); err == nil {
			t.Errorf("an endpoint with secrets %q was taken", secrets)
		}
	}
}

// unkeyed is a signature made with the empty key, which anybody can make.
func unkeyed(t *testing.T, at, body string) http.Header {
	t.Helper()
	return http.Header{"X-Webhook-Signature": {fmt.Sprintf("t=%s,v1=%x", at, hmacOf(nil, at+"."+body))}}
}

func hmacOf(key []byte, content string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(content))
	return m.Sum(nil)
}

// TestRule04StandsHostileSignatureHeaders wants the one refusal for anything that can stand in a header.
func TestRule04StandsHostileSignatureHeaders(t *testing.T) {
	r := rejecting(t)
	now := fmt.Sprint(time.Now().Unix())
	values := []string{
		"v1", "v1,", ",v1", "v1,v1,v1", "t=,v1=", "t==,v1==", "=", ",", ",,,,", "t", "v1=00", "t=" + now + ",v1=zz",
		"t=" + now + ",v1=" + strings.Repeat("0", 63), "t=" + now + ",v1=" + strings.Repeat("0", 50_000),
		"t=99999999999999999999,v1=00", "t=-1,v1=00", "t=1e9,v1=00", "t=0x10,v1=00", "t=9223372036854775807,v1=00",
		"t=" + now + strings.Repeat(",v1=00", 5000), strings.Repeat("v1,AAAA ", 5000), "v1,%%%", "v1,====", "\"v1,AAAA\"", "\t \t",
		"v1,\xff\xfe", "\xc3\x28", "<script>alert(1)</script>", "${jndi:ldap://x}", "%s%n%d", "'; DROP TABLE arrival; --", "../../etc/passwd",
	}
	// Random bytes of those that may stand in a field, from a fixed seed.
	const alphabet = "tv10,= .:;\"'\\/\xff\x80abcdef9-+"
	dice := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		v := make([]byte, dice.IntN(60))
		for i := range v {
			v[i] = alphabet[dice.IntN(len(alphabet))]
		}
		values = append(values, string(v))
	}
	const body = `{"id":"evt_1"}`
	for _, v := range values {
		for scheme, head := range map[string]string{
			timeV1:   "X-Webhook-Signature: " + v + "\r\n",
			standard: "webhook-id: evt_1\r\nwebhook-timestamp: " + now + "\r\nwebhook-signature: " + v + "\r\n",
		} {
			if status, s := r.deliver(scheme, head, body); status != 401 || s.State == mockreceiver.SignatureVerified {
				t.Errorf("%s, %.100q: got %d, %+v", scheme, v, status, s)
			}
		}
		if status, _ := r.deliver(standard, "webhook-id: evt_1\r\nwebhook-timestamp: "+v+"\r\nwebhook-signature: v1,AAAA\r\n", body); status != 401 {
			t.Errorf("time %.100q: got %d", v, status)
		}
	}
	if l := of[*evidence.Trouble](r.sofar()); len(l) != 0 {
		t.Errorf("trouble: %+v", l[0])
	}
}

func TestRule05FreshnessUsesOnlySignedTime(t *testing.T) {
	r := rejecting(t)
	const body = `{"id":"evt_1"}`
	fresh := func(at time.Time) string {
		return fmt.Sprintf("Date: %s\r\nX-Webhook-Timestamp: %d\r\nX-Timestamp: %d\r\nX-Request-Timestamp: %d\r\n",
			at.UTC().Format(http.TimeFormat), at.Unix(), at.Unix(), at.Unix())
	}
	stale := signatureOf(t, standard, body, whsec, time.Hour)
	moved := stale.Clone()
	moved.Set("webhook-timestamp", fmt.Sprint(time.Now().Unix()))
	for name, tc := range map[string]struct {
		endpoint, head string
		status         int
		state          mockreceiver.SignatureState
	}{
		"old, and a header says now":     {timeV1, fresh(time.Now()) + headerLines(signatureOf(t, timeV1, body, keyOne, time.Hour)), 401, mockreceiver.SignatureStale},
		"new, and a header says long":    {timeV1, fresh(time.Unix(1, 0)) + headerLines(signatureOf(t, timeV1, body, keyOne, 0)), 200, mockreceiver.SignatureVerified},
		"standard, old":                  {standard, fresh(time.Now()) + headerLines(stale), 401, mockreceiver.SignatureStale},
		"standard, its time set to now":  {standard, headerLines(moved), 401, mockreceiver.SignatureFailed},
		"standard, new and others' long": {standard, fresh(time.Unix(1, 0)) + headerLines(signatureOf(t, standard, body, whsec, 0)), 200, mockreceiver.SignatureVerified},
	} {
		if status, s := r.deliver(tc.endpoint, tc.head, body); status != tc.status || s.State != tc.state {
			t.Errorf("%s: got %d, %+v, want %d, %s", name, status, s, tc.status, tc.state)
		}
	}
}

// TestRule06FindsSignatureAndTimeApart has requests with one defect, the other, and both.
func TestRule06FindsSignatureAndTimeApart(t *testing.T) {
	r := rejecting(t)
	const body = `{"id":"evt_1"}`
	millis := fmt.Sprint(time.Now().UnixMilli())
	signedMillis := fmt.Sprintf("X-Webhook-Signature: t=%s,v1=%x\r\n", millis, hmacOf([]byte(keyOne), millis+"."+body))
	for name, tc := range map[string]struct {
		head   string
		state  mockreceiver.SignatureState
		reason signature.Reason
		detail string
		signer bool // the key is found all the same
	}{
		"neither":      {headerLines(signatureOf(t, timeV1, body, keyOne, 0)), mockreceiver.SignatureVerified, signature.Verified, "", true},
		"time":         {headerLines(signatureOf(t, timeV1, body, keyOne, time.Hour)), mockreceiver.SignatureStale, signature.Verified, "", true},
		"signature":    {headerLines(signatureOf(t, timeV1, body, "other", 0)), mockreceiver.SignatureFailed, signature.Mismatch, "", false},
		"both":         {headerLines(signatureOf(t, timeV1, body, "other", time.Hour)), mockreceiver.SignatureFailed, signature.Mismatch, "", false},
		"unit of time": {signedMillis, mockreceiver.SignatureFailed, signature.Milliseconds, "milliseconds", true},
	} {
		_, s := r.deliver(timeV1, tc.head, body)
		if s.State != tc.state {
			t.Errorf("%s: got %+v, want %s", name, s, tc.state)
		}
		arrivals := of[*evidence.Arrival](r.sofar())
		f, ok := r.Diagnose(arrivals[len(arrivals)-1])
		if !ok || f.Reason != tc.reason || !strings.Contains(f.Detail, tc.detail) || (len(f.Keys) == 1) != tc.signer {
			t.Errorf("%s: diagnosed %+v, want %s", name, f, tc.reason)
		}
	}
}

func TestRule07ReadsListsOfSignatures(t *testing.T) {
	r := rejecting(t)
	const body = `{"id":"evt_1"}`
	sum := func(scheme, key string) (h http.Header, first, rest string) {
		h = signatureOf(t, scheme, body, key, 0)
		s, err := signature.Lookup(scheme)
		if err != nil {
			t.Fatal(err)
		}
		value := h.Get(s.Header())
		if scheme == standard {
			return h, "", value
		}
		first, rest, _ = strings.Cut(value, ",")
		return h, first + ",", rest
	}
	for scheme, tc := range map[string]struct {
		key    string
		before []string // entries that must not spoil what follows, nor what comes before them
		glue   string
	}{
		timeV1:   {keyOne, []string{"v0=00", "v2=" + strings.Repeat("a", 64), "v1=" + strings.Repeat("0", 64), "v1=zz", "v1=", "foo=bar"}, ","},
		standard: {whsec, []string{"v0,AAAA", "v1a,c2lnbmF0dXJl", "v1,AAAA", "v1,%%", "v1,", "v2,x"}, " "},
	} {
		h, first, good := sum(scheme, tc.key)
		_, _, bad := sum(scheme, map[string]string{timeV1: "other", standard: "whsec_" + base64.StdEncoding.EncodeToString([]byte("another secret, as long as 24 bytes"))}[scheme])
		s, err := signature.Lookup(scheme)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]string{
			{good},
			{bad, good},
			{good, bad},
			{good, good},
			append(append([]string{}, tc.before...), good),
			append([]string{good}, tc.before...),
		} {
			h.Set(s.Header(), first+strings.Join(list, tc.glue))
			if status, _ := r.deliver(scheme, headerLines(h), body); status != 200 {
				t.Errorf("%s, %q: got %d, want 200", scheme, h.Get(s.Header()), status)
			}
		}
		h.Set(s.Header(), first+strings.Join(append(tc.before, bad), tc.glue))
		if status, _ := r.deliver(scheme, headerLines(h), body); status != 401 {
			t.Errorf("%s, %q: got %d, want 401", scheme, h.Get(s.Header()), status)
		}
	}
}

func TestRule08FoldsTheCaseOfNamesAndKeepsItInTheJournal(t *testing.T) {
	r := rejecting(t)
	const body = `{}`
	for scheme, key := range map[string]string{timeV1: keyOne, standard: whsec} {
		head := headerLines(signatureOf(t, scheme, body, key, 0))
		for name, change := range map[string]func(string) string{
			"lower": strings.ToLower, "upper": strings.ToUpper, "odd": func(s string) string { return strings.ToLower(s[:2]) + strings.ToUpper(s[2:]) },
		} {
			var sent strings.Builder
			for line := range strings.Lines(head) {
				field, value, _ := strings.Cut(line, ":")
				sent.WriteString(change(field) + ":" + value)
			}
			if status, s := r.deliver(scheme, sent.String(), body); status != 200 {
				t.Errorf("%s, %s: got %d, %+v", scheme, name, status, s)
			}
			arrivals := of[*evidence.Arrival](r.sofar())
			a := arrivals[len(arrivals)-1]
			if !strings.Contains(string(a.Head), "\r\n"+sent.String()) {
				t.Errorf("%s, %s: the journal has %q, sent was %q", scheme, name, a.Head, sent.String())
			}
			if scheme == standard && a.Key != "evt_1" {
				t.Errorf("%s: known by %q from %s, want the id in the header", name, a.Key, a.KeyFrom)
			}
		}
	}
}
