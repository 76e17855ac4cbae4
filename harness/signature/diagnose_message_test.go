package signature_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/signature"
)

// message is a request with a signature of RFC 9421 in the making.
type message struct {
	lines         []string // of the base
	params        string   // as sent
	label, inputs string   // of the signature and of its input
	body, digest  string   // as sent, the second as the header has it
	key           string   // as Verify takes it
	sum           func(base string) []byte
}

var sharedKey = base64.StdEncoding.EncodeToString([]byte("a shared key of thirty-two bytes"))

func sha256Field(text string) string {
	raw := sha256.Sum256([]byte(text))
	return "sha-256=:" + base64.StdEncoding.EncodeToString(raw[:]) + ":"
}

func hmacBy(key string) func(string) []byte {
	return func(base string) []byte {
		m := hmac.New(sha256.New, []byte(key))
		m.Write([]byte(base))
		return m.Sum(nil)
	}
}

const (
	messageList   = `("@method" "@target-uri" "content-digest")`
	messageParams = messageList + `;created=1700000000;keyid="k1";nonce="n"`
)

// soundMessage verifies.
func soundMessage() message {
	digest := sha256Field(body)
	return message{
		lines:  []string{`"@method": POST`, `"@target-uri": ` + hook, `"content-digest": ` + digest},
		params: messageParams, label: "sig1", inputs: "sig1", body: body, digest: digest, key: sharedKey,
		sum: hmacBy("a shared key of thirty-two bytes"),
	}
}

// request is the message, with that text signed.
func (m message) request(base string) signature.Request {
	return signature.Request{Method: http.MethodPost, URL: hook, Body: []byte(m.body), Header: http.Header{
		"Content-Digest": {m.digest}, "Signature-Input": {m.inputs + "=" + m.params},
		"Signature": {m.label + "=:" + base64.StdEncoding.EncodeToString(m.sum(base)) + ":"},
	}}
}

// base is the text that is to be signed, with other parameters than those sent.
func (m message) base(params string) string {
	return strings.Join(append(append([]string{}, m.lines...), `"@signature-params": `+params), "\n")
}

// messageMistakes change one thing each in a message that verifies.
func messageMistakes(t *testing.T) (all []mistaken) {
	t.Helper()
	add := func(name, cause string, change func(m *message) (base string)) {
		m := soundMessage()
		base := change(&m)
		var causes []string
		if cause != "" {
			causes = []string{cause}
		}
		all = append(all, mistaken{name, "rfc9421", m.request(base), signature.Hints{
			Old: []string{base64.StdEncoding.EncodeToString([]byte("old"))},
		}, m.key, causes})
	}
	sentAs := func(old, with string) func(*message) string {
		return func(m *message) string { return m.base(strings.Replace(m.params, old, with, 1)) }
	}
	baseOf := func(change func(m *message, right string) string) func(*message) string {
		return func(m *message) string { return change(m, m.base(m.params)) }
	}
	add("message in order", "", baseOf(func(_ *message, right string) string { return right }))
	add("component without a line", "component-missing", func(m *message) string {
		m.lines = m.lines[:2]
		return m.base(m.params)
	})
	add("component that is listed later", "component-missing", func(m *message) string {
		m.lines = m.lines[:2]
		return m.base(strings.Replace(m.params, ` "content-digest"`, "", 1))
	})
	add("two seconds", "created-differs", sentAs("1700000000", "1699999998"))
	add("two hours", "created-differs", sentAs("1700000000", "1700007200"))
	add("milliseconds", "created-differs", sentAs("1700000000", "1700000000000"))
	add("no created", "created-differs", sentAs(";created=1700000000", ""))
	add("no keyid", "keyid-differs", sentAs(`;keyid="k1"`, ""))
	add("empty keyid", "keyid-differs", sentAs(`"k1"`, `""`))
	add("alg is signed and not sent", "alg-differs", func(m *message) string { return m.base(m.params + `;alg="hmac-sha256"`) })
	add("alg of another key", "alg-differs", func(m *message) string {
		m.params += `;alg="ed25519"`
		return m.base(m.params)
	})
	add("no nonce", "parameter-missing", sentAs(`;nonce="n"`, ""))
	add("parameters backwards", "order", func(m *message) string { return m.base(messageList + `;nonce="n";keyid="k1";created=1700000000`) })
	add("components backwards", "order", func(m *message) string {
		m.lines = []string{m.lines[2], m.lines[1], m.lines[0]}
		return m.base(m.params)
	})
	add("no last line", "signature-params-missing", func(m *message) string { return strings.Join(m.lines, "\n") })
	add("line end", "signature-base-line-ends", baseOf(func(_ *message, right string) string { return right + "\n" }))
	add("CR LF", "signature-base-line-ends", baseOf(func(_ *message, right string) string { return strings.ReplaceAll(right, "\n", "\r\n") }))
	add("lower case", "method-case", baseOf(func(_ *message, right string) string { return strings.Replace(right, "POST", "post", 1) }))
	add("no port in the target", "url-variant", baseOf(func(_ *message, right string) string { return strings.Replace(right, ":8443", "", 1) }))
	add("label", "label-differs", func(m *message) string {
		m.label = "sig"
		return m.base(m.params)
	})
	add("digest of the body without its line end", "body-final-line-end", func(m *message) string {
		m.digest = sha256Field(strings.TrimSuffix(body, "\n"))
		m.lines[2] = `"content-digest": ` + m.digest
		return m.base(m.params)
	})
	add("digest of other bytes", "digest-of-another-body", func(m *message) string {
		m.digest = sha256Field("other")
		m.lines[2] = `"content-digest": ` + m.digest
		return m.base(m.params)
	})
	add("hex between colons", "value-encoding", func(m *message) string {
		sum := m.sum
		m.sum = func(base string) []byte { return []byte(hex.EncodeToString(sum(base))) }
		return m.base(m.params)
	})
	add("SHA-512", "digest", func(m *message) string {
		m.sum = func(base string) []byte {
			h := hmac.New(sha512.New, []byte("a shared key of thirty-two bytes"))
			h.Write([]byte(base))
			return h.Sum(nil)
		}
		return m.base(m.params)
	})
	add("key not decoded", "key-not-decoded", func(m *message) string {
		m.sum = hmacBy(sharedKey)
		return m.base(m.params)
	})
	add("old key", "key-old", func(m *message) string {
		m.sum = hmacBy("old")
		return m.base(m.params)
	})
	add("stranger's key", "", func(m *message) string {
		m.sum = hmacBy("stranger")
		return m.base(m.params)
	})
	return append(all, derMistake(t))
}

