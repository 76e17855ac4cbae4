//go:build unix

package process

import (
	"os"
	"syscall"
)

// terminate asks the process itself to end, not its group: a sender ends its own children.
func terminate(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// killGroup kills the process and what is left of its group. The group's number stays taken while a member lives, and it
// is used right after the leader was waited for at the latest, before the system can hand the number out again.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

func exitOf(state *os.ProcessState, err error) Exit {
	if err != nil {
		return Exit{Code: -1, Err: err}
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Exit{Code: -1, Signal: ws.Signal().String()}
	}
	return Exit{Code: state.ExitCode()}
}
