package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestGoOfTheDocsIsCompiled holds the Go that README.md and docs/drive-your-own-sender.md show to files that are compiled: each block
// stands in one of them line by line, but for its comments.
func TestGoOfTheDocsIsCompiled(t *testing.T) {
	t.Parallel()
	compiled := map[string]string{}
	for _, path := range []string{"scenarios/example_test.go", "harness/virtual/example_test.go", "examples/gotest/readme_test.go"} {
		compiled[path] = bare(read(t, path))
	}
	for path, want := range map[string]int{"README.md": 2, "docs/drive-your-own-sender.md": 2} {
		blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read(t, path), -1)
		if len(blocks) < want {
			t.Errorf("%s shows %d blocks of Go, want %d", path, len(blocks), want)
		}
		for _, b := range blocks {
			found := false
			for _, text := range compiled {
				found = found || strings.Contains(text, bare(b[1]))
			}
			if !found {
				t.Errorf("%s shows Go that no example compiles:\n%s", path, b[1])
			}
		}
	}
}

// TestGoTestsOfTheDocsAreThere looks for the tests that the page runs: go test runs them by itself.
func TestGoTestsOfTheDocsAreThere(t *testing.T) {
	t.Parallel()
	shown := regexp.MustCompile(`(?m)^\$ go test -run '?([A-Za-z|]+)'? \./(\S+)$`).FindAllStringSubmatch(read(t, "docs/drive-your-own-sender.md"), -1)
	if len(shown) == 0 {
		t.Fatal("the page runs no test any more")
	}
	for _, m := range shown {
		var all strings.Builder
		files, err := os.ReadDir("../../" + m[2])
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.HasSuffix(f.Name(), "_test.go") {
				all.WriteString(read(t, m[2]+"/"+f.Name()))
			}
		}
		for name := range strings.SplitSeq(m[1], "|") {
			if !strings.Contains(all.String(), "\nfunc "+name+"(t *testing.T)") {
				t.Errorf("%s: there is no %s", m[0], name)
			}
		}
	}
}

// read returns a file of this checkout.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// bare is Go without indents, comments at the end of lines, and empty lines.
func bare(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " //")
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
