package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/reports"
	"github.com/hookassay/hookassay/scenarios"
)

func judgeCommand(s streams) *cobra.Command {
	var out, profile string
	cmd := &cobra.Command{
		Use:   "judge EVIDENCE",
		Short: "Judge a stored run again, from its evidence alone",
		Long: `Judge a stored run again, from its evidence alone, under the contract that stands in it or another.

Evidence without its footer was cut short: what is there is judged, and the verdict is incomplete (3).
Evidence whose counts, digest or order do not hold was altered and is refused (2).`,
		Example: `  hookassay judge demo-report/evidence.ndjson --out again`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return judgeFile(s, args[0], profile, out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "hookassay-judged", "folder for the report")
	cmd.Flags().StringVar(&profile, "contract", "", "judge by this profile or contract file instead of the evidence's own")
	return cmd
}

func judgeFile(s streams, path, profile, out string) error {
	run, err := readEvidence(path)
	if err != nil {
		return err
	}
	c, err := contract.Parse("the contract in "+path, []byte(run.Header.Contract))
	if profile != "" {
		c, err = effectiveContract(profile, 1)
	}
	if err != nil {
		return err
	}
	dir, err := reports.Open(out)
	if err != nil {
		return err
	}
	if err := copyEvidence(dir, path); err != nil {
		return err
	}
	return finish(s, dir, scenarios.Judged(c, run), "hookassay judge "+path, nil)
}

func readEvidence(path string) (*evidence.Run, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	defer f.Close() //nolint:errcheck // opened for reading
	run, err := evidence.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return run, nil
}

// copyEvidence puts the evidence beside the verdicts, so that the new report can be checked like the first. Evidence that is
// judged where it lies stays as it is.
func copyEvidence(dir *reports.Dir, path string) error {
	src, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("copy evidence: %w", err)
	}
	defer src.Close() //nolint:errcheck // opened for reading
	from, err := src.Stat()
	if err != nil {
		return fmt.Errorf("copy evidence: %w", err)
	}
	if there, err := os.Stat(filepath.Join(dir.Path(), "evidence.ndjson")); err == nil && os.SameFile(from, there) {
		return nil
	}
	dst, err := dir.Evidence()
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}
