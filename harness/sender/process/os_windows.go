package process

import "syscall"

// attributes keeps Ctrl-C at the console from reaching the child.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
