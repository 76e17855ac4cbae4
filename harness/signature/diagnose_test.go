package signature_test

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // as senders use it
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/signature"
)

// mistaken is a request that was signed in a wrong way.
type mistaken struct {
	name   string
	scheme string
	req    signature.Request
	hints  signature.Hints
	key    string
	causes []string
}

// stamped is a request of timestamp-v1 with that body and signature.
func stamped(wire, value string) signature.Request {
	return signature.Request{Header: http.Header{"X-Webhook-Signature": {"t=" + stamp + ",v1=" + value}}, Body: []byte(wire)}
}

// standard is a request of standard-webhooks-v1.
func standard(wire, value string) signature.Request {
	return signature.Request{Header: http.Header{"Webhook-Id": {"msg_1"}, "Webhook-Timestamp": {stamp}, "Webhook-Signature": {"v1," + value}}, Body: []byte(wire)}
}

func rawKey(t *testing.T) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(stdKey, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// contentMistakes are told of the content of timestamp-v1.
func contentMistakes() (all []mistaken) {
	const compact = `{"type":"payment.succeeded","data":{"name":"Zoë <b> 🎉 1:2,3"}}`
	const spaced = `{"type": "payment.succeeded", "data": {"name": "Zoë <b> 🎉 1:2,3"}}`
	const sorted = `{"data":{"name":"Zoë <b> 🎉 1:2,3"},"type":"payment.succeeded"}`
	ascii := strings.NewReplacer("ë", `\u00eb`, "🎉", `\ud83c\udf89`)
	html := strings.NewReplacer("<", `\u003c`, ">", `\u003e`)
	const slashed = `{"url": "https://example.com/a"}`
	const numbered = `{"a": [1.0, -5E-1, 1e21], "b": "1.0\"", "c": 12345678901234567890}`
	const latin = `{"name": "Zoë"}`
	twice, err := json.Marshal(latin)
	if err != nil {
		panic(err)
	}
	for _, m := range []struct{ cause, wire, signed string }{
		{"body-only", body, body},
		{"time-unit", body, stamp + "000." + body},
		{"time-unit", body, "2023-11-14T22:13:20Z." + body},
		{"time-differs", body, "1699999998." + body},
		{"time-zone", body, "1700007200." + body},
		{"time-zone", body, "1700019800." + body},
		{"separator", body, stamp + ":" + body},
		{"separator", body, stamp + body},
		{"separator", body, stamp + "\n" + body},
		{"order", body, body + "." + stamp},
		{"body-empty", body, stamp + "."},
		{"body-final-line-end", body, stamp + "." + strings.TrimSuffix(body, "\n")},
		{"body-final-line-end", compact, stamp + "." + compact + "\r\n"},
		{"body-crlf", body, stamp + "." + strings.ReplaceAll(body, "\n", "\r\n")},
		{"body-crlf", "a\r\nb", stamp + ".a\nb"},
		{"body-compact", body, stamp + "." + compact},
		{"body-spaced", body, stamp + "." + spaced},
		{"body-spaced", compact, stamp + "." + ascii.Replace(spaced)},
		{"body-indented", latin, stamp + ".{\n  \"name\": \"Zo\\u00eb\"\n}"},
		{"body-numbers", numbered, stamp + "." + `{"a":[1,-0.5,1e+21],"b":"1.0\"","c":12345678901234567000}`},
		{"body-numbers", numbered, stamp + "." + `{"a": [1, -0.5, 1e+21], "b": "1.0\"", "c": 12345678901234567000}`},
		{"body-numbers", numbered, stamp + "." + `{"a": [1.0, -0.5, 1e+21], "b": "1.0\"", "c": 12345678901234567890}`},
		{"body-indented", latin, stamp + ".{\n    \"name\": \"Zoë\"\n}"},
		{"body-escaped", body, stamp + "." + ascii.Replace(body)},
		{"body-raw-unicode", ascii.Replace(body), stamp + "." + body},
		{"body-sorted-keys", body, stamp + "." + sorted},
		{"body-sorted-keys", body, stamp + "." + html.Replace(sorted)},
		{"body-html-escaped", body, stamp + "." + html.Replace(body)},
		{"body-html-escaped", html.Replace(body), stamp + "." + body},
		{"body-escaped-slashes", slashed, stamp + "." + `{"url": "https:\/\/example.com\/a"}`},
		{"body-escaped-slashes", `{"url": "https:\/\/example.com\/a"}`, stamp + "." + slashed},
		{"body-latin-1", latin, stamp + ".{\"name\": \"Zo\xeb\"}"},
		{"body-encoded-twice", latin, stamp + "." + string(twice)},
		{"body-digest", body, stamp + "." + fmt.Sprintf("%x", sha256.Sum256([]byte(body)))},
	} {
		all = append(all, mistaken{m.cause, "timestamp-v1", stamped(m.wire, sum(key, m.signed)), signature.Hints{}, key, []string{m.cause}})
	}
	return all
}

// macHex is an HMAC by key in hex.
func macHex(t *testing.T, digest, content string) string {
	t.Helper()
	made := map[string]func() hash.Hash{"sha1": sha1.New, "sha512": sha512.New}[digest]
	m := hmac.New(made, []byte(key))
	m.Write([]byte(content))
	return hex.EncodeToString(m.Sum(nil))
}

func keyMistakes(t *testing.T) (all []mistaken) {
	t.Helper()
	good := stamp + "." + body
	for _, m := range []struct{ cause, secret, used string }{
		{"key-empty", key, ""},
		{"key-prefix-removed", "whsec_abc!", "abc!"},
		{"key-base64-decoded", "c2VjcmV0LXNlY3JldA==", "secret-secret"},
		{"key-hex-decoded", "00ff01fe", "\x00\xff\x01\xfe"},
		{"key-base64-encoded", key, base64.StdEncoding.EncodeToString([]byte(key))},
		{"key-hex-encoded", key, hex.EncodeToString([]byte(key))},
		{"key-line-end", key, key + "\n"},
		{"key-line-end", key + "\n", key},
	} {
		all = append(all, mistaken{m.cause, "timestamp-v1", stamped(body, sum(m.used, good)), signature.Hints{}, m.secret, []string{m.cause}})
	}
	digest := func(text string) signature.Request {
		sum := sha256.Sum256([]byte(text))
		return stamped(body, hex.EncodeToString(sum[:]))
	}
	for _, m := range []struct {
		cause string
		req   signature.Request
	}{
		{"key-swapped", stamped(body, sum(good, key))},
		{"no-hmac", digest(key + good)},
		{"no-hmac", digest(good + key)},
		{"no-hmac", digest(good)},
		{"no-hmac", digest(body)},
	} {
		all = append(all, mistaken{m.cause, "timestamp-v1", m.req, signature.Hints{}, key, []string{m.cause}})
	}
	std := "msg_1." + stamp + "." + body
	bare := strings.TrimPrefix(stdKey, "whsec_")
	hints := signature.Hints{Old: []string{"old"}, Foreign: []signature.NamedKey{{Name: "billing", Secret: "theirs"}}}
	return append(all,
		mistaken{"prefix kept", "standard-webhooks-v1", standard(body, sum64(stdKey, std)), signature.Hints{}, stdKey, []string{"key-prefix-kept"}},
		mistaken{"not decoded", "standard-webhooks-v1", standard(body, sum64(bare, std)), signature.Hints{}, stdKey, []string{"key-not-decoded"}},
		mistaken{"old", "timestamp-v1", stamped(body, sum("old", good)), hints, key, []string{"key-old"}},
		mistaken{"foreign", "timestamp-v1", stamped(body, sum("theirs", good)), hints, key, []string{"key-of-another-endpoint"}},
	)
}

func valueMistakes(t *testing.T) []mistaken {
	t.Helper()
	good := sum(key, stamp+"."+body)
	raw, err := hex.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name, scheme string, r signature.Request, causes ...string) mistaken {
		return mistaken{name, scheme, r, signature.Hints{}, key, causes}
	}
	hub := func(value string) signature.Request {
		return signature.Request{Header: http.Header{"X-Hub-Signature-256": {value}}, Body: []byte(body)}
	}
	own := func(value string) signature.Request {
		return signature.Request{Header: http.Header{"X-Webhook-Signature": {value}}, Body: []byte(body)}
	}
	sha1 := macHex(t, "sha1", stamp+"."+body)
	return []mistaken{
		at("upper case", "timestamp-v1", stamped(body, strings.ToUpper(good)), "value-case"),
		at("base64", "timestamp-v1", stamped(body, base64.StdEncoding.EncodeToString(raw)), "value-encoding"),
		at("base64 of the URL alphabet", "timestamp-v1", stamped(body, base64.RawURLEncoding.EncodeToString(raw)), "value-encoding"),
		at("base64 of hex", "timestamp-v1", stamped(body, base64.StdEncoding.EncodeToString([]byte(good))), "value-encoding"),
		at("cut", "timestamp-v1", stamped(body, good[:62]), "value-truncated"),
		at("cut to half a byte", "timestamp-v1", stamped(body, good[:33]), "value-truncated"),
		at("cut to the length of MD5", "timestamp-v1", stamped(body, good[:32]), "value-truncated"),
		at("SHA-1", "timestamp-v1", stamped(body, sha1), "digest"),
		at("SHA-512", "timestamp-v1", stamped(body, macHex(t, "sha512", stamp+"."+body)), "digest"),
		at("no prefix", "github", hub(sum(key, body)), "value-prefix-missing"),
		at("another prefix", "github", hub("sha512="+sum(key, body)), "value-form"),
		at("another tag", "timestamp-v1", own("t="+stamp+",v0="+good), "value-form"),
		at("a space", "timestamp-v1", own("t="+stamp+", v1="+good), "value-form"),
		at("semicolons", "timestamp-v1", own("t="+stamp+";s="+good), "value-form"),
		// Pairs that occur together.
		at("SHA-1 in upper case", "timestamp-v1", stamped(body, strings.ToUpper(sha1)), "digest", "value-case"),
		at("upper case, only the body", "timestamp-v1", stamped(body, strings.ToUpper(sum(key, body))), "value-case", "body-only"),
		at("no prefix, upper case", "github", hub(strings.ToUpper(sum(key, body))), "value-prefix-missing", "value-case"),
		at("no prefix, no line end", "github", hub(sum(key, strings.TrimSuffix(body, "\n"))), "value-prefix-missing", "body-final-line-end"),
		at("only the body, without its line end", "timestamp-v1", stamped(body, sum(key, strings.TrimSuffix(body, "\n"))), "body-only", "body-final-line-end"),
		at("only the body, key in hex", "timestamp-v1", stamped(body, sum(hex.EncodeToString([]byte(key)), body)), "body-only", "key-hex-encoded"),
		at("no line end, key in hex", "timestamp-v1", stamped(body, sum(hex.EncodeToString([]byte(key)), stamp+"."+strings.TrimSuffix(body, "\n"))),
			"body-final-line-end", "key-hex-encoded"),
	}
}

