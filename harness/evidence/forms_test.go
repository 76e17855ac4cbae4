package evidence_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/evidence"
)

func TestASecretIsFoundInEveryEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.StringMatching(`[ -~]{12,40}`).Draw(t, "secret")
		before := rapid.StringMatching(`[ -~]{0,5}`).Draw(t, "before")
		after := rapid.StringMatching(`[ -~]{0,5}`).Draw(t, "after")
		quoted, err := json.Marshal(before + secret + after)
		if err != nil {
			t.Fatal(err)
		}
		whole := []byte(before + secret + after)
		for name, text := range map[string]string{
			"raw":        string(whole),
			"hex":        hex.EncodeToString(whole),
			"HEX":        strings.ToUpper(hex.EncodeToString(whole)),
			"base64":     base64.StdEncoding.EncodeToString(whole),
			"base64 URL": base64.URLEncoding.EncodeToString(whole),
			"query":      url.QueryEscape(string(whole)),
			"path":       url.PathEscape(string(whole)),
			"JSON":       string(quoted),
		} {
			if !slices.ContainsFunc(evidence.Forms(secret), func(f string) bool { return strings.Contains(text, f) }) {
				t.Fatalf("%q is not found in %s form: %s", secret, name, text)
			}
		}
	})
}

func TestNoFormsOfWhatIsNoSecret(t *testing.T) {
	for _, s := range []string{"", "a", "key"} {
		if got := evidence.Forms(s); len(got) > 0 {
			t.Errorf("%q: %q", s, got)
		}
	}
	if got := evidence.Forms("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"); !slices.Contains(got, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") {
		t.Error("the part behind the prefix is not looked for")
	}
}
