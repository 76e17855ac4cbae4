package reports

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
)

// Dir is an output folder. Its methods are not safe for concurrent use.
type Dir struct {
	path    string
	cleared bool // what an earlier run left behind is gone
	opened  bool // the evidence file is this run's
	// held is the evidence file that this Dir made, until Write. While it is open no other file can pass for it: a removed
	// file's number goes to the next.
	held *os.File
}

// Open opens an output folder and creates it where it is missing. It refuses a file, a folder that cannot be written to, and
// a folder that holds things but no earlier report: nothing that is not ours is ever overwritten or removed.
func Open(path string) (*Dir, error) {
	if path == "" {
		return nil, errors.New("output folder: has no name; name one")
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("output folder %s: is a file; name a folder", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("output folder %s: %w; choose another", path, reason(err))
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, fmt.Errorf("output folder %s: cannot be made: %w; choose another", path, reason(err))
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("output folder %s: cannot be read: %w; choose another", path, reason(err))
	}
	if foreign(path, entries) {
		return nil, fmt.Errorf("output folder %s: holds files but no hookassay report; choose an empty folder or a new name", path)
	}
	probe, err := os.CreateTemp(path, tempPattern)
	if err != nil {
		return nil, fmt.Errorf("output folder %s: cannot be written to: %w; choose another", path, reason(err))
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return nil, fmt.Errorf("output folder %s: cannot be written to: %w; choose another", path, reason(err))
	}
	return &Dir{path: path}, nil
}

// Path returns the folder's path as it was given to Open.
func (d *Dir) Path() string { return d.path }

// Evidence opens evidence.ndjson for appending. The first call of a Dir starts the file anew, and removes what an earlier
// run left in the folder; later calls continue it. The caller closes it, before Write.
func (d *Dir) Evidence() (io.WriteCloser, error) {
	name := filepath.Join(d.path, evidenceFile)
	if d.opened {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return nil, fmt.Errorf("evidence file %s: %w", name, reason(err))
		}
		return f, nil
	}
	if err := d.clear(); err != nil {
		return nil, err
	}
	// Removed, not truncated: the name may be a link to a file that is not ours.
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("evidence file %s: %w", name, reason(err))
	}
	// Readable by all like the rest of the report: its keys are revoked when the run ends, and a container that runs as
	// another user would otherwise leave a file that nobody can check.
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, fmt.Errorf("evidence file %s: %w", name, reason(err))
	}
	if d.held, err = os.Open(name); err != nil {
		return nil, errors.Join(fmt.Errorf("evidence file %s: %w", name, reason(err)), f.Close())
	}
	d.opened = true
	return f, nil
}

// Resume opens evidence.ndjson to go on behind its first size bytes; the rest, which is the footer of an interrupted run or a line that was
// cut, is cut off. The caller closes it, before Write.
func (d *Dir) Resume(size int64) (io.WriteCloser, error) {
	name := filepath.Join(d.path, evidenceFile)
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		d.held, err = os.Open(name)
	}
	if err != nil {
		return nil, fmt.Errorf("evidence file %s: %w", name, reason(err))
	}
	d.opened = true
	return f, nil
}

// Begin writes results.json with the verdict "incomplete", whatever r says, so that a crash leaves a truthful file. It may
// be called again as the run goes. The first call removes what an earlier run left in the folder, except its evidence.
func (d *Dir) Begin(r Results) error {
	if err := d.clear(); err != nil {
		return err
	}
	r.Schema = Schema
	r.Verdict, r.ExitCode, r.Ended = judge.Incomplete, exitCode(judge.Incomplete), nil
	r.Why = "The run had not ended when this file was written."
	return d.put(resultsFile, func(w io.Writer) error { return writeJSON(w, r) })
}

