package sender_test

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/sender"
)

func TestRedactorKnowsTheForms(t *testing.T) {
	t.Parallel()
	var r sender.Redactor
	r.Add(`se"cr<e>t/+ü`)
	r.Add("")
	raw := []byte(`se"cr<e>t/+ü`)
	for _, text := range []string{
		string(raw), `se\"cr<e>t/+ü`, `se\"cr\u003ce\u003et/+ü`, url.QueryEscape(string(raw)), url.PathEscape(string(raw)),
		hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)), base64.RawStdEncoding.EncodeToString(raw),
		base64.RawURLEncoding.EncodeToString(raw),
	} {
		if got := r.Clean("<" + text + ">"); got != "<[secret]>" {
			t.Errorf("%s gave %s", text, got)
		}
	}
	if got := r.Clean("nothing here"); got != "nothing here" {
		t.Errorf("a text without secret became %q", got)
	}
}
