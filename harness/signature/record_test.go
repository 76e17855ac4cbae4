package signature_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/signature"
)

func compile(text string) (*signature.Scheme, error) {
	r, err := signature.DecodeRecord([]byte(text))
	if err != nil {
		return nil, err
	}
	return signature.Compile(r)
}

// A record with a word that no code stands behind must not become a scheme, and neither must one that is weaker than it says.
func TestRecordIsStrict(t *testing.T) {
	good := `{"id": "x", "title": "x", "secret": {"decode": "raw"}, "digest": "sha256", "encoding": "hex",
		"carrier": {"header": "X", "pair_sep": ",", "kv_sep": "=", "time_tag": "t", "signature_tag": "v1"},
		"timestamp": {"from": "carrier", "format": "unix_s"}, "signed_content": ["{timestamp}", "{body}"]}`
	if _, err := compile(good); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ old, new, want string }{
		{`"title"`, `"subtitle"`, "subtitle"},
		{`"id": "x"`, `"id": ""`, "id: is missing"},
		{`"title": "x"`, `"title": ""`, "title: is missing"},
		{`"title": "x"`, `"title": "x", "algorithm": "rot13"`, "algorithm"},
		{`"title": "x"`, `"title": "x", "like": "rot13"`, "like"},
		{`"sha256"`, `"md4"`, "digest"},
		{`"sha256"`, `"sha256", "digest_named": ["sha1"]`, "digest_named"},
		{`"sha256"`, `"sha256", "mirrors": [{"header": "", "digest": "sha0", "encoding": "hex"}]`, "mirrors[0].digest"},
		{`"hex"`, `"base32"`, "encoding"},
		{`"hex"`, `"raw"`, "encoding"},
		{`"raw"`, `"rot13"`, "secret.decode"},
		{`"raw"`, `"raw", "min_bytes": 9, "max_bytes": 8`, "leave no key"},
		{`"from": "carrier"`, `"from": "moon"`, "timestamp.from"},
		{`"from": "carrier"`, `"from": ""`, "timestamp.from: is missing"},
		{`"from": "carrier"`, `"from": "header"`, "timestamp.header: is missing"},
		{`"from": "carrier"`, `"from": "body"`, "timestamp.pointer"},
		{`"from": "carrier"`, `"past_s": -1, "from": "carrier"`, "past_s"},
		{`unix_s`, `unix_ns`, "timestamp.format"},
		{`"time_tag": "t"`, `"time_tag": ""`, "carrier.time_tag: is missing"},
		{`"signature_tag": "v1"`, `"signature_tag": "v1", "prefix": "v0="`, "carrier.prefix"},
		{`"pair_sep": ","`, `"pair_sep": ""`, "carrier.pair_sep: is missing"},
		{`"kv_sep": "="`, `"kv_sep": "\n"`, "carrier.kv_sep"},
		{`"header": "X"`, `"header": ""`, "carrier.header: is missing"},
		{`"header": "X"`, `"header": "X Y"`, "no name of a header"},
		{`"header": "X"`, `"header": "X", "body_pointer": "/a"`, "one of them"},
		{`"header": "X"`, `"header": "X", "each": "/a"`, "carrier.each"},
		{`"{timestamp}"`, `"{id}"`, "message_id.header: is missing"},
		{`"{timestamp}", `, ``, "is not signed"},
		{`"{body}"`, `"."`, "{body} is missing"},
		{`"{body}"`, `"{pointer:/a}"`, "{body} is missing"},
		{`"{body}"`, `"{body}", "{pointer:a}"`, "JSON pointer"},
		{`"{body}"`, `"{body}", "{const:a}"`, "constants"},
		{`"{body}"`, `"{body}", "{header:}"`, "signed_content"},
		{`"{timestamp}"`, `"{time}"`, "signed_content"},
		{`"{body}"]`, `"{body}"], "message_id": {"header": "X-Id"}`, "message_id: is not signed"},
		{`"{body}"]`, `"{body}"], "url_variants": ["as_is"]`, "holds no {url}"},
		{`"{body}"]`, `"` + strings.Repeat(`a", "`, 70) + `{body}"]`, "at most 64"},
	} {
		_, err := compile(strings.Replace(good, tt.old, tt.new, 1))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s instead of %s: got %v, want it refused for %s", tt.new, tt.old, err, tt.want)
		}
	}
	for name, text := range map[string]string{
		"a token that signs":                  `{"like": "gitlab-secret-token", "signed_content": ["{body}"]}`,
		"a public key that is text":           `{"like": "discord-ed25519", "secret": {"decode": "raw"}}`,
		"a digest with a list of components":  `{"like": "content-digest", "components": ["@method"]}`,
		"a component that is none":            `{"like": "rfc9421", "components": ["Upper"]}`,
		"a demand that nobody can check":      `{"like": "rfc9421", "require": ["soul"]}`,
		"a mirror of what is no HMAC":         `{"like": "discord-ed25519", "mirrors": [{"header": "X", "digest": "sha1", "encoding": "hex"}]}`,
		"a scheme like one that is not there": `{"like": "moon"}`,
		"no JSON":                             `{"like": `,
	} {
		if _, err := compile(text); err == nil {
			t.Errorf("%s became a scheme", name)
		}
	}
}