// Write writes all artifacts, results.json and then the manifest of digests last, and returns what stands in it. A view that cannot be written does not keep
// the others from being written; all errors are returned. The evidence file must be complete by now. Where another run took
// the folder meanwhile nothing is written: results beside the evidence of another run would be a lie.
func (d *Dir) Write(in Input) (Results, error) {
	r := Prepare(in)
	if err := d.ours(); err != nil {
		return r.Results, err
	}
	sum, n, err := digest(filepath.Join(d.path, evidenceFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r.Results, fmt.Errorf("evidence file: %w", err)
	}
	if err == nil {
		r.Results.Evidence.SHA256, r.Results.Evidence.Records = sum, n
	}
	if !d.cleared {
		if err := d.Begin(r.Results); err != nil {
			return r.Results, err
		}
	}
	var errs []error
	for _, f := range Formats() {
		errs = append(errs, d.put(f.File, func(w io.Writer) error { return f.Write(w, r) }))
	}
	if err := errors.Join(errs...); err != nil {
		return r.Results, err
	}
	errs = append(errs, d.seal(r.Results, in.Language))
	return r.Results, errors.Join(errs...)
}

// ours tells whether the evidence in the folder is still the file that this Dir made, if it made one.
func (d *Dir) ours() error {
	if d.held == nil {
		return nil
	}
	made, err := d.held.Stat()
	err = errors.Join(err, d.held.Close())
	d.held = nil
	if err != nil {
		return fmt.Errorf("evidence file: %w", reason(err))
	}
	now, err := os.Stat(filepath.Join(d.path, evidenceFile))
	if err != nil || !os.SameFile(now, made) {
		return fmt.Errorf("output folder %s: another run took it, and this run's evidence is gone; give each run a folder of its own", d.path)
	}
	return nil
}

// clear removes the views and results of an earlier run once. The evidence stays: it may be what is being judged again.
func (d *Dir) clear() error {
	if d.cleared {
		return nil
	}
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return fmt.Errorf("output folder %s: %w", d.path, reason(err))
	}
	for _, e := range entries {
		if !stale(e) {
			continue
		}
		if err := os.Remove(filepath.Join(d.path, e.Name())); err != nil {
			return fmt.Errorf("output folder %s: remove the earlier %s: %w", d.path, e.Name(), reason(err))
		}
	}
	d.cleared = true
	return nil
}

func stale(e fs.DirEntry) bool {
	if e.IsDir() {
		return false
	}
	for _, f := range Formats() {
		if e.Name() == f.File {
			return true
		}
	}
	return e.Name() == manifestFile || isTemp(e.Name())
}

// foreign tells whether a folder holds something and none of it shows that we wrote there before.
func foreign(path string, entries []fs.DirEntry) bool {
	strangers := 0
	for _, e := range entries {
		switch {
		case isTemp(e.Name()):
		case e.Name() == resultsFile && begins(filepath.Join(path, resultsFile), `"schema": "hookassay.results/`),
			e.Name() == evidenceFile && begins(filepath.Join(path, evidenceFile), `"schema":"hookassay.evidence/`):
			return false
		case e.Name() == evidenceFile && empty(e):
			// Left by a run that ended before its first record.
		default:
			strangers++
		}
	}
	return strangers > 0
}

// begins tells whether mark stands near the beginning of a file: both our documents open with their schema.
func begins(name, mark string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close() //nolint:errcheck // opened for reading
	// The kind, the line number and the schema fit in a tenth of this.
	head, err := bufio.NewReaderSize(f, 1024).Peek(1024)
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	return bytes.Contains(head, []byte(mark))
}

func empty(e fs.DirEntry) bool {
	info, err := e.Info()
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}

// digest returns the SHA-256 of a file and its number of lines.
func digest(name string) (sum string, n int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	h := sha256.New()
	buf := make([]byte, 64<<10)
	for {
		k, err := f.Read(buf)
		n += bytes.Count(buf[:k], []byte("\n"))
		h.Write(buf[:k])
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(h.Sum(nil)), n, nil
		}
		if err != nil {
			return "", 0, err
		}
	}
}

func isTemp(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}
