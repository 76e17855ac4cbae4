package main

import (
	"errors"
	"os"
	"strings"
)

const (
	// stdinMark names standard input on a command line; a file of that name is ./-
	stdinMark = "-"
	// stdinName is what messages call it.
	stdinName = "standard input"
)

// reading calls do with the file that was named. Standard input is copied to a file for as long, since what is stored is read more than
// once: its beginning says what it is.
func (s streams) reading(name string, do func(path string) error) error {
	if name != stdinMark {
		return do(name)
	}
	f, err := spool(s.in)
	if err != nil {
		return err
	}
	_ = f.Close() // all is written
	defer func() { _ = os.Remove(f.Name()) }()
	err = do(f.Name())
	if _, told := errors.AsType[verdictError](err); told || err == nil {
		return err
	}
	return errors.New(strings.ReplaceAll(inWords(err), f.Name(), stdinName))
}
