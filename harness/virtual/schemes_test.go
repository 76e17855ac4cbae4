package virtual_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/internal/selftest"
)

// TestNoAlarmForOtherSchemes plays what signatures and keys are judged by, by schemes that differ in what a request carries: no time, one signature
// alone, a public key, the URL, a header for each key, the key itself. No check may fail, and each request must verify.
func TestNoAlarmForOtherSchemes(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"github", "square", "docusign", "rfc9421-webhook", "standard-webhooks-v1a", "authorization-bearer", "acme"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			c, err := selftest.Contract("")
			if err != nil {
				t.Fatal(err)
			}
			own := *c.Signature
			own.Scheme, c.Signature = id, &own
			if id == "acme" {
				own.Record = acme()
			}
			s, err := own.Lookup()
			if err != nil {
				t.Fatal(err)
			}
			if s.Carries() == 1 {
				keys := *c.Keys
				keys.Overlap, c.Keys = 0, &keys
			}
			r := virtual.Assay(t, virtual.Config{
				Name: id, NewSender: inprocess.Virtual(""), Restarts: true, Contract: c, Select: []string{"delivery/*", "replay/*", "secret/*", "wire/*"},
			})
			verified := 0
			for _, x := range r.Verdicts {
				if x.Outcome == judge.Inconclusive && !strings.HasPrefix(x.Because, "nothing to judge") {
					t.Errorf("%s in %s: %s", x.Check, x.Scenario, x.Because)
				}
				if x.Check == "sig.verifies" && x.Outcome == judge.Pass {
					verified++
				}
			}
			if verified == 0 {
				t.Error("sig.verifies passed nowhere")
			}
		})
	}
}

// acme is a scheme that stands in a contract alone.
func acme() *signature.Record {
	return &signature.Record{
		Title: "Acme", Secret: signature.Secret{Decode: "raw"}, Digest: "sha512", Encoding: "base64url",
		Carrier:       signature.Carrier{Header: "X-Acme", PairSep: ";", KVSep: ":", TimeTag: "at", SignatureTag: "s"},
		Timestamp:     signature.Timestamp{From: "carrier", Format: "unix_ms"},
		SignedContent: []string{"{timestamp}", "|", "{body}"},
	}
}
