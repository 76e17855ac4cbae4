package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender/httpapi"
)

// earlierRun is a run that was interrupted and is gone on with.
type earlierRun struct {
	evidence *evidence.Unfinished
	state    string // folder with what it kept
	command  string // that did it
}

// withResume lists the flags that say nothing about what the run is, so that they may be given anew.
func withResume() []string {
	return []string{"resume", "var", "timings", "write-known", "no-timeouts", "lang"}
}

// resume goes on with the run whose report is in dir, with the settings that it began with.
func (f *runFlags) resume(ctx context.Context, fs *pflag.FlagSet, dir string, s streams) error {
	var other []string
	fs.Visit(func(fl *pflag.Flag) {
		if !slices.Contains(withResume(), fl.Name) {
			other = append(other, "--"+fl.Name)
		}
	})
	if len(other) > 0 {
		return fmt.Errorf("--resume goes on with the settings that the run began with; leave out %s", strings.Join(other, ", "))
	}
	a, err := f.resumed(dir)
	if err != nil {
		return fmt.Errorf("--resume %s: %w", dir, err)
	}
	if err := a.do(ctx, s); err != nil {
		if _, ok := errors.AsType[verdictError](err); ok {
			return err
		}
		return fmt.Errorf("--resume %s: %w", dir, err)
	}
	return nil
}

// resumed reads what there is of a run, and refuses what is not the same any more.
func (f *runFlags) resumed(dir string) (a assay, err error) {
	ev, err := unfinishedEvidence(dir)
	if err != nil {
		return a, err
	}
	u, state, err := readUnfinished(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return a, errors.New("nothing is there to go on with: only hookassay run keeps it, for a sender with an adapter that runs in no container; begin a new run")
	}
	if err != nil {
		return a, err
	}
	if path := u.changed(); path != "" {
		return a, fmt.Errorf("%s was changed since the run began; put it back, or begin a new run", path)
	}
	u.Run.Out, u.Run.folder, u.Run.Sender.Vars = dir, u.Folder, u.Vars
	f.given = func(string) bool { return false } // the settings are the run's own
	a, err = f.assay(u.Run, httpapi.Load)
	if err != nil {
		return a, err
	}
	for _, name := range u.Secrets {
		if _, ok := a.vars[name]; !ok {
			return a, fmt.Errorf("the secret %s is not kept; give it again with --var %s=…", name, name)
		}
	}
	text, err := a.contract.Marshal()
	if err != nil {
		return a, err
	}
	switch h := ev.Run.Header; {
	case string(text) != h.Contract:
		return a, fmt.Errorf("the contract %s is not the one that the run began with; put that back, or begin a new run", u.Run.Contract)
	case h.Suite != version():
		return a, fmt.Errorf("the run was begun by version %s of hookassay, and this is %s; go on with that one, or begin a new run", h.Suite, version())
	}
	a.file.Seed = ev.Run.Header.Seed
	a.path = u.Folder
	a.earlier = &earlierRun{ev, state, u.Command}
	return a, nil
}

// unfinishedEvidence reads the evidence of a run that did not come to its end.
func unfinishedEvidence(dir string) (*evidence.Unfinished, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, errors.New("is a file; name the folder of the report of a run that was interrupted")
	}
	file, err := os.Open(filepath.Join(dir, "evidence.ndjson"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("there is no evidence.ndjson; name the folder of the report of a run that was interrupted")
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // opened for reading
	ev, err := evidence.ReadUnfinished(file)
	if err != nil {
		return nil, err
	}
	if ev.Run.Complete() {
		return nil, errors.New("that run came to its end; there is nothing to go on with")
	}
	return ev, nil
}

// stateFolder is the folder of the run's own: a new one, or that of the run that is gone on with.
func (a assay) stateFolder() (string, error) {
	if a.earlier != nil {
		return a.earlier.state, nil
	}
	state, err := os.MkdirTemp("", "hookassay-")
	if err != nil {
		return "", fmt.Errorf("folder for the senders' state: %w", err)
	}
	return state, nil
}

// canGoOn tells whether a run that has ended with an error, or none, may be gone on with: one that was interrupted, and one whose senders
// did not come back, for which a person may see to that.
func (a assay) canGoOn(ctx context.Context, run *evidence.Run, err error) bool {
	if err == nil {
		return ctx.Err() != nil && !run.Complete()
	}
	_, ok := errors.AsType[*drive.LaunchError](err)
	return ok && a.earlier != nil
}

func (a assay) commandLine() string {
	if a.earlier != nil {
		return a.earlier.command
	}
	return a.again(a.file.Seed)
}

func (a assay) verb() string {
	if a.earlier != nil {
		return "going on with"
	}
	return "assaying"
}

// lateFile is opened when something is written to it.
type lateFile struct {
	open func() (io.WriteCloser, error)
	file io.WriteCloser
}

func (f *lateFile) Write(b []byte) (int, error) {
	if f.file == nil {
		var err error
		if f.file, err = f.open(); err != nil {
			return 0, err
		}
	}
	return f.file.Write(b)
}

func (f *lateFile) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
