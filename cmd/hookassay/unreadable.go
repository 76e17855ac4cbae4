package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
)

// unreadable adds to an error of opening or reading a file what to name instead, which inWords tells where the name was wrong.
func unreadable(err error, todo string) error { return misnamedError{err, todo} }

type misnamedError struct {
	error
	todo string
}

func (e misnamedError) Unwrap() error { return e.error }

// inWords replaces what the system says of a file, anywhere in err, by a sentence of ours: what is wrong with it, and what to do. Of the
// errors that it has no words for it keeps those there are. A full disk is all there is to say.
func inWords(err error) string {
	text := err.Error()
	p, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return text
	}
	m, misnamed := errors.AsType[misnamedError](err)
	why := ""
	switch {
	case errors.Is(p, syscall.ENOSPC):
		at := p.Path
		if strings.HasPrefix(filepath.Base(at), ".") { // a name of ours for the time of writing
			at = filepath.Dir(at)
		}
		return fmt.Sprintf("no space left on the disk of %s: free space and begin again", at)
	case errors.Is(p, fs.ErrNotExist) && (p.Op == "open" || p.Op == "stat"):
		why = "there is no such file"
		if misnamed {
			why += "; " + m.todo
		}
	case errors.Is(p, syscall.EISDIR):
		why = "is a folder; name a file"
		if misnamed {
			why = "is a folder; " + m.todo
		}
	case errors.Is(p, fs.ErrPermission) && p.Op != "fork/exec":
		why = "this user may not read or write it; change its permissions"
	default:
		return text
	}
	return strings.ReplaceAll(text, p.Error(), p.Path+": "+why)
}
