package signature_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/signature"
)

func TestBodiesAreComparedApartFromTheSchemesOwnValues(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ scheme, body, apart string }{
		{"mailgun", `{"a": 1, "signature":{"timestamp": "17", "token":"x", "signature" : "ab\"c"} }`, `{"a": 1, "signature":{"timestamp": , "token":, "signature" : } }`},
		{"mailgun", `{"signature":{"signature":{"not":"one"}},"x":{"signature":{"token":1}}}`, `{"signature":{"signature":{"not":"one"}},"x":{"signature":{"token":1}}}`},
		{"mailgun", `no JSON`, `no JSON`},
		{"linear", `{"a":[{"webhookTimestamp":1}],"webhookTimestamp":1700000000000}`, `{"a":[{"webhookTimestamp":1}],"webhookTimestamp":}`},
		{
			"adyen-standard", `{"notificationItems":[{"NotificationRequestItem":{"additionalData":{"hmacSignature":"x"}}},{"NotificationRequestItem":{"additionalData":{"hmacSignature":"y"}}}]}`,
			`{"notificationItems":[{"NotificationRequestItem":{"additionalData":{"hmacSignature":}}},{"NotificationRequestItem":{"additionalData":{"hmacSignature":}}}]}`,
		},
		{"timestamp-v1", `{"signature":"x"}`, `{"signature":"x"}`},
	} {
		if diff := cmp.Diff(tc.apart, string(scheme(t, tc.scheme).Apart([]byte(tc.body)))); diff != "" {
			t.Errorf("%s: %s", tc.scheme, diff)
		}
	}
}

func TestOwnValuesAreTakenOutOfADecodedBody(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ scheme, body, left string }{
		{"mailgun", `{"a":{},"signature":{"timestamp":"17","token":"x","signature":"ab"}}`, `{"a":{}}`},
		{"mailgun", `{"signature":{"signature":"ab","more":1}}`, `{"signature":{"more":1}}`},
		{"mailgun", `["signature"]`, `["signature"]`},
		{"linear", `{"a":1,"webhookTimestamp":1700000000000}`, `{"a":1}`},
	} {
		var doc any
		if err := json.Unmarshal([]byte(tc.body), &doc); err != nil {
			t.Fatal(err)
		}
		scheme(t, tc.scheme).Strip(doc)
		left, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.left, string(left)); diff != "" {
			t.Errorf("%s: %s", tc.scheme, diff)
		}
	}
	if diff := cmp.Diff([]string{"signature"}, scheme(t, "mailgun").Members()); diff != "" {
		t.Error(diff)
	}
}

// TestStampPutsTheTimeIntoTheBody is for a header's signature whose time stands in the body that it covers.
func TestStampPutsTheTimeIntoTheBody(t *testing.T) {
	t.Parallel()
	s, at := scheme(t, "linear"), time.Now()
	c := signature.Content{At: at, Body: []byte(`{"a":1}`)}
	if _, err := s.Sign(c, key); err == nil {
		t.Error("a body without the time was signed")
	}
	stamped, err := s.Stamp(c)
	if err != nil {
		t.Fatal(err)
	}
	c.Body = stamped
	h, err := s.Sign(c, key)
	if err != nil {
		t.Fatal(err)
	}
	f := s.VerifyRequest(signature.Request{Header: h, Body: stamped}, key)
	if !f.OK() || !f.Fresh(at, time.Second) {
		t.Errorf("%s: %s", f.Reason, f.Detail)
	}
	other := signature.Content{At: at, Body: []byte(`{"a":1}`)}
	if same, err := scheme(t, "github").Stamp(other); err != nil || string(same) != `{"a":1}` {
		t.Errorf("got %q, %v of a scheme without a time", same, err)
	}
}
