package main

// This file keeps what is needed to go on with a run that was interrupted. It lies in a folder of the run's own that only its owner can
// read, beside the states of its senders: reports are handed on, and a sender's state may hold keys.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml"

	"github.com/hookassay/hookassay/mockreceiver/journal"
)

const (
	// unfinishedSchema names the form of what is kept.
	unfinishedSchema = "hookassay.unfinished/1"
	// unfinishedFile stands in the folder of the report and says where the rest is.
	unfinishedFile = "unfinished.json"
	// settingsFile stands in the folder of the run's own.
	settingsFile = "run.yaml"
	// journalFile is there if the run came so far as to receive.
	journalFile = "journal.db"
)

// pointer is the content of unfinishedFile.
type pointer struct {
	Schema string `json:"schema"`
	State  string `json:"state"` // absolute path
}

// unfinished are the settings of a run as they were when it began.
type unfinished struct {
	Schema string `yaml:"schema"`
	// Report is the absolute path of the report's folder, which points to this one: only of two that name each other is either removed.
	Report string `yaml:"report"`
	// Run is the run file with what the flags said; its paths are absolute.
	Run    runFile `yaml:"run"`
	Folder string  `yaml:"folder"`
	// Vars are those that were given and are no secrets, Secrets the names of those that are.
	Vars    map[string]string `yaml:"vars,omitempty"`
	Secrets []string          `yaml:"secrets,omitempty"`
	// Command is the command line that does the run again from its beginning.
	Command string `yaml:"command"`
	// Files are the SHA-256 of the files that the run was read from, by absolute path.
	Files map[string]string `yaml:"files"`
}

// keepable tells whether the run can be gone on with, as far as its driver can tell.
func (a assay) keepable() bool {
	d, ok := a.driver.(adapterDriver)
	return ok && a.path != "" && !d.InContainers()
}

// keepSettings writes down in state and in the report's folder what --resume reads.
func (a assay) keepSettings(state, command string) error {
	report, err := filepath.Abs(a.file.Out)
	if err != nil {
		return err
	}
	u := unfinished{Schema: unfinishedSchema, Report: report, Run: a.file, Vars: map[string]string{}, Command: command, Files: map[string]string{}}
	u.Run.Sender.Vars = nil
	for name, value := range a.vars {
		if a.driver.secret(name) {
			u.Secrets = append(u.Secrets, name)
		} else {
			u.Vars[name] = value
		}
	}
	slices.Sort(u.Secrets)
	if err := u.absolute(a.file.folder); err != nil {
		return err
	}
	if err := u.sum(a.path); err != nil {
		return err
	}
	text, err := yaml.Marshal(u)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(state, settingsFile), text, 0o600); err != nil {
		return err
	}
	text, err = json.Marshal(pointer{Schema: unfinishedSchema, State: state})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(a.file.Out, unfinishedFile), append(text, '\n'), 0o644) //nolint:gosec // as the rest of the report; it says where, and nothing else
}

// absolute makes paths hold wherever the run is gone on with.
func (u *unfinished) absolute(folder string) error {
	paths := []*string{&u.Run.Sender.Adapter, &u.Run.KnownFailures}
	if isPath(u.Run.Contract) {
		paths = append(paths, &u.Run.Contract)
	}
	if h := u.Run.Handshake; h != nil {
		own := *h
		u.Run.Handshake = &own
		paths = append(paths, &own.SecretFile)
	}
	for _, p := range paths {
		if *p == "" {
			continue
		}
		var err error
		if *p, err = filepath.Abs(*p); err != nil {
			return err
		}
	}
	var err error
	u.Folder, err = filepath.Abs(folder)
	return err
}

// sum notes the digests of the run file and the adapter. The contract stands in the evidence.
func (u *unfinished) sum(runFile string) error {
	for _, path := range []string{runFile, u.Run.Sender.Adapter} {
		path, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		if u.Files[path], err = sha256Of(path); err != nil {
			return err
		}
	}
	return nil
}

func sha256Of(path string) (string, error) {
	text, err := os.ReadFile(path)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// readUnfinished finds what was kept of the run whose report is in dir. It is an error that wraps fs.ErrNotExist where there is nothing.
func readUnfinished(dir string) (u unfinished, state string, err error) {
	text, err := readUpTo(filepath.Join(dir, unfinishedFile), maxRunFile)
	if err != nil {
		return u, "", err
	}
	var at pointer
	if err := json.Unmarshal(text, &at); err != nil || at.Schema != unfinishedSchema || !filepath.IsAbs(at.State) {
		return u, "", fmt.Errorf("%s is not what a run left there", filepath.Join(dir, unfinishedFile))
	}
	text, err = readUpTo(filepath.Join(at.State, settingsFile), maxRunFile)
	if errors.Is(err, fs.ErrNotExist) {
		return u, "", fmt.Errorf("what the run kept in %s is gone; begin a new run", at.State)
	}
	if err != nil {
		return u, "", err
	}
	if err := yaml.Unmarshal(text, &u); err != nil || u.Schema != unfinishedSchema {
		return u, "", fmt.Errorf("%s is not what a run left there", filepath.Join(at.State, settingsFile))
	}
	here, err := os.Stat(dir)
	if err != nil {
		return u, "", err
	}
	if there, err := os.Stat(u.Report); err != nil || !os.SameFile(here, there) {
		return u, "", fmt.Errorf("what was kept in %s is of the report in %s; go on with that one", at.State, u.Report)
	}
	return u, at.State, nil
}

// dropUnfinished removes what an earlier run in the folder of a report kept. It refuses where that run goes on just now: its evidence would
// be lost, and perhaps an hour with it.
func dropUnfinished(ctx context.Context, dir string) error {
	_, state, err := readUnfinished(dir)
	if err == nil {
		switch free := journal.Free(ctx, filepath.Join(state, journalFile)); {
		case errors.Is(free, journal.ErrInUse):
			return fmt.Errorf("output folder %s: a run is under way in it; wait for its end, or name another folder with --out", dir)
		case free == nil:
			if err := os.RemoveAll(state); err != nil {
				return err
			}
		}
	}
	return forgetUnfinished(dir)
}

// forgetUnfinished removes the word of a run that has ended.
func forgetUnfinished(dir string) error {
	if err := os.Remove(filepath.Join(dir, unfinishedFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// changed names a file that is not as it was when the run began; empty if there is none.
func (u *unfinished) changed() string {
	for _, path := range slices.Sorted(maps.Keys(u.Files)) {
		if sum, err := sha256Of(path); err != nil || sum != u.Files[path] {
			return path
		}
	}
	return ""
}
