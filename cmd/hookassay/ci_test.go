package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

type action struct {
	Inputs map[string]struct {
		Description, Default string
	}
	Runs struct {
		Using string
		Steps []struct {
			Name, Shell, Run, Uses string
			Env                    map[string]string
			With                   map[string]string
			If                     string
		}
	}
}

func readAction(t *testing.T) action {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.(\w+)`).FindAllStringSubmatch(string(text), -1) {
		used[m[1]] = true
		if _, declared := a.Inputs[m[1]]; !declared {
			t.Errorf("input %s is used and not declared", m[1])
		}
	}
	for name := range a.Inputs {
		if !used[name] {
			t.Errorf("input %s is declared and not used", name)
		}
	}
	return a
}

// TestActionRuns plays the action's script as a runner would: its exit code is that of the run, and the summary is passed on.
func TestActionRuns(t *testing.T) {
	t.Parallel()
	a := readAction(t)
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no bash here")
	}
	temp := t.TempDir()
	// A stand-in for the program: it notes its arguments, leaves a summary and ends as a run that found something.
	if err := os.MkdirAll(filepath.Join(temp, "hookassay-bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	stand := "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$RUNNER_TEMP/args\"\nmkdir -p \"$5\"\necho found > \"$5/summary.md\"\nexit 1\n"
	if err := os.WriteFile(filepath.Join(temp, "hookassay-bin", "hookassay"), []byte(stand), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Runs.Steps {
		if s.Run != "" && s.Shell == "" {
			t.Errorf("step %q has no shell, which a composite action needs", s.Name)
		}
		if s.Name != "Run hookassay" {
			continue
		}
		cmd := exec.CommandContext(t.Context(), bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		cmd.Dir = temp
		cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"),
			"CONFIG=a b.yaml", "OUT=report", "ARGS=--seed 7")
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 1 {
			t.Errorf("exit code %d (%v), want that of the run, 1: %s", code, err, out)
		}
	}
	args, err := os.ReadFile(filepath.Join(temp, "args"))
	if want := "run\n-c\na b.yaml\n--out\nreport\n--seed\n7\n"; err != nil || string(args) != want {
		t.Errorf("arguments %q (%v), want %q", args, err, want)
	}
	if got, err := os.ReadFile(filepath.Join(temp, "summary")); err != nil || string(got) != "found\n" {
		t.Errorf("summary %q (%v), want what the run left", got, err)
	}
}

// TestDockerfileHoldsTheProgramAlone checks that what is copied is what the release makes, onto nothing.
func TestDockerfileHoldsTheProgramAlone(t *testing.T) {
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	release, err := os.ReadFile("../../scripts/release.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nFROM scratch\n", "\nCOPY dist/hookassay-linux-${TARGETARCH} /hookassay\n", `ENTRYPOINT ["/hookassay"]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the Dockerfile has no %q", want)
		}
	}
	for _, want := range []string{"CGO_ENABLED=0", "-trimpath", "linux darwin windows", "amd64 arm64", `"$out/hookassay-$os-$arch$suffix"`} {
		if !strings.Contains(string(release), want) {
			t.Errorf("scripts/release.sh has no %q", want)
		}
	}
}
