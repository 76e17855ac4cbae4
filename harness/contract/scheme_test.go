package contract_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/signature"
)

// with is a small contract with so much about signatures, which is indented by two.
func with(signatures string) string {
	return `schema: hookassay.contract/1
name: acme
title: Acme
signature:
` + signatures + `
  tolerance: 5m
  resign: same
answers: {success: [2xx], otherwise: retry}
`
}

// ownGitHub describes GitHub's scheme as if nobody knew it.
const ownGitHub = `  scheme: acme-hub
  record:
    title: Acme
    secret: {decode: raw}
    digest: sha256
    encoding: hex
    carrier: {header: X-Hub-Signature-256, prefix: "sha256="}
    signed_content: ["{body}"]`

// TestOwnSchemeVerifiesARealVector: a scheme that stands in a contract alone verifies what a provider published.
func TestOwnSchemeVerifiesARealVector(t *testing.T) {
	for name, tt := range map[string]struct{ contract, vector string }{
		"a header and an HMAC, whole":     {ownGitHub, "github-1"},
		"like a known one, for the rest":  {"  scheme: acme-slack\n  record: {like: slack, title: Acme}", "slack-1"},
		"with a value that is not sent":   {"  scheme: acme-paypal\n  record: {like: paypal, title: Acme, constants: [{name: webhook_id, value: 4JH86294D6297924G}]}", "paypal-1"},
		"with another digest than others": {"  scheme: acme-convoy\n  record: {like: convoy-simple, title: Acme, digest: sha512}", "convoy-simple-sha512-hex"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := contract.Parse("acme.yaml", []byte(with(tt.contract)))
			if err != nil {
				t.Fatal(err)
			}
			s, err := c.Signature.Lookup()
			if err != nil {
				t.Fatal(err)
			}
			secret, request := published(t, tt.vector)
			if f := s.VerifyRequest(request, secret); !f.OK() {
				t.Errorf("got %s (%s)", f.Reason, f.Detail)
			}
			request.Body = append(request.Body, ' ')
			if f := s.VerifyRequest(request, secret); f.OK() {
				t.Error("another body verifies as well")
			}
			again, err := signature.Lookup(c.Signature.SchemeText())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(s.Record(), again.Record()); diff != "" {
				t.Errorf("by its text: %s", diff)
			}
		})
	}
}

// published is one of the vectors that the package of schemes is tested by.
func published(t *testing.T, id string) (secret string, r signature.Request) {
	t.Helper()
	text, err := os.ReadFile("../signature/testdata/published.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		ID, Secret, Body string
		Headers          map[string]string
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		if v.ID != id {
			continue
		}
		h := http.Header{}
		for name, value := range v.Headers {
			h.Set(name, value)
		}
		return v.Secret, signature.Request{Header: h, Body: []byte(v.Body)}
	}
	t.Fatalf("there is no vector %s", id)
	return "", r
}

// TestOwnSchemeSurvivesMarshal: the effective contract in the evidence must say all of the scheme.
func TestOwnSchemeSurvivesMarshal(t *testing.T) {
	for _, own := range []string{
		ownGitHub,
		"  scheme: acme-gitea\n  record: {like: gitea, title: Acme}",
		"  scheme: acme-paypal\n  record: {like: paypal, title: Acme, constants: [{name: webhook_id, value: \"a: {b}\"}]}",
		"  scheme: acme-adyen\n  record: {like: adyen-standard, title: Acme}",
	} {
		c, err := contract.Parse("acme.yaml", []byte(with(own)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		again, err := contract.Parse("again.yaml", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Errorf("%s\n%s", diff, text)
		}
		if strings.Contains(string(text), "like:") {
			t.Errorf("the effective contract needs another scheme to be read:\n%s", text)
		}
	}
}

func TestOwnSchemeProblems(t *testing.T) {
	for name, tt := range map[string]struct{ contract, want string }{
		"no id":               {"  record: {like: slack, title: Acme}", "signature.scheme: is missing"},
		"an id that is taken": {"  scheme: slack\n  record: {like: slack, title: Acme}", "signature.scheme: slack comes with the program"},
		"two ids":             {"  scheme: acme\n  record: {id: emca, like: slack, title: Acme}", "6:12: signature.record.id: is not the scheme's, acme"},
		"no title":            {"  scheme: acme\n  record: {like: slack}", "signature.record.title: is missing"},
		"like nothing":        {"  scheme: acme\n  record: {like: moon, title: Acme}", `6:12: signature.record: is like no scheme: signature scheme "moon" is unknown`},
		"unknown word":        {"  scheme: acme\n  record: {like: slack, title: Acme, digest: sha3}", `signature.record.digest: "sha3" is unknown`},
		"unknown field":       {"  scheme: acme\n  record: {like: slack, title: Acme, pepper: a}", "signature.record.pepper: is no field"},
		"not the body":        {"  scheme: acme\n  record: {like: shopify, title: Acme, signed_content: [\"a\"]}", "signature.record.signed_content: {body} is missing"},
		"a value that is not set": {
			"  scheme: paypal", "signature.record: is missing: paypal signs webhook_id, whose value only you know",
		},
		"no key": {"  scheme: content-digest", "signature.scheme: content-digest has no key"},
		"an overlap by one signature": {
			"  scheme: github\n  tolerance: 5m\n  resign: same\nkeys: {overlap: 1h}\nx:", "keys.overlap: is 1h0m0s, and a request by github carries one signature",
		},
	} {
		_, err := contract.Parse("acme.yaml", []byte(with(tt.contract)))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", name, err, tt.want)
		}
	}
}
