package process_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/sender/process"
)

// gone tells whether a process has ended. A zombie has: in a container there may be nobody to reap an orphan.
func gone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(rest, "Z")
}

// grandchild reads the id that the script printed.
func grandchild(t *testing.T, w *watcher) int {
	t.Helper()
	for _, l := range w.all() {
		if id, ok := strings.CutPrefix(l, "stdout: grandchild "); ok {
			pid, err := strconv.Atoi(id)
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatalf("no grandchild in %q", w.all())
	return 0
}

const withGrandchild = `sleep 100 & echo grandchild $!; echo ready http://127.0.0.1:7; `

func TestKillTakesTheGroup(t *testing.T) {
	t.Parallel()
	p, w := start(t, shell(withGrandchild+`wait`))
	pid := grandchild(t, w)
	if gone(pid) {
		t.Fatal("the grandchild never ran")
	}
	if err := p.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "grandchild gone", func() bool { return gone(pid) })
}

func TestUnexpectedExitTakesTheGroup(t *testing.T) {
	t.Parallel()
	untilTold, tell := gate(t)
	_, w := start(t, shell(withGrandchild+untilTold+`exit 1`))
	tell()
	pid := grandchild(t, w)
	<-w.exited
	waitFor(t, "grandchild gone", func() bool { return gone(pid) })
}

// A process that left the group keeps the pipe open; the end must be noticed all the same.
func TestEndIsNoticedThoughTheOutputStaysOpen(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("needs setsid")
	}
	p, w := start(t, shell(`setsid sleep 100 & echo grandchild $!; sleep 0.1; echo ready http://127.0.0.1:7; wait`))
	pid := grandchild(t, w)
	t.Cleanup(func() {
		if other, err := os.FindProcess(pid); err == nil {
			_ = other.Kill()
		}
	})
	if err := p.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if gone(pid) {
		t.Error("the process outside the group was meant to stay")
	}
}

func TestNoOrphanWhenTheHarnessIsKilled(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	harness := exec.CommandContext(t.Context(), self, "-test.run=^TestHelperHarness$", "harness")
	out, err := harness.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if gone(pid) {
		t.Fatal("the child never ran")
	}
	if err := harness.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = harness.Wait()
	waitFor(t, "child gone", func() bool { return gone(pid) })
}

// TestHelperHarness is the harness that TestNoOrphanWhenTheHarnessIsKilled kills.
func TestHelperHarness(t *testing.T) {
	if flag.Arg(0) != "harness" {
		t.Skip("only for TestNoOrphanWhenTheHarnessIsKilled")
	}
	p, err := process.New(shell(`echo ready http://127.0.0.1:7; exec sleep 100`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	fmt.Println(p.PID())
	<-t.Context().Done()
}
