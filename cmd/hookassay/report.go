package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
	"github.com/hookassay/hookassay/scenarios"
)

func reportCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{Use: "report", Short: "Check a report for alterations, or compare two"}
	cmd.AddCommand(reportVerifyCommand(s), reportDiffCommand(s))
	return cmd
}

func reportVerifyCommand(s streams) *cobra.Command {
	var manifest string
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Recompute a report from its evidence, and say what was altered",
		Long: `Recompute a report from its evidence, and say what was altered: the digest of each file, the verdicts and the acceptance
from the evidence, the counts in each view, and what this version draws from the evidence.

Whoever alters everything alike, manifest and all, is found out by the manifest's own digest alone, which is printed: hand it on by
another way than the report, and give it with --manifest.

Exit codes: 0 all holds, 1 something was altered, 2 there is no report.`,
		Example: `  hookassay report verify demo-report`,
		Args:    oneReport,
		RunE: func(_ *cobra.Command, args []string) error {
			v, err := reports.Verify(args[0], version(), judgedAgain)
			if err != nil {
				return err
			}
			if manifest != "" && !strings.EqualFold(manifest, v.Manifest) {
				v.Altered = append(v.Altered, fmt.Sprintf("manifest.json is not the one with the SHA-256 that was given: its own is %s", v.Manifest))
			}
			return printVerification(s, args[0], v)
		},
	}
	cmd.Flags().StringVar(&manifest, "manifest", "", "the SHA-256 that manifest.json must have")
	return cmd
}

func oneReport(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("name the folder of a report, for instance demo-report")
	}
	return nil
}

func printVerification(s streams, dir string, v reports.Verification) error {
	w := s.text()
	for _, n := range v.Notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	for _, a := range v.Altered {
		fmt.Fprintf(w, "altered: %s\n", a)
	}
	if len(v.Altered) > 0 {
		fmt.Fprintf(w, "%s: ALTERED, in %s\n", dir, number(len(v.Altered), "respect"))
		return verdictError{1}
	}
	fmt.Fprintf(w, "%s: holds: %s, %s drawn from the evidence again, the counts of %s\n",
		dir, number(v.Files, "digest"), number(v.Verdicts, "verdict"), number(v.Views, "view"))
	fmt.Fprintf(w, "manifest.json SHA-256 %s\n", v.Manifest)
	return nil
}

// judgedAgain draws the verdicts of a stored run.
func judgedAgain(run *evidence.Run, text string, known []judge.KnownFailure) (reports.Input, error) {
	c, err := contract.Parse("the contract in the report", []byte(text))
	if err != nil {
		return reports.Input{}, err
	}
	r := scenarios.Judged(c, run, known...)
	return reports.Input{
		Contract: r.Contract, Run: r.Run, Verdicts: r.Verdicts, Known: r.Known, Acceptance: r.Acceptance,
		Timelines: r.Timelines, Verdict: r.Verdict, Why: r.Why,
	}, nil
}

func reportDiffCommand(s streams) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Compare two reports: regressions, fixes, new failures, shifts in time",
		Long: `Compare two reports, the earlier one first: what was kept and is broken now, what is fixed, which failures are new, what cannot be told
any more, and where deliveries take another time. Failures that the later report puts up with as known are listed and count for nothing.

Exit codes: 0 nothing is worse, 1 a regression or a new failure, 2 bad input, 3 nothing is worse as far as can be told: the later run is
incomplete, or ended in an error.`,
		Example: `  hookassay report diff last-week demo-report
  hookassay report diff main/results.json branch/results.json --json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("name two reports, the earlier one first: their folders, or their results.json")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			var both [2]reports.Results
			for i, path := range args {
				var err error
				if both[i], err = resultsIn(path); err != nil {
					return err
				}
			}
			d := reports.Compare(both[0], both[1])
			if err := printDiff(s, d, asJSON); err != nil {
				return err
			}
			switch {
			case d.Worse:
				return verdictError{1}
			case d.Open:
				return verdictError{exitUnknown}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON (schema "+reports.DiffSchema+")")
	return cmd
}

// resultsIn reads the results of a report's folder, or a results.json.
func resultsIn(path string) (reports.Results, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "results.json")
	}
	return reports.ReadResults(path)
}

func printDiff(s streams, d reports.Diff, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprint(s.text(), d.Text())
		return err
	}
	enc := json.NewEncoder(s.out)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}
