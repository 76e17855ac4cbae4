package process

import "syscall"

// attributes puts the child into a process group of its own, which Ctrl-C at the terminal does not reach, and lets the
// kernel kill it when the harness dies.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
