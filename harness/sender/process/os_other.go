//go:build !unix

package process

import (
	"errors"
	"os"
)

// terminate has no counterpart that reaches a process without a console window of its own.
func terminate(*os.Process) error { return errors.ErrUnsupported }

// killGroup kills the process alone; there is no group to kill.
func killGroup(p *os.Process) { _ = p.Kill() }

func exitOf(state *os.ProcessState, err error) Exit {
	if err != nil {
		return Exit{Code: -1, Err: err}
	}
	return Exit{Code: state.ExitCode()}
}

// Alive tells whether a process of that id runs, where the system says so.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid) // which opens it on Windows
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