// derMistake is a signature by ECDSA in the form that most libraries give.
func derMistake(t *testing.T) mistaken {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&k.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	m := soundMessage()
	m.key = string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
	m.sum = func(base string) []byte {
		sum := sha256.Sum256([]byte(base))
		der, err := ecdsa.SignASN1(rand.Reader, k, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	return mistaken{"DER", "rfc9421", m.request(m.base(m.params)), signature.Hints{}, m.key, []string{"value-form"}}
}

// TestDiagnoseNamesTheMistakeOfADigest: Content-Digest has no key, so that only the right body in another form is explained.
func TestDiagnoseNamesTheMistakeOfADigest(t *testing.T) {
	raw := sha256.Sum256([]byte(body))
	long := sha512.Sum512([]byte(body))
	field := func(name string, value []byte) string {
		return name + "=:" + base64.StdEncoding.EncodeToString(value) + ":"
	}
	for field, want := range map[string][]string{
		sha256Field(body):                                           nil,
		sha256Field("another"):                                      nil,
		sha256Field(strings.TrimSuffix(body, "\n")):                 {"body-final-line-end"},
		sha256Field(""):                                             {"body-empty"},
		field("sha-256", []byte(hex.EncodeToString(raw[:]))):        {"value-encoding"},
		field("sha-256", long[:]):                                   {"digest"},
		field("sha-512", raw[:]):                                    {"digest"},
		sha256Field("another") + ", " + field("sha-512", []byte{0}): nil,
	} {
		f := scheme(t, "content-digest").Diagnose(signature.Request{Header: http.Header{"Content-Digest": {field}}, Body: []byte(body)}, signature.Hints{})
		if diff := cmp.Diff(want, f.Causes); diff != "" {
			t.Errorf("%s: %s (%s): %s", field, f.Reason, f.Detail, diff)
		}
	}
}

// TestRandomMessagesAreExplainedByNothing: random bytes where a signature or a digest should be, of any length.
func TestRandomMessagesAreExplainedByNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := soundMessage()
		random := rapid.SliceOfN(rapid.Byte(), 8, 80).Draw(t, "random")
		m.sum = func(string) []byte { return random }
		if rapid.Bool().Draw(t, "digest") {
			m.digest = "sha-256=:" + base64.StdEncoding.EncodeToString(random) + ":"
		}
		for _, id := range []string{"rfc9421", "rfc9421-webhook", "content-digest"} {
			if id == "content-digest" && m.digest == sha256Field(body) {
				continue
			}
			f := readyScheme(t, id).Diagnose(m.request(m.base(m.params)), signature.Hints{}, m.key)
			if f.OK() || len(f.Causes) > 0 || f.Detail == "" || f.Tried > mostTried {
				t.Fatalf("%s: %s by %v (%s), %d tried", id, f.Reason, f.Causes, f.Detail, f.Tried)
			}
		}
	})
}

// TestMessageDiagnosisIsBounded: as many labels, components and keys as are read.
func TestMessageDiagnosisIsBounded(t *testing.T) {
	var inputs, sums []string
	for i := range 32 {
		label := string(rune('a'+i%26)) + strings.Repeat("z", i/26)
		inputs = append(inputs, label+`=("@method" "@target-uri" "@path" "@query" "@authority" "content-digest");created=1;keyid="k";nonce="n";tag="t"`)
		sums = append(sums, label+"=:AAAA:")
	}
	m := soundMessage()
	req := m.request("")
	req.Header["Signature-Input"], req.Header["Signature"] = inputs, sums
	var keys []string
	for range 64 {
		keys = append(keys, sharedKey)
	}
	f := scheme(t, "rfc9421").Diagnose(req, signature.Hints{}, keys...)
	if f.Tried != mostTried || !strings.Contains(f.Detail, "bound") || f.Causes != nil {
		t.Errorf("%d tried: %s", f.Tried, f.Detail)
	}
}
