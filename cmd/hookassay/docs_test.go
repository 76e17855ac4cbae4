package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDriveYourOwnSender runs every command of docs/drive-your-own-sender.md in a copy of the examples, and looks for the output that
// the page shows.
func TestDriveYourOwnSender(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/drive-your-own-sender.md")
	if err != nil {
		t.Fatal(err)
	}
	script := scriptOf(string(page))
	for _, want := range []string{"adapter check examples/minimal", "run -c examples/shim-python", "adapter protocol"} {
		if !strings.Contains(script, want) {
			t.Fatalf("the page has no command %q any more", want)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page.txtar"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	p := scripts(t)
	p.Dir = dir
	prepare := p.Setup
	p.Setup = func(env *testscript.Env) error {
		if err := prepare(env); err != nil {
			return err
		}
		to := filepath.Join(env.WorkDir, "examples")
		if err := os.CopyFS(to, os.DirFS("../../examples")); err != nil {
			return err
		}
		build := exec.Command("go", "build", "-o", filepath.Join(to, "minimal"), "./../../examples/minimal")
		return build.Run()
	}
	testscript.Run(t, p)
}

// scriptOf makes a script of a page's console blocks. Commands of the go tool are others' to test; one whose program is missing is
// left out.
func scriptOf(page string) string {
	var b strings.Builder
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(page, -1) {
		shown := false
		for line := range strings.Lines(block[1]) {
			line = strings.TrimSpace(line)
			command, isCommand := strings.CutPrefix(line, "$ ")
			switch {
			case isCommand:
				shown = strings.HasPrefix(command, "hookassay ") && there(command)
				if shown {
					b.WriteString("exec " + command + "\n")
				}
			case shown:
				pattern := strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*")
				b.WriteString("stdout '^" + strings.ReplaceAll(pattern, "'", ".") + "$'\n")
			}
		}
	}
	return b.String()
}

// there tells whether the programs of an example are here.
func there(command string) bool {
	for example, programs := range map[string][]string{"shim-python": {"python3"}, "shim-shell": {"sh", "curl", "openssl"}} {
		for _, p := range programs {
			if _, err := exec.LookPath(p); err != nil && strings.Contains(command, example) {
				return false
			}
		}
	}
	return true
}

// Links of the page lead to headings that are there.
func TestDriveYourOwnSenderLinks(t *testing.T) {
	page, err := os.ReadFile("../../docs/drive-your-own-sender.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range regexp.MustCompile(`\]\(#([a-z-]+)\)`).FindAllStringSubmatch(string(page), -1) {
		if !regexp.MustCompile(`(?mi)^#+ ` + strings.ReplaceAll(link[1], "-", "[^a-z\n]+") + `$`).Match(page) {
			t.Errorf("no heading for #%s", link[1])
		}
	}
}
