package main

import (
	"context"
	"errors"
	"io"
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
// once: its beginning says what it is. No more of it is awaited once ctx ends.
func (s streams) reading(ctx context.Context, name string, do func(path string) error) error {
	if name != stdinMark {
		return do(name)
	}
	f, err := spool(reader(func(p []byte) (int, error) { return readUntil(ctx, s.in, p) }))
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

type reader func(p []byte) (int, error)

// Read implements io.Reader.
func (r reader) Read(p []byte) (int, error) { return r(p) }

// readUntil reads until ctx ends. Nothing ends a read of a terminal or a pipe: it is left to itself then, and p with it.
func readUntil(ctx context.Context, r io.Reader, p []byte) (n int, err error) {
	read := make(chan struct{})
	var got int
	var failed error
	go func() {
		defer close(read)
		got, failed = r.Read(p)
	}()
	select {
	case <-read:
		return got, failed
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}
