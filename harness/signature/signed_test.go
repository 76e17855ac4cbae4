package signature_test

import (
	"net/http"
	"testing"

	"github.com/hookassay/hookassay/harness/signature"
)

func TestSignedIsWhatASignatureCovers(t *testing.T) {
	for _, tt := range []struct {
		name, scheme string
		header       http.Header
		want         string // empty: cannot be told
	}{
		{"the time in the signature's header", "timestamp-v1", http.Header{"X-Signature": {"t=" + stamp + ",v1=" + sum(key, stamp+"."+body)}}, stamp + "." + body},
		{"a wrong signature covers the same", "timestamp-v1", http.Header{"X-Signature": {"t=" + stamp + ",v1=00"}}, stamp + "." + body},
		{"no signature of a known version", "timestamp-v1", http.Header{"X-Signature": {"t=" + stamp + ",v9=00"}}, stamp + "." + body},
		{"id and time in headers of their own", "standard-webhooks-v1", http.Header{"Webhook-Id": {"evt_1"}, "Webhook-Timestamp": {stamp}, "Webhook-Signature": {"v1,AA=="}}, "evt_1." + stamp + "." + body},
		{"no time", "timestamp-v1", http.Header{"X-Signature": {"v1=00"}}, ""},
		{"no id", "standard-webhooks-v1", http.Header{"Webhook-Timestamp": {stamp}, "Webhook-Signature": {"v1,AA=="}}, ""},
		{"no header", "timestamp-v1", http.Header{}, ""},
	} {
		scheme, err := signature.Lookup(tt.scheme)
		if err != nil {
			t.Fatal(err)
		}
		header := tt.header
		if v := header.Get("X-Signature"); v != "" {
			header = http.Header{scheme.Header(): {v}}
		}
		got, ok := scheme.Signed(header, []byte(body))
		if string(got) != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: got %q, %t, want %q", tt.name, got, ok, tt.want)
		}
	}
}
