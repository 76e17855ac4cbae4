package container_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/conformtest"
)

// roomy writes bounded-6 with five more seconds, compressed, for the last attempt: to start a container again takes a busy machine longer
// than the 0.7 s that it leaves, and a sender that is back past the deadline makes no sixth attempt, as it should.
func roomy(t *testing.T) (file string) {
	t.Helper()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	c.Schedule.Deadline = 90 * time.Minute
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "contract.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestAssayOfASenderInAContainer kills and restarts it in the middle, and looks whether anything was lost.
func TestAssayOfASenderInAContainer(t *testing.T) {
	open(t)
	if runtime.GOOS != "linux" {
		t.Skip("the program that is built for the image runs on Linux only")
	}
	for name, tt := range map[string]struct {
		args []string
		code int
		want string // verdict of the run
	}{
		"correct": {nil, 0, "conformant"},
		// Accepted events do not survive a kill.
		"one defect": {[]string{"--var", "defect=loss-on-kill"}, 1, "non-conformant"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "report")
			args := append([]string{
				"run", "-c", filepath.Join(sender(t).folder, "hookassay.yaml"), "--contract", roomy(t), "--out", out,
				// The attempts are counted where nobody kills the sender.
				"--select", "delivery/first-try,budget/always-failing,durability/kill-before-delivery",
			}, tt.args...)
			text, err := exec.CommandContext(t.Context(), sender(t).program, args...).CombinedOutput()
			code := 0
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				code = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if code == conformtest.Incomplete {
				for _, c := range conformtest.Complaints(out, code) {
					t.Errorf("%s\n%s", c, text)
				}
				return // the machine was late, which the evidence shows: nothing was proven, and nobody blamed
			}
			if code != tt.code {
				t.Fatalf("exit code %d, want %d:\n%s", code, tt.code, text)
			}
			verdict, failed := results(t, out)
			if verdict != tt.want {
				t.Errorf("the run is %s, want %s", verdict, tt.want)
			}
			if tt.code == 1 && !slices.Contains(failed, "durable.no-loss") {
				t.Errorf("failed: %v; want durable.no-loss among them", failed)
			}
		})
	}
}

// results reads the run's verdict and the checks that failed.
func results(t *testing.T, out string) (verdict string, failed []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Verdict  string `json:"verdict"`
		Verdicts []struct {
			Check   string `json:"check"`
			Outcome string `json:"outcome"`
		} `json:"verdicts"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Verdicts {
		if v.Outcome == "fail" {
			failed = append(failed, v.Check)
		}
	}
	return r.Verdict, failed
}
