package reports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Temporary files carry a name by which a later run knows and removes them.
const (
	tempPrefix  = ".hookassay-"
	tempSuffix  = ".tmp"
	tempPattern = tempPrefix + "*" + tempSuffix
)

// put writes a file of the folder so that at any moment either the old one or the whole new one is there, also after a
// power cut: temporary file, fsync, rename, fsync of the folder.
func (d *Dir) put(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(d.path, tempPattern)
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(d.path, name), reason(err))
	}
	temp := f.Name()
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write %s: %w", filepath.Join(d.path, name), err), f.Close(), os.Remove(temp))
		}
	}()
	// CreateTemp makes files for the owner alone; a report is made to be handed out.
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := os.Rename(temp, filepath.Join(d.path, name)); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(d.path, name), err)
	}
	return d.sync()
}

// sync makes renames in the folder last.
func (d *Dir) sync() error {
	f, err := os.Open(d.path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
