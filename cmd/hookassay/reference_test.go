package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReferenceIsFresh compares docs/cli with what the program says of itself now: pages that nobody made anew mislead.
func TestReferenceIsFresh(t *testing.T) {
	t.Parallel()
	made := filepath.Join(t.TempDir(), "cli")
	if err := os.MkdirAll(made, 0o755); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(made, "gone.md") // of a command that is there no more
	if err := os.WriteFile(gone, []byte("# gone\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	if code := execute(t.Context(), []string{"reference", made}, streams{in: strings.NewReader(""), out: io.Discard, err: &errs}); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	pages := pagesIn(t, made)
	for _, name := range []string{"reference.md", "selftest-row.md", "gone.md"} {
		if _, there := pages[name]; there {
			t.Errorf("%s is there", name)
		}
	}
	if diff := cmp.Diff(pagesIn(t, "../../docs/cli"), pages); diff != "" {
		t.Errorf("docs/cli is stale; run: make reference (-there +wanted)\n%s", diff)
	}
}

func pagesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.Base(path)] = string(text)
	}
	return pages
}
