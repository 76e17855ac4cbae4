package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// Alive tells whether a process of that id, or of its group, runs. One that has ended and that nobody has waited for does not: whoever
// was to do that may be gone.
func Alive(pid int) bool {
	all, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return false
	}
	id := []byte(strconv.Itoa(pid))
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it ended just now
		}
		// The name stands in parentheses and may hold anything; state, parent and group follow (proc_pid_stat(5)).
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
		if len(fields) > 2 && bytes.Equal(fields[2], id) && fields[0][0] != 'Z' && fields[0][0] != 'X' {
			return true
		}
	}
	return false
}
