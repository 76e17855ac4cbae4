package judge_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
)

// TestEachCheckIsExplained: no check lacks its text, and no text its check.
func TestEachCheckIsExplained(t *testing.T) {
	files, err := filepath.Glob("explain/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	orphans := map[string]bool{}
	for _, f := range files {
		orphans[strings.TrimSuffix(filepath.Base(f), ".txt")] = true
	}
	for _, c := range judge.Checks() {
		delete(orphans, c.ID)
		e, err := judge.Explain(c.ID)
		if err != nil {
			t.Errorf("%v; write harness/judge/explain/%s.txt like the others", err, c.ID)
			continue
		}
		for _, part := range []string{e.Judged, e.Allowance, e.Fix} {
			if !strings.HasSuffix(part, ".") || len(part) < 20 {
				t.Errorf("%s: %q is no sentence", c.ID, part)
			}
		}
	}
	for id := range orphans {
		t.Errorf("explain/%s.txt explains a check that does not exist", id)
	}
}

// TestEachCheckIsExplainedInChinese: the same files, each with all parts.
func TestEachCheckIsExplainedInChinese(t *testing.T) {
	files, err := filepath.Glob("explain/zh/*.txt")
	if err != nil || len(files) != len(judge.Checks()) {
		t.Errorf("%d files for %d checks, %v", len(files), len(judge.Checks()), err)
	}
	for _, c := range judge.Checks() {
		e, err := judge.ExplainIn("zh", c.ID)
		if err != nil {
			t.Errorf("%v; write harness/judge/explain/zh/%s.txt like the others", err, c.ID)
			continue
		}
		for _, part := range []string{e.Judged, e.Allowance, e.Fix} {
			if !strings.HasSuffix(part, "。") {
				t.Errorf("%s: %q is no sentence", c.ID, part)
			}
		}
		if e.Title == c.Title || strings.Contains(e.Title, "。") {
			t.Errorf("%s: %q is no Chinese title", c.ID, e.Title)
		}
	}
}

func TestExplainUnknownCheck(t *testing.T) {
	if _, err := judge.Explain("no.such"); err == nil {
		t.Error("a check that does not exist was explained")
	}
}
