package near_test

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/internal/near"
)

func TestMeant(t *testing.T) {
	names := []string{"demo", "judge", "bounded-6", "minutes-8", "ra-ignored"}
	for word, want := range map[string]string{
		"dmeo":                   "", // two slips in four letters
		"dem":                    " (did you mean demo?)",
		"bounded6":               " (did you mean bounded-6?)",
		"bounded-7":              " (did you mean bounded-6?)",
		"min":                    " (did you mean minutes-8?)",
		"mi":                     "",
		"ra-ignroed":             " (did you mean ra-ignored?)",
		"":                       "",
		"frobnicate":             "",
		strings.Repeat("a", 1e6): "",
	} {
		if got := near.Meant(word, names); got != want {
			t.Errorf("Meant(%.20q) = %q, want %q", word, got, want)
		}
	}
	if got := near.Prefixed("compres", []string{"compress"}, "--"); got != " (did you mean --compress?)" {
		t.Errorf("Prefixed = %q", got)
	}
	if got := near.Meant("dem", nil); got != "" {
		t.Errorf("Meant of no names = %q", got)
	}
}
