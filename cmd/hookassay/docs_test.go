package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestDriveYourOwnSender runs every command of docs/drive-your-own-sender.md in a copy of the examples, and looks for the output that
// the page shows. Those of a container are for TestDriveASenderInAContainer.
func TestDriveYourOwnSender(t *testing.T) {
	t.Parallel()
	before, container, after := ownSenderPage(t)
	runPage(t, before+after, "adapter check examples/minimal", "run -c examples/shim-python", "adapter protocol")
	if !strings.Contains(container, "adapter check examples/container") {
		t.Error("the page has no command for a sender in a container any more")
	}
}

func TestDriveASenderInAContainer(t *testing.T) {
	t.Parallel()
	requireDocker(t)
	_, container, _ := ownSenderPage(t)
	runPage(t, container, "adapter check examples/container", "run -c examples/container")
}

// ownSenderPage is docs/drive-your-own-sender.md, with the section about containers apart.
func ownSenderPage(t *testing.T) (before, container, after string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/drive-your-own-sender.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), "\n### In a container\n")
	container, after, more := strings.Cut(rest, "\n### ")
	if !ok || !more {
		t.Fatal("the page has no section about containers any more")
	}
	if !strings.Contains(before+after, "go build -o ") || !strings.Contains(container, "go build -o ") {
		t.Fatal("the page has no go build any more")
	}
	return before, container, after
}

// runPage runs the commands of a part of the page, among which must be those wanted.
func runPage(t *testing.T, text string, wanted ...string) {
	t.Helper()
	script := scriptOf(text)
	for _, want := range wanted {
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
		passDocker(env)
		if err := os.CopyFS(filepath.Join(env.WorkDir, "examples"), os.DirFS("../../examples")); err != nil {
			return err
		}
		return buildAsShown(t, env.WorkDir, text)
	}
	testscript.Run(t, p)
}

// buildAsShown runs the page's go build commands in this checkout, but writes what they make into dir.
func buildAsShown(t *testing.T, dir, text string) error {
	t.Helper()
	shown := regexp.MustCompile(`(?m)^\$ (CGO_ENABLED=0 )?go build -o (\S+) (\S+)$`).FindAllStringSubmatch(text, -1)
	for _, m := range shown {
		build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, m[2]), m[3])
		build.Dir = "../.."
		build.Env = append(os.Environ(), strings.TrimSpace(m[1]))
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", m[0], err, out)
		}
	}
	return nil
}

// scriptOf makes a script of a page's console blocks, with the exit codes that echo $? shows there. Those of the go tool are run before it; a command whose program is missing is
// left out.
func scriptOf(page string) string {
	var lines []string
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(page, -1) {
		shown, coded, last := false, false, 0
		for line := range strings.Lines(block[1]) {
			line = strings.TrimSpace(line)
			command, isCommand := strings.CutPrefix(line, "$ ")
			switch {
			case command == "echo $?" && shown:
				coded = true
			case isCommand:
				shown = strings.HasPrefix(command, "hookassay ") && there(command)
				if shown {
					last = len(lines)
					lines = append(lines, wordFor(command)+command)
				}
			case coded:
				coded = false
				lines[last] = "exits " + line + " " + lines[last][strings.Index(lines[last], "hookassay "):]
			case shown:
				pattern := strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*")
				lines = append(lines, "stdout '^ *"+strings.ReplaceAll(pattern, "'", ".")+"$'")
			}
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// wordFor is how a script runs a command that must succeed: the runs of a page are of correct senders.
func wordFor(command string) string {
	if m := regexp.MustCompile(`^hookassay run .*--out (\S+)`).FindStringSubmatch(command); m != nil {
		return "conforms " + m[1] + " "
	}
	return "exec "
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

// TestContractsAndAcceptance runs every command of docs/contracts-and-acceptance.md and looks for the output that the page shows.
func TestContractsAndAcceptance(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/contracts-and-acceptance.md")
	if err != nil {
		t.Fatal(err)
	}
	runPage(t, string(text), "exits 1 hookassay contract lint minutes-8", "contract simulate", "contract doc", "contract init", "exits 1 hookassay accept")
}
