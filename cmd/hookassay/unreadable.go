package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// unreadable words an error of opening or reading a file, without the words of the system: what is wrong with path, and what to do. Of
// the errors that it has no words for it keeps those there are.
func unreadable(path string, err error, todo string) error {
	why := err.Error()
	switch info, failed := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		why = "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: this user may not read it; change its permissions", path)
	case failed == nil && info.IsDir():
		why = "is a folder"
	}
	return fmt.Errorf("%s: %s; %s", path, why, todo)
}

// inWords replaces what the system says of a file, anywhere in err, by a sentence of ours. A full disk is all there is to say.
func inWords(err error) string {
	text := err.Error()
	p, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return text
	}
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
	case errors.Is(p, syscall.EISDIR):
		why = "is a folder; name a file"
	case errors.Is(p, fs.ErrPermission) && p.Op != "fork/exec":
		why = "this user may not read or write it; change its permissions"
	default:
		return text
	}
	return strings.ReplaceAll(text, p.Error(), p.Path+": "+why)
}
