package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/reports"
	"github.com/hookassay/hookassay/scenarios"
)

func judgeCommand(s streams) *cobra.Command {
	var j judging
	cmd := &cobra.Command{
		Use:   "judge EVIDENCE",
		Short: "Judge a stored run again, from its evidence alone",
		Long: `Judge a stored run again, from its evidence alone, under the contract that stands in it or another. EVIDENCE is a file,
the folder of a report, or - for standard input.

The evidence stands for compressed time where its contract says so; another contract is compressed as much.

Evidence without its footer was cut short: what is there is judged, and the verdict is incomplete (3).
Evidence whose counts, digest or order do not hold was altered and is refused (2).`,
		Example: `  hookassay judge demo-report/evidence.ndjson --out again`,
		Args:    oneEvidence,
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.reading(cmd.Context(), args[0], func(path string) error {
				path, err := evidenceIn(path)
				if err != nil {
					return err
				}
				return j.file(s, path)
			})
		},
	}
	cmd.Flags().StringVar(&j.out, "out", "hookassay-judged", "folder for the report")
	cmd.Flags().StringVar(&j.profile, "contract", "", "judge by this profile or contract file instead of the evidence's own")
	addKnown(cmd.Flags(), &j.known, &j.writeKnown)
	addViewLang(cmd.Flags(), &j.lang)
	cmd.Flags().BoolVar(&j.timings, "timings", false, "print how long the run, its phases and its scenarios took")
	return cmd
}

// judging is how stored evidence is to be judged.
type judging struct {
	out, profile, known, writeKnown string
	timings                         bool
	lang                            string
}

func oneEvidence(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("name an evidence file, or the folder of a report that holds one, for instance demo-report/evidence.ndjson")
	}
	return nil
}

// evidenceIn returns the evidence file of a report's folder, and anything else as it is.
func evidenceIn(path string) (string, error) {
	info, err := os.Stat(path)
	if isFolder := err == nil && info.IsDir(); !isFolder {
		return path, nil // openEvidence says it if there is no such file
	}
	file := filepath.Join(path, "evidence.ndjson")
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("folder %s holds no evidence.ndjson; name an evidence file, or the folder of a report", path)
	}
	return file, nil
}

func (j judging) file(s streams, path string) error {
	lang, err := languageOf(j.lang)
	if err != nil {
		return err
	}
	known, err := loadKnown(j.known)
	if err != nil {
		return err
	}
	if err := checkKnownTarget(j.writeKnown, j.known); err != nil {
		return err
	}
	src, err := openEvidence(path)
	if err != nil {
		return err
	}
	defer src.close()
	run, err := src.read()
	if err != nil {
		return err
	}
	c, err := contract.Parse("the contract in "+path, []byte(run.Header.Contract))
	if j.profile != "" {
		c, err = otherContract(j.profile, c)
	}
	if err != nil {
		return err
	}
	again := originalCommand(path, run.Header.Started)
	dir, err := reports.Open(j.out)
	if err != nil {
		return err
	}
	if err := src.copyTo(dir); err != nil {
		return err
	}
	flags := knownFlags(j.known)
	var effective []byte
	if j.profile != "" {
		if effective, err = c.Marshal(); err != nil {
			return err
		}
		flags = append(flags, "--contract", j.profile)
	}
	return finish(s, ending{dir: dir, effective: string(effective), result: scenarios.Judged(c, run, known...), again: again, flags: flags, writeKnown: j.writeKnown, timings: j.timings, lang: lang}, nil)
}

// originalCommand returns the command line of the run whose evidence it is. The evidence does not hold it; the results beside
// it do, if it still lies where the run left it.
func originalCommand(path string, started time.Time) string {
	res, err := reports.ReadResults(filepath.Join(filepath.Dir(path), "results.json"))
	ours := res.Started.Equal(started.Truncate(time.Millisecond)) // which is what results keep
	if err != nil || res.Command == "" || !ours {
		return "not known: evidence does not hold the command of its run"
	}
	return res.Command
}

// otherContract reads a contract to judge by instead of the evidence's own, and compresses it as much as that: hours of a
// published schedule would be compared with the seconds of the run otherwise. own is nil if the evidence holds none.
func otherContract(profile string, own *contract.Contract) (*contract.Contract, error) {
	n := 1
	if own != nil {
		n = max(n, own.CompressedBy)
	}
	c, err := effectiveContract(profile, 1)
	if err != nil || max(1, c.CompressedBy) == n {
		return c, err
	}
	if c.CompressedBy > 1 {
		return nil, fmt.Errorf("--contract %s is compressed by %d and the evidence by %d; give the published contract", profile, c.CompressedBy, n)
	}
	return c.Compress(n)
}

// storedEvidence is an evidence file that is read more than once, each time as far as the first.
type storedEvidence struct {
	path string // as it was named
	file *os.File
	temp bool // file is a copy of ours, of what can be read only once
	size int64
}

// openEvidence opens a file, or spools what comes through a pipe.
func openEvidence(path string) (*storedEvidence, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("evidence %w", unreadable(err, "name an evidence.ndjson, or the folder of a report"))
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read evidence: %w", err), f.Close())
	}
	switch mode := info.Mode(); {
	case mode&fs.ModeCharDevice != 0 || mode&fs.ModeDevice != 0:
		err = errors.New("is a device; name the evidence.ndjson of a run")
	case mode&fs.ModeNamedPipe != 0:
		var spooled *os.File
		spooled, err = spool(f)
		err = errors.Join(err, f.Close())
		return &storedEvidence{path: path, file: spooled, temp: true}, err
	default:
		return &storedEvidence{path: path, file: f}, nil
	}
	return nil, errors.Join(fmt.Errorf("read evidence: %s: %w", path, err), f.Close())
}

func spool(r io.Reader) (*os.File, error) {
	f, err := os.CreateTemp("", "hookassay-evidence-")
	if err != nil {
		return nil, fmt.Errorf("spool evidence: %w", err)
	}
	// Without its ReadFrom, which names the copy where what is read cannot be.
	if _, err := io.Copy(struct{ io.Writer }{f}, r); err != nil {
		return nil, errors.Join(fmt.Errorf("spool evidence: %w", err), f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

func (e *storedEvidence) close() {
	_ = e.file.Close() // opened for reading
	if e.temp {
		_ = os.Remove(e.file.Name()) // a leftover in the system's folder for such files at worst
	}
}

// read reads the evidence. The run that makes it may still be writing: what is judged ends where this read ended.
func (e *storedEvidence) read() (*evidence.Run, error) {
	if _, err := e.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	run, err := evidence.Read(e.file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.path, err)
	}
	if e.size, err = e.file.Seek(0, io.SeekCurrent); err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	return run, nil
}

// copyTo puts the evidence beside the verdicts, so that the new report can be checked like the first. Evidence that is
// judged where it lies stays as it is.
func (e *storedEvidence) copyTo(dir *reports.Dir) error {
	from, err := e.file.Stat()
	if err != nil {
		return fmt.Errorf("copy evidence: %w", err)
	}
	if there, err := os.Stat(filepath.Join(dir.Path(), "evidence.ndjson")); err == nil && os.SameFile(from, there) {
		return nil
	}
	if _, err := e.file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("copy evidence: %w", err)
	}
	dst, err := dir.Evidence()
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, io.LimitReader(e.file, e.size))
	return errors.Join(err, dst.Close())
}
