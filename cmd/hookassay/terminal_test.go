//go:build linux || darwin

package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestProseFitsTheTerminal shows on a terminal of 80 columns what is one long line elsewhere.
func TestProseFitsTheTerminal(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"list profiles", "list alarms", "list defects", "list variants", "list scenarios --lang zh", "contract lint bounded-6",
		"contract simulate bounded-6 --events 100", "contract window bounded-6", "presets", "run -c " + strings.Repeat("far/", 30) + "away",
	} {
		cmd := exec.Command(os.Args[0], strings.Fields(line)...)
		cmd.Env = append(os.Environ(), asCommand+"=1", "COLUMNS=")
		tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 80, Rows: 24})
		if err != nil {
			t.Fatal(err)
		}
		shown, _ := io.ReadAll(tty) // Linux ends a terminal that nobody has open any more with an error
		_ = cmd.Wait()
		_ = tty.Close()
		if len(shown) == 0 {
			t.Errorf("%s: shows nothing", line)
		}
		for l := range strings.Lines(strings.ReplaceAll(string(shown), "\r", "")) {
			if n := columnsOf(strings.TrimSuffix(l, "\n")); n > 80 && len(strings.Fields(l)) > 1 {
				t.Errorf("%s: a line has %d columns: %s", line, n, l)
			}
		}
	}
}