// A record is a plain value: whoever changes one changes no scheme, and whoever compiles one keeps nothing of it.
func TestRecordIsACopy(t *testing.T) {
	s := scheme(t, "gitea")
	r := s.Record()
	r.Mirrors[0].Header, r.SignedContent[0] = "X-Other", "{timestamp}"
	if diff := cmp.Diff(scheme(t, "gitea").Record(), s.Record()); diff != "" {
		t.Errorf("the scheme changed with the copy: %s", diff)
	}
	r = s.Record()
	other, err := signature.Compile(r)
	if err != nil {
		t.Fatal(err)
	}
	r.Mirrors[0].Header = "X-Other"
	if diff := cmp.Diff(s.Record(), other.Record()); diff != "" {
		t.Errorf("the compiled scheme changed with the record: %s", diff)
	}
}

// A record in JSON stands wherever an id may.
func TestLookupTakesARecord(t *testing.T) {
	s, err := signature.Lookup(`{"id": "acme", "title": "Acme", "like": "hmac-primitive", "carrier": {"header": "X-Acme-Sig", "prefix": "h="}}`)
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.Sign(signature.Content{Body: []byte(body)}, key)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.Get("X-Acme-Sig"); got != "h="+sum(key, body) || s.ID() != "acme" {
		t.Errorf("got %q by %s", got, s.ID())
	}
	again, err := signature.Lookup(s.Text())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s.Record(), again.Record()); diff != "" {
		t.Errorf("by its text: %s", diff)
	}
	if got := scheme(t, "svix").Text(); got != "svix" {
		t.Errorf("the text of a built-in scheme is %q", got)
	}
}

// No scheme of today takes hex of either case, but the model says that one may.
func TestHexOfEitherCase(t *testing.T) {
	s := scheme(t, "timestamp-v1")
	h, err := s.Sign(signature.Content{At: time.Unix(1, 0)}, "key")
	if err != nil {
		t.Fatal(err)
	}
	_, sum, _ := strings.Cut(h.Get(s.Header()), "v1=")
	upper := http.Header{s.Header(): {"t=1,v1=" + strings.ToUpper(sum)}}
	if f := s.Verify(upper, nil, "key"); f.Reason != signature.BadEncoding {
		t.Errorf("lower case alone: got %s, want %s", f.Reason, signature.BadEncoding)
	}
	r := s.Record()
	r.HexCaseInsensitive = true
	if s, err = signature.Compile(r); err != nil {
		t.Fatal(err)
	}
	if f := s.Verify(upper, nil, "key"); !f.OK() {
		t.Errorf("either case: got %s (%s), want it verified", f.Reason, f.Detail)
	}
}
