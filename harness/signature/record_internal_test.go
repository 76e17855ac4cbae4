package signature

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// A record with a word that no code stands behind must not become a scheme.
func TestRecordIsStrict(t *testing.T) {
	good := `{"id": "x", "title": "x", "secret": {"decode": "raw"}, "digest": "sha256", "encoding": "hex",
		"carrier": {"header": "X", "pair_sep": ",", "kv_sep": "=", "time_tag": "t", "signature_tag": "v1"},
		"timestamp": {"from": "carrier", "format": "unix_s"}, "signed_content": ["{timestamp}", "{body}"]}`
	if _, err := decodeRecord([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ old, new, want string }{
		{`"title"`, `"subtitle"`, "subtitle"},
		{`"sha256"`, `"md5"`, "digest"},
		{`"hex"`, `"base32"`, "encoding"},
		{`"raw"`, `"rot13"`, "secret.decode"},
		{`"from": "carrier"`, `"from": "moon"`, "timestamp.from"},
		{`"from": "carrier"`, `"from": "header"`, "timestamp.header: is missing"},
		{`unix_s`, `unix_ms`, "timestamp.format"},
		{`"time_tag": "t"`, `"time_tag": ""`, "carrier.time_tag: is missing"},
		{`"header": "X"`, `"header": ""`, "carrier.header: is missing"},
		{`"{timestamp}"`, `"{id}"`, "message_id.header: is missing"},
		{`"{body}"`, `"."`, "{body} is missing"},
		{`"{timestamp}"`, `"{url}"`, "signed_content"},
	} {
		_, err := decodeRecord([]byte(strings.Replace(good, tt.old, tt.new, 1)))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s instead of %s: got %v, want it refused for %s", tt.new, tt.old, err, tt.want)
		}
	}
}

// No scheme of today takes hex of either case, but the model says that one may.
func TestHexOfEitherCase(t *testing.T) {
	s, err := Lookup("timestamp-v1")
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.Sign(Content{At: time.Unix(1, 0)}, "key")
	if err != nil {
		t.Fatal(err)
	}
	_, sum, _ := strings.Cut(h.Get(s.Header()), "v1=")
	upper := http.Header{s.Header(): {"t=1,v1=" + strings.ToUpper(sum)}}
	if f := s.Verify(upper, nil, "key"); f.Reason != BadEncoding {
		t.Errorf("lower case alone: got %s, want %s", f.Reason, BadEncoding)
	}
	s.rec.HexCaseInsensitive = true
	if f := s.Verify(upper, nil, "key"); !f.OK() {
		t.Errorf("either case: got %s (%s), want it verified", f.Reason, f.Detail)
	}
}
