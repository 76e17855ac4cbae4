package drive

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/evidence"
)

func TestMarkKeepsTheDataByteForByte(t *testing.T) {
	const m = "hkm0123456789abcdefghij"
	for name, c := range map[string]struct{ data, want string }{
		"an empty object":         {`{}`, `{"hookassay_marker":"` + m + `"}`},
		"white space":             {"{ \n }", `{"hookassay_marker":"` + m + "\" \n }"},
		"numbers keep their form": {`{"a":1.50,"b":9007199254740993}`, `{"hookassay_marker":"` + m + `","a":1.50,"b":9007199254740993}`},
		"surrounding space":       {" {\"a\":1} ", `{"hookassay_marker":"` + m + `","a":1}`},
	} {
		got, err := mark(json.RawMessage(c.data), m)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v; want %s", name, got, err, c.want)
		}
	}
	for _, bad := range []string{``, `[]`, `{"a":}`, `"text"`, `{} {}`} {
		if got, err := mark(json.RawMessage(bad), m); err == nil {
			t.Errorf("data %q became %s", bad, got)
		}
	}
}

func TestMarkersAreFoundAndDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, n := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 2000).Draw(t, "n")
		m := newMarker(seed, "retry/x", n)
		if got := evidence.MarkerIn([]byte(`{"a":"` + m + `"}`)); got != m {
			t.Fatalf("marker %q is found as %q", m, got)
		}
		if m != newMarker(seed, "retry/x", n) {
			t.Fatal("the same seed gives another marker")
		}
		for _, other := range []string{newMarker(seed, "retry/x", n+1), newMarker(seed, "retry/y", n), newMarker(seed+1, "retry/x", n)} {
			if other == m {
				t.Fatalf("two events share the marker %q", m)
			}
		}
	})
}
