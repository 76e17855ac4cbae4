//go:build unix && !linux

package process

import "syscall"

// attributes puts the child into a process group of its own, which Ctrl-C at the terminal does not reach. These systems
// have no signal for the death of the parent.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// Alive tells whether a process of that id, or of its group, runs.
func Alive(pid int) bool { return syscall.Kill(-pid, 0) == nil || syscall.Kill(pid, 0) == nil }
