//go:build !unix && !windows

package process

import "syscall"

func attributes() *syscall.SysProcAttr { return nil }
