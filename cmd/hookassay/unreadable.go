package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
