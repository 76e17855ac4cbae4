//go:build unix

package journal

import (
	"fmt"
	"os"
	"syscall"
)

// oneName refuses a file that has a second name by a hard link. Lock and log lie beside the name that the file was opened by:
// by its other name a second receiver would not see them, and SQLite would lose what is in the log. A link made later is
// refused where it is opened. The file is not opened for this: to close it would drop the locks that this process has on it.
func oneName(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil //nolint:nilerr // it is still to be made, or opening it tells what is wrong
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok && info.Mode().IsRegular() && s.Nlink > 1 {
		return fmt.Errorf("the file has %d names (hard links), and another receiver could write to it by another one: copy it, or remove the other names", s.Nlink)
	}
	return nil
}
