package main

import (
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
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
		if err := explain(teller{&b, words.In(words.English)}, c, name); err != nil {
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

// TestEverythingIsExplainedInChinese: each check has its text, and each scenario its title.
func TestEverythingIsExplainedInChinese(t *testing.T) {
	c, err := explainedContract("")
	if err != nil {
		t.Fatal(err)
	}
	w := words.In(words.Chinese)
	var names []string
	for _, ch := range judge.Checks() {
		names = append(names, ch.ID)
	}
	for _, sc := range scenarios.All(c, 0) {
		names = append(names, sc.Name)
		for _, text := range []string{sc.Title, sc.NotRun} {
			for _, p := range w.Sentence(text) {
				if p.Language != words.Chinese {
					t.Errorf("%s: %q has no Chinese in internal/words/phrases.zh.txt", sc.Name, p.Text)
				}
			}
		}
	}
	for _, name := range names {
		var b strings.Builder
		if err := explain(teller{&b, w}, c, name); err != nil {
			t.Error(err)
		}
		if !strings.HasPrefix(b.String(), name+"：") {
			t.Errorf("explained as\n%s", b.String())
		}
		for line := range strings.Lines(b.String()) {
			// A mark that ends something hangs over.
			if line = strings.TrimSpace(line); columnsOf(line) > columns+2 {
				t.Errorf("%s: wider than %d columns: %s", name, columns, line)
			}
		}
	}
}
