//go:build unix

package httpapi

import (
	"os"
	"syscall"
)

// userSignal is one of the signals that programs take as a word from outside: HUP by custom, and those that are there for their use.
func userSignal(name string) (os.Signal, bool) {
	switch name {
	case "HUP":
		return syscall.SIGHUP, true
	case "USR1":
		return syscall.SIGUSR1, true
	case "USR2":
		return syscall.SIGUSR2, true
	}
	return nil, false
}
