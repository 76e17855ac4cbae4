package judge

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestNeedlesAreFoundWhereverTheyStand compares the search with a plain one.
func TestNeedlesAreFoundWhereverTheyStand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.SampledFrom([]rune("ab")), 0, 9, -1)
		n, texts := newNeedles(), rapid.SliceOfN(word, 0, 5).Draw(t, "needles")
		hay := rapid.StringOfN(rapid.SampledFrom([]rune("ab-")), 0, 30, -1).Draw(t, "text")
		want := false
		for _, text := range texts {
			n.add(text, text)
			want = want || len(text) >= needleHead && strings.Contains(hay, text)
		}
		if got := n.in(hay); (got != "") != want || !strings.Contains(hay, got) {
			t.Fatalf("found %q of %q in %q", got, texts, hay)
		}
	})
}
