package reports_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

const (
	plainKey    = `k"ey/+<Canary>&4711 of an endpoint`
	prefixedKey = "whsec_Q2FuYXJ5LWtleS1vZi1hbi1lbmRwb2ludC0wMDE5"
	decodedKey  = "Canary-key-of-an-endpoint-0019"
	hexSig      = "5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd"
	base64Sig   = "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE"
	freshSig    = "aaaabbbbccccddddeeeeffff0000111122223333444455556666777788889999"
)

// spellings are the ways in which a secret can stand in a text.
func spellings(secret string) map[string]string {
	quoted, err := json.Marshal(secret)
	if err != nil {
		panic(err)
	}
	return map[string]string{
		"raw": secret, "hex": hex.EncodeToString([]byte(secret)), "HEX": strings.ToUpper(hex.EncodeToString([]byte(secret))),
		"base64": base64.StdEncoding.EncodeToString([]byte(secret)), "base64url": base64.RawURLEncoding.EncodeToString([]byte(secret)),
		"query": url.QueryEscape(secret), "path": url.PathEscape(secret), "JSON": strings.Trim(string(quoted), `"`),
	}
}

func secrets() map[string]string {
	return map[string]string{
		"key": plainKey, "prefixed key": prefixedKey, "decoded key": decodedKey, "hex signature": hexSig, "base64 signature": base64Sig,
	}
}

// leaky is a run in which every text says all secrets in all spellings.
func leaky() reports.Input {
	in := mixed()
	in.Run.Endpoints = []evidence.Endpoint{{Secrets: []evidence.Secret{{Value: plainKey}, {Value: ""}}}}
	in.Run.Former = []evidence.Endpoint{{Secrets: []evidence.Secret{{Value: prefixedKey}}}}
	in.Run.Attempts = append(in.Run.Attempts, evidence.Attempt{Arrival: evidence.Arrival{Head: evidence.Raw(
		"POST / HTTP/1.1\r\nX-Webhook-Signature: t=1772615550,v1=" + hexSig + "\r\nwebhook-signature: v1," + base64Sig + "=\r\n\r\n")}})
	var all strings.Builder
	for _, secret := range secrets() {
		for _, s := range spellings(secret) {
			fmt.Fprintf(&all, " %s;", s)
		}
		for _, pad := range []string{"", "u", "us"} {
			fmt.Fprintf(&all, " %s;", base64.StdEncoding.EncodeToString([]byte(pad+":"+secret+":x")))
		}
	}
	all.WriteString(" v1=" + freshSig + " sha256=" + freshSig)
	v := reflect.ValueOf(&in).Elem()
	for _, field := range []string{"Verdicts", "Acceptance", "Timelines", "Why", "Command"} {
		plant(v.FieldByName(field), all.String())
	}
	plant(reflect.ValueOf(&in.Run.Scenarios).Elem(), all.String())
	plant(reflect.ValueOf(&in.Run.Header).Elem(), all.String())
	for _, records := range []any{&in.Run.Acts, &in.Run.Logs, &in.Run.DeadLetters, &in.Run.Output, &in.Run.Troubles, &in.Run.Noise} {
		plant(reflect.ValueOf(records).Elem(), all.String())
	}
	plant(reflect.ValueOf(&in.Contract.Name).Elem(), all.String())
	return in
}

// plant appends text to every string in v that is not one of our own words.
func plant(v reflect.Value, text string) {
	switch kind := v.Kind(); kind {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			v.SetString(v.String() + text)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			plant(v.Elem(), text)
		}
	case reflect.Slice:
		for i := range v.Len() {
			plant(v.Index(i), text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				plant(v.Field(i), text)
			}
		}
	}
}

func artifacts(t *testing.T, in reports.Input) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"terminal": terminal(t, in, 100, true)}
	for _, f := range reports.Formats() {
		out[f.File] = render(t, f, in)
	}
	return out
}

// leaks returns what of the secrets stands in text. White space is left out on both sides: a view may wrap lines.
func leaks(text []byte) []string {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	seen := squeeze(string(text))
	var out []string
	for name, secret := range secrets() {
		for spelling, s := range spellings(secret) {
			if strings.Contains(seen, squeeze(s)) {
				out = append(out, name+" in "+spelling)
			}
		}
		// Whatever stands around a secret in base64, this part of it does not change.
		for shift := range 3 {
			b := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + secret))
			if strings.Contains(seen, b[4:len(b)/4*4-4]) {
				out = append(out, fmt.Sprintf("%s within base64, shift %d", name, shift))
			}
		}
	}
	if strings.Contains(seen, freshSig) {
		out = append(out, "a signature known only by its look")
	}
	return out
}

func TestNoArtifactHoldsAKeyOrASignature(t *testing.T) {
	in := leaky()
	if found := leaks([]byte(in.Verdicts[0].Because)); len(found) < 30 {
		t.Fatalf("the trap is not armed: the planted text shows only %q", found)
	}
	for name, text := range artifacts(t, in) {
		for _, l := range leaks(text) {
			t.Errorf("%s: %s", name, l)
		}
		if name != "failures.csv" && name != "badge.json" && name != "manifest.json" && !bytes.Contains(text, []byte("redacted")) {
			t.Errorf("%s does not say that something was taken out", name)
		}
	}
}

func TestPrepareLeavesItsInputAlone(t *testing.T) {
	in := leaky()
	reports.Prepare(in)
	if !reflect.DeepEqual(in.Timelines, leaky().Timelines) && len(leaks([]byte(in.Timelines[0].Event))) == 0 {
		t.Error("the timelines of the input were changed")
	}
	if len(leaks([]byte(in.Verdicts[0].Because))) == 0 {
		t.Error("the verdicts of the input were changed")
	}
}

func TestASenderThatIssuesOurWordsAsSecretsBreaksNoDocument(t *testing.T) {
	in := mixed()
	in.Run.Endpoints = []evidence.Endpoint{{Secrets: []evidence.Secret{{Value: reports.Schema}, {Value: "fail"}, {Value: "a"}}}}
	r := reports.Build(in)
	if r.Schema != reports.Schema || r.Counts.Fail != 3 {
		t.Errorf("schema %q, %d fail", r.Schema, r.Counts.Fail)
	}
	for _, v := range r.Verdicts {
		if v.Check == "id.stable" && v.Outcome != judge.Fail {
			t.Errorf("id.stable has the outcome %q", v.Outcome)
		}
	}
	if r.Sender.Name != "acme-webhooks" {
		t.Errorf("sender %q: one letter was taken for a key", r.Sender.Name)
	}
}