func placeMistakes(t *testing.T) []mistaken {
	t.Helper()
	std, raw := stdKey, rawKey(t)
	form := url.Values{"payload": {`{"a":1}`}}.Encode()
	formed := func(header, value string) signature.Request {
		return signature.Request{
			Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, header: {value}},
			Body:   []byte(form),
		}
	}
	slack := signature.Request{
		Header: http.Header{"X-Slack-Signature": {"v0=" + sum(key, stamp+":"+body)}, "X-Slack-Request-Timestamp": {stamp}}, Body: []byte(body),
	}
	square := func(target string) signature.Request {
		return signature.Request{URL: hook, Header: http.Header{"X-Square-Hmacsha256-Signature": {sum64(key, target+body)}}, Body: []byte(body)}
	}
	dotted := slack
	dotted.Header = http.Header{"X-Slack-Signature": {"v0=" + sum(key, "v0."+stamp+"."+body)}, "X-Slack-Request-Timestamp": {stamp}}
	svix := standard(body, sum64(raw, "msg_1."+stamp+"."+body))
	svix.Header = http.Header{"Svix-Id": {"msg_1"}, "Svix-Timestamp": {stamp}, "Svix-Signature": svix.Header["Webhook-Signature"]}
	late := slack
	late.Header = http.Header{"X-Slack-Signature": {"v0=" + sum(key, "v0:"+stamp+":"+body)}, "X-Slack-Timestamp": {stamp}}
	both := signature.Request{Body: []byte(body), Header: http.Header{
		"X-Hub-Signature-256": {"sha256=" + sum(key, strings.TrimSuffix(body, "\n"))},
		"X-Hub-Signature":     {"sha1=" + macHex(t, "sha1", strings.TrimSuffix(body, "\n"))},
	}}
	none := signature.Hints{}
	return []mistaken{
		{"time missing", "standard-webhooks-v1", standard(body, sum64(raw, "msg_1."+body)), none, std, []string{"time-missing"}},
		{"id missing", "standard-webhooks-v1", standard(body, sum64(raw, stamp+"."+body)), none, std, []string{"id-missing"}},
		{"order", "standard-webhooks-v1", standard(body, sum64(raw, stamp+".msg_1."+body)), none, std, []string{"order"}},
		{"other separators, the first too", "slack", dotted, none, key, []string{"separator"}},
		{"all headers of another family", "standard-webhooks-v1", svix, none, std, []string{"header-name"}},
		{"the time's header of another name", "slack", late, none, key, []string{"header-name"}},
		{"version missing", "slack", slack, none, key, []string{"part-missing"}},
		{"URL missing", "square", square(""), none, key, []string{"body-only"}},
		{"field instead of the wire", "github", formed("X-Hub-Signature-256", "sha256="+sum(key, `{"a":1}`)), none, key, []string{"form-field"}},
		{"wire instead of the field", "gitea", formed("X-Gitea-Signature", sum(key, form)), none, key, []string{"form-wire-body"}},
		{"no port", "square", square("https://example.com/hook?a=1&b=2"), none, key, []string{"url-variant"}},
		{"http", "square", square("http://example.com:8443/hook?a=1&b=2"), none, key, []string{"url-variant"}},
		{"no query", "square", square("https://example.com:8443/hook"), none, key, []string{"url-variant"}},
		{"a slash", "square", square("https://example.com:8443/hook/?a=1&b=2"), none, key, []string{"url-variant"}},
		{"path", "square", square("/hook"), none, key, []string{"url-variant"}},
		{"two headers", "github", both, none, key, []string{"body-final-line-end"}},
	}
}

