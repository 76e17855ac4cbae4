package reports

import (
	"cmp"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
)

// gone stands where a key or a signature stood.
const gone = "[redacted]"

var (
	// Header names whose values are, or may be, credentials.
	secretHeader = regexp.MustCompile(`(?i)signature|token|authorization|secret|api-?key|cookie`)
	// One value inside such a header: hex or base64 of either alphabet, of at least 96 bits in base64. Shorter are versions
	// and times.
	token = regexp.MustCompile(`[A-Za-z0-9+/_-]{16,}={0,2}`)
	// A signature by its look, should one stand in a sentence that is about a request we have no record of.
	signed = regexp.MustCompile(`(?i)\b(v\d[a-z]?|sha1|sha256|sha512|signature|sig|hmac)([=:,]\s*"?)[A-Za-z0-9+/_-]{16,}={0,2}`)
)

// redactor takes keys and signatures out of text.
type redactor struct{ known *strings.Replacer }

// newRedactor learns the secrets of a run's endpoints, those of plays that were cut among them, and the signatures that were seen on the
// wire.
func newRedactor(run *evidence.Run, carries func(header string) bool) redactor {
	forms := map[string]bool{}
	for _, e := range slices.Concat(run.Endpoints, run.Former) {
		for _, s := range e.Secrets {
			addForms(forms, s.Value)
		}
	}
	for _, a := range run.Attempts {
		// A head that ParseHead objects to still gives the fields before the odd one.
		h, _ := evidence.ParseHead(a.Head)
		for _, f := range slices.Concat(h.Fields, a.TrailerFields()) {
			if secretHeader.MatchString(f[0]) || carries(f[0]) {
				addTokens(forms, f[1])
			}
		}
	}
	// The longest first: a form inside a longer one would leave the rest of it behind.
	keys := slices.SortedFunc(maps.Keys(forms), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	pairs := make([]string, 0, 2*len(keys))
	for _, k := range keys {
		pairs = append(pairs, k, gone)
	}
	return redactor{known: strings.NewReplacer(pairs...)}
}

func addTokens(forms map[string]bool, value string) {
	for _, t := range token.FindAllString(value, -1) {
		addForms(forms, strings.TrimRight(t, "="))
	}
}

func addForms(forms map[string]bool, secret string) {
	for _, f := range evidence.Forms(secret) {
		forms[f] = true
	}
}

// text cleans s. Bytes that are no UTF-8 are replaced, as JSON would do, so that a document read back equals the one written.
func (x redactor) text(s string) string {
	if s == "" {
		return s
	}
	s = strings.ToValidUTF8(s, "\ufffd")
	return signed.ReplaceAllString(x.known.Replace(s), "${1}${2}"+gone)
}

// redacted returns a deep copy of v with every plain string cleaned and every byte slice dropped, so that a field added
// later is covered as well. Strings of a named type (outcomes, verdicts) are ours and stay.
func redacted[T any](x redactor, v T) T {
	out := reflect.New(reflect.TypeFor[T]()).Elem()
	x.copy(out, reflect.ValueOf(&v).Elem())
	return out.Interface().(T) //nolint:errcheck // out was made from T
}

func (x redactor) copy(dst, src reflect.Value) {
	switch kind := src.Kind(); kind {
	case reflect.String:
		if src.Type() == reflect.TypeFor[string]() {
			dst.SetString(x.text(src.String()))
			return
		}
		dst.Set(src)
	case reflect.Pointer:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.New(src.Type().Elem()))
		x.copy(dst.Elem(), src.Elem())
	case reflect.Slice:
		if src.IsNil() || src.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			x.copy(dst.Index(i), src.Index(i))
		}
	case reflect.Struct:
		// First as a whole, for fields that reflection may not set (those of time.Time hold no text).
		dst.Set(src)
		for i := range src.NumField() {
			if src.Type().Field(i).IsExported() {
				dst.Field(i).SetZero()
				x.copy(dst.Field(i), src.Field(i))
			}
		}
	case reflect.Map:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeMap(src.Type()))
		for _, k := range src.MapKeys() {
			key, value := reflect.New(src.Type().Key()).Elem(), reflect.New(src.Type().Elem()).Elem()
			x.copy(key, k)
			x.copy(value, src.MapIndex(k))
			dst.SetMapIndex(key, value)
		}
	default:
		dst.Set(src)
	}
}
