package arch_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

const root = "../.."

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	quoted  = regexp.MustCompile("`[^`]*`")
	heading = regexp.MustCompile(`^#{1,6} +(.*)$`)
	scheme  = regexp.MustCompile(`^[a-z]+:`)
	row     = regexp.MustCompile("(?m)^\\| `([a-z0-9/]+)` \\|[^|]*\\| (.*) \\|$")
)

// TestLinksInsideTheRepositoryLead follows each link of a Markdown file that stays inside the repository, to the file and to the heading.
func TestLinksInsideTheRepositoryLead(t *testing.T) {
	t.Parallel()
	followed := 0
	for _, page := range filesOf(t, ".md") {
		for _, line := range prose(t, page) {
			for _, found := range link.FindAllStringSubmatch(quoted.ReplaceAllString(line, ""), -1) {
				if scheme.MatchString(found[1]) {
					continue
				}
				followed++
				file, anchor, _ := strings.Cut(found[1], "#")
				target := page
				if file != "" {
					target = filepath.Join(filepath.Dir(page), file)
				}
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s: (%s) leads to no file", page, found[1])
				} else if anchor != "" && strings.HasSuffix(target, ".md") && !anchors(t, target)[anchor] {
					t.Errorf("%s: (%s) leads to no heading", page, found[1])
				}
			}
		}
	}
	if followed == 0 {
		t.Error("no link was followed")
	}
}

// TestArchitectureNamesEveryFolder holds the table of ARCHITECTURE.md to the tree: each package outside examples has a row, and each
// row's folder and the files to start at are there.
func TestArchitectureNamesEveryFolder(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for _, r := range row.FindAllStringSubmatch(string(text), -1) {
		rows[r[1]] = true
		for _, file := range quoted.FindAllString(r[2], -1) {
			if _, err := os.Stat(filepath.Join(root, r[1], strings.Trim(file, "`"))); err != nil {
				t.Errorf("the row of %s says to start at %s, which is not there", r[1], file)
			}
		}
	}
	for _, file := range filesOf(t, ".go") {
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		folder = filepath.ToSlash(folder)
		if !rows[folder] && !strings.HasPrefix(folder, "examples/") {
			rows[folder] = true // said once
			t.Errorf("ARCHITECTURE.md has no row for %s", folder)
		}
	}
}

// filesOf returns the repository's files whose names end so, without those that tests feed on.
func filesOf(t *testing.T, ending string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ending):
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// prose returns the lines of a Markdown file outside its blocks of code.
func prose(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	code := false
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		} else if !code {
			out = append(out, strings.TrimRight(line, "\r\n"))
		}
	}
	return out
}

// anchors returns what a page's headings are linked by, as GitHub makes it: small letters, digits, hyphens for spaces. Of headings
// that are alike it knows the first.
func anchors(t *testing.T, path string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, line := range prose(t, path) {
		h := heading.FindStringSubmatch(line)
		if h == nil {
			continue
		}
		out[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(h[1]))] = true
	}
	return out
}
