package signature

import (
	"strings"
	"testing"
)

// FuzzStructuredField reads what a stranger puts into the headers of RFC 9421 and 9530. What is read must be read the same again from its
// canonical form.
func FuzzStructuredField(f *testing.F) {
	for _, text := range []string{
		`sig1=("@method" "@target-uri" "content-digest");created=1618884473;keyid="test-key"`,
		`sig-b21=();created=1618884473;nonce="b3k2pp5k7z-50gnwp.yemd"`, `a=("x";bs "y";key="z"), b=:AA==:;q`, `sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:`,
		`a=(`, `a=("`, `a=:`, `a`, `a=("\\x")`, `a=();b=-007`, ``, `a=(),`, `*a.b-c_d=();f=tok/en:1`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		members, err := parseDictionary(text, maxSignatures)
		if err != nil {
			return
		}
		for _, m := range members {
			if !m.isList {
				continue
			}
			again, err := parseDictionary(m.key+"="+m.String(), 1)
			if err != nil || len(again) != 1 || again[0].String() != m.String() {
				t.Errorf("%q was read as %q, which is read as %v, %v", text, m.String(), again, err)
			}
			for _, it := range m.list {
				if strings.ContainsFunc(it.text, func(c rune) bool { return c < ' ' || c > '~' }) {
					t.Errorf("%q holds what no text may", it.text)
				}
			}
		}
	})
}
