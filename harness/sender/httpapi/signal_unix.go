//go:build unix

package httpapi

import (
	"os"
	"syscall"
)

// userSignal is one of the signals that are there for programs to use as they like.
func userSignal(name string) (os.Signal, bool) {
	switch name {
	case "USR1":
		return syscall.SIGUSR1, true
	case "USR2":
		return syscall.SIGUSR2, true
	}
	return nil, false
}
