package mockreceiver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEachFileHasItsRow holds the table of files in the package's comment to the folder: each file stands in one row, and each
// name in a row is that of a file.
func TestEachFileHasItsRow(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("receiver.go")
	if err != nil {
		t.Fatal(err)
	}
	comment, _, _ := strings.Cut(string(text), "\npackage ")
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for line := range strings.Lines(comment) {
		names, ok := strings.CutPrefix(strings.TrimSpace(line), "//\t")
		if !ok || strings.HasPrefix(names, "\t") {
			continue
		}
		for pattern := range strings.SplitSeq(names, ", ") {
			if !claim(t, pattern, files, rows) {
				t.Errorf("the row of %s: there is no such file", pattern)
			}
		}
	}
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") && rows[f] != 1 {
			t.Errorf("%s stands in %d rows of the package's comment, want one", f, rows[f])
		}
	}
}

// claim counts the files that a pattern matches, and tells whether there are any.
func claim(t *testing.T, pattern string, files []string, rows map[string]int) (some bool) {
	t.Helper()
	for _, f := range files {
		ok, err := filepath.Match(pattern, f)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			rows[f]++
			some = some || !strings.HasSuffix(f, "_test.go")
		}
	}
	return some
}
