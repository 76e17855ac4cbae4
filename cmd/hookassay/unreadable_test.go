package main

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

// TestFilesAreWorded wants a sentence for what the system says of a file, and leaves alone what is not of a file.
func TestFilesAreWorded(t *testing.T) {
	of := func(op, path string, err error) error { return &fs.PathError{Op: op, Path: path, Err: err} }
	full := of("write", "out/evidence.ndjson", syscall.ENOSPC)
	for want, err := range map[string]error{
		"no space left on the disk of out/evidence.ndjson: free space and begin again": errors.Join(fmt.Errorf("write evidence record 7: %w", full), errors.New("more")),
		"no space left on the disk of out: free space and begin again":                 fmt.Errorf("write out/results.json: %w", of("write", "out/.hookassay-1.tmp", syscall.ENOSPC)),
		"adapter: a.yaml: there is no such file":                                       fmt.Errorf("adapter: %w", of("open", "a.yaml", syscall.ENOENT)),
		"log x: there is no such file; name a log":                                     fmt.Errorf("log %w", unreadable(of("open", "x", syscall.ENOENT), "name a log")),
		"x: is a folder; name a log":                                                   unreadable(of("read", "x", syscall.EISDIR), "name a log"),
		"x: is a folder; name a file":                                                  of("read", "x", syscall.EISDIR),
		"x: this user may not read or write it; change its permissions":                unreadable(of("open", "x", syscall.EACCES), "name a log"),
		"k.pem: this user may not read or write it; change its permissions":            of("open", "k.pem", syscall.EACCES),
		"command: fork/exec ./x: no such file or directory":                            fmt.Errorf("command: %w", of("fork/exec", "./x", errors.New("no such file or directory"))),
		"command: fork/exec ./x: permission denied":                                    fmt.Errorf("command: %w", of("fork/exec", "./x", syscall.EACCES)),
		"nothing of a file": errors.New("nothing of a file"),
	} {
		if got := inWords(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
