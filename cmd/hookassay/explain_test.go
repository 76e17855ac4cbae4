package main

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/scenarios"
)

// TestEverythingThatIsListedIsExplained: each check names what feeds it, unless none can be played under the examples' contract.
func TestEverythingThatIsListedIsExplained(t *testing.T) {
	c, err := explainedContract("")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, ch := range judge.Checks() {
		names = append(names, ch.ID)
	}
	for _, sc := range scenarios.All(c, 0) {
		names = append(names, sc.Name)
	}
	for _, name := range names {
		var b strings.Builder
		if err := explain(&b, c, name); err != nil {
			t.Error(err)
		}
		text := b.String()
		if !strings.HasPrefix(text, name+": ") || strings.Contains(text, "\nstimulus\n  none\n") {
			t.Errorf("explained as\n%s", text)
		}
		for line := range strings.Lines(text) {
			if len([]rune(strings.TrimSpace(line))) > columns {
				t.Errorf("%s: wider than %d columns: %s", name, columns, line)
			}
		}
	}
}