func ageMistakes() []mistaken {
	good := stamped(body, sum(key, stamp+"."+body))
	came := func(after time.Duration) signature.Hints {
		return signature.Hints{Received: time.Unix(1_700_000_000, 0).Add(after), Tolerance: 5 * time.Minute}
	}
	return []mistaken{
		{"fresh", "timestamp-v1", good, came(4 * time.Minute), key, nil},
		{"no time known", "timestamp-v1", good, signature.Hints{}, key, nil},
		{"old", "timestamp-v1", good, came(7 * time.Minute), key, []string{"stale"}},
		{"two hours and a second ago", "timestamp-v1", good, came(2*time.Hour + time.Second), key, []string{"stale-by-time-zone"}},
		{"from the east of UTC", "timestamp-v1", good, came(-(5*time.Hour + 30*time.Minute) + time.Second), key, []string{"stale-by-time-zone"}},
		{"days old", "timestamp-v1", good, came(48 * time.Hour), key, []string{"stale"}},
	}
}

func TestDiagnoseNamesExactlyTheCause(t *testing.T) {
	all := slices.Concat(contentMistakes(), keyMistakes(t), valueMistakes(t), placeMistakes(t), messageMistakes(t), ageMistakes())
	named := map[string]bool{}
	for _, m := range all {
		t.Run(m.name+" of "+m.scheme, func(t *testing.T) {
			f := scheme(t, m.scheme).Diagnose(m.req, m.hints, m.key)
			if diff := cmp.Diff(m.causes, f.Causes); diff != "" {
				t.Errorf("%s (%s): %s", f.Reason, f.Detail, diff)
			}
			if len(m.causes) > 0 {
				for _, secret := range []string{m.key, "theirs"} {
					if f.Detail == "" || strings.Contains(f.Detail, secret) {
						t.Errorf("the detail is %q", f.Detail)
					}
				}
			}
		})
		if len(m.causes) == 1 {
			named[m.causes[0]] = true
		}
	}
	for _, c := range signature.Causes() {
		if !named[c.Name] {
			t.Errorf("no request has the cause %s alone", c.Name)
		}
		if c.Says == "" {
			t.Errorf("nothing is said of %s", c.Name)
		}
	}
}

