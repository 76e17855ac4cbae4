package evidence

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"maps"
	"net/url"
	"slices"
	"strings"
)

const (
	// leastSecret is the length below which a text is no key; looking for it would find ordinary words.
	leastSecret = 4
	// leastTail is the length from which what follows a prefix such as whsec_ is looked for by itself: 96 bits in base64.
	leastTail = 16
)

// Forms returns the ways in which a secret may stand in a text: as it is, hex, base64 at any offset, and escaped for URL, JSON
// (with and without the escapes that keep it safe within HTML) or HTML. A secret of the form prefix_base64 is also known by
// what it decodes to, since that is what signs. The longest comes first, so that taking one out never leaves the rest of
// another behind. A text that is too short for a secret has none.
func Forms(secret string) []string {
	forms := map[string]bool{}
	addEncodings(forms, secret)
	if _, tail, ok := strings.Cut(secret, "_"); ok && len(tail) >= leastTail {
		forms[tail] = true
		if key, err := base64.StdEncoding.DecodeString(tail); err == nil {
			addEncodings(forms, string(key))
		}
	}
	return slices.SortedFunc(maps.Keys(forms), func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
}

func addEncodings(forms map[string]bool, s string) {
	if len(s) < leastSecret {
		return
	}
	hexed := hex.EncodeToString([]byte(s))
	for _, f := range []string{
		s, hexed, strings.ToUpper(hexed), url.QueryEscape(s), url.PathEscape(s), html.EscapeString(s),
		strings.ReplaceAll(s, "/", `\/`),
	} {
		forms[f] = true
	}
	for _, escapeHTML := range []bool{true, false} {
		forms[inJSON(s, escapeHTML)] = true
	}
	// Inside a longer base64 text a secret has three forms, one for each offset modulo three. The characters at both ends
	// also depend on the neighbours; leaving them off costs at most two characters on each side.
	for shift := range 3 {
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			f := enc.EncodeToString(append(make([]byte, shift), s...))
			from := []int{0, 2, 3}[shift]
			if to := (shift + len(s)) / 3 * 4; to-from >= leastSecret {
				forms[f[from:to]] = true
			}
			if shift == 0 {
				forms[f] = true
			}
		}
	}
}

// inJSON is s as it stands within a JSON string.
func inJSON(s string, escapeHTML bool) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escapeHTML)
	if enc.Encode(s) != nil {
		return s // a string always encodes
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `"`), "\"\n")
}