// bounds of a diagnosis, as its doc comment states them.
const mostTried = 1024

func TestRandomSignaturesAreExplainedByNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := readyScheme(t, rapid.SampledFrom(keyedIDs()).Draw(t, "scheme"))
		if s.Record().Algorithm == "rsa-pkcs1v15" {
			return // their signatures are no random bytes
		}
		text := rapid.SliceOfN(rapid.Byte(), 1, 64).Draw(t, "body")
		c := content(s, text, time.Unix(1_700_000_000, 0))
		right, wrong := keyText(t, s, text, 0), keyText(t, s, text, 1)
		req, err := signRequest(s, c, wrong)
		if err != nil {
			t.Fatal(err)
		}
		hints := signature.Hints{Old: []string{keyText(t, s, text, 2)}, Received: time.Unix(1_700_000_000, 0), Tolerance: time.Minute}
		f := s.Diagnose(req, hints, right)
		if f.OK() || len(f.Causes) > 0 || f.Detail == "" {
			t.Fatalf("%s: %s by %v (%s)", s.ID(), f.Reason, f.Causes, f.Detail)
		}
		if f.Tried > mostTried {
			t.Fatalf("%d signatures were recomputed, bound is %d", f.Tried, mostTried)
		}
	})
}

func TestDiagnosisIsBounded(t *testing.T) {
	var keys []string
	for i := range 64 {
		keys = append(keys, fmt.Sprintf("whsec_%032d", i))
	}
	f := scheme(t, "timestamp-v1").Diagnose(stamped(body, strings.Repeat("ab", 32)), signature.Hints{}, keys...)
	if f.Tried != mostTried || !strings.Contains(f.Detail, "bound") || f.Causes != nil {
		t.Errorf("%d tried: %s", f.Tried, f.Detail)
	}
	large := `{"a":"` + strings.Repeat("/", 1<<19) + `"}`
	f = scheme(t, "timestamp-v1").Diagnose(stamped(large, strings.Repeat("ab", 32)), signature.Hints{}, key)
	if f.Tried > 256 || !strings.Contains(f.Detail, "bound") {
		t.Errorf("%d of half a megabyte tried: %s", f.Tried, f.Detail)
	}
}
