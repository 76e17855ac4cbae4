package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// Verification is what Verify found.
type Verification struct {
	// Altered names what is not as the run left it, one sentence each; empty if all holds.
	Altered []string
	// Notes are what a reader should know that is no alteration.
	Notes []string
	// Files, Verdicts and Views are how many were compared.
	Files, Verdicts, Views int
	// Manifest is the SHA-256 of manifest.json: whoever altered everything alike had to change it too.
	Manifest string
}

func (v *Verification) altered(format string, args ...any) {
	v.Altered = append(v.Altered, plain(fmt.Sprintf(format, args...)))
}

func (v *Verification) note(format string, args ...any) {
	v.Notes = append(v.Notes, plain(fmt.Sprintf(format, args...)))
}

// Judge draws the verdicts of a stored run again, under the contract whose text is given, with the known failures. It fills in what
// judging finds of an Input: contract, run, verdicts, known failures, acceptance, timelines, verdict and reason.
type Judge func(run *evidence.Run, contract string, known []judge.KnownFailure) (Input, error)

// Verify recomputes a report's folder: the digests of its files, the verdicts and the acceptance from its evidence, and the counts
// of each view. suite is the version that verifies. The error is for a folder that cannot be read or holds no report; what is wrong
// with a report is in the Verification.
func Verify(dir, suite string, again Judge) (Verification, error) {
	var v Verification
	m, err := v.folder(dir, suite)
	if err != nil {
		return v, err
	}
	if !there(filepath.Join(dir, resultsFile)) {
		return v, nil // said of the file already
	}
	res, err := ReadResults(filepath.Join(dir, resultsFile))
	if err != nil {
		v.altered("%s cannot be read: %v", resultsFile, err)
		return v, nil
	}
	if m.Schema != "" && m.Suite != res.Versions.Suite {
		v.altered("%s is of version %q, %s of %q", manifestFile, m.Suite, resultsFile, res.Versions.Suite)
	}
	run := v.evidence(dir, res)
	v.counts(res)
	v.views(dir, res, m.Language)
	if run == nil {
		return v, nil
	}
	known := make([]judge.KnownFailure, 0, len(res.Known))
	for _, k := range res.Known {
		known = append(known, k.KnownFailure)
	}
	in, err := again(run, res.Contract.Effective, known)
	if err != nil {
		v.altered("the evidence cannot be judged again: %v", err)
		return v, nil
	}
	in.Command, in.Rejudge, in.Language = res.Command, res.Rejudge, m.Language
	if res.Contract.Effective != run.Header.Contract {
		in.Effective = res.Contract.Effective
	}
	if res.Verdict == judge.RunError && in.Verdict != judge.RunError {
		v.note("the run ended in trouble of the harness, of which the evidence cannot tell: %s", res.Why)
		in.Verdict, in.Why = res.Verdict, res.Why
	}
	v.verdicts(res, in)
	v.drawn(dir, suite, res, in)
	return v, nil
}

// folder compares the files of a report's folder with what its manifest says of them, and returns that.
func (v *Verification) folder(dir, suite string) (Manifest, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Manifest{}, fmt.Errorf("report %s: there is no such folder; name the folder of a report", dir)
	case err != nil:
		return Manifest{}, fmt.Errorf("report %s: %w; name the folder of a report", dir, reason(err))
	case !info.IsDir():
		return Manifest{}, fmt.Errorf("report %s: is a file; name the folder of a report", dir)
	}
	m, err := v.files(dir, suite)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("report %s: holds no %s, so there is nothing to verify by; hookassay judge makes a report of evidence", dir, manifestFile)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("report %s: %s cannot be read: %w", dir, manifestFile, reason(err))
	}
	return m, nil
}

// evidence reads the evidence; nil if there is none that can be judged.
func (v *Verification) evidence(dir string, res Results) *evidence.Run {
	path := filepath.Join(dir, evidenceFile)
	err := isFile(path)
	sum, n := "", 0
	if err == nil {
		sum, n, err = digest(path)
	}
	if err != nil {
		if res.Evidence.SHA256 != "" {
			v.altered("%s, which %s rests on, cannot be read: %v", evidenceFile, resultsFile, reason(err))
		}
		v.note("there is no %s to read, so no verdict was drawn again", evidenceFile)
		return nil
	}
	if sum != res.Evidence.SHA256 || n != res.Evidence.Records {
		v.altered("%s is not the one that %s rests on: %d lines with SHA-256 %.12s…, judged were %d with %.12s…",
			evidenceFile, resultsFile, n, sum, res.Evidence.Records, res.Evidence.SHA256)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil // it was read a moment ago
	}
	defer f.Close() //nolint:errcheck // opened for reading
	run, err := evidence.Read(f)
	if err != nil {
		v.altered("%s: %v", evidenceFile, strings.TrimPrefix(err.Error(), "evidence "))
		return nil
	}
	return run
}

// counts compares the counts of results.json with its verdicts.
func (v *Verification) counts(res Results) {
	got := Counts{Scenarios: res.Counts.Scenarios, NotRun: res.Counts.NotRun, Checks: res.Counts.Checks, Events: res.Counts.Events, Attempts: res.Counts.Attempts}
	for _, x := range res.Verdicts {
		*got.outcome(x.Outcome)++
		if x.Outcome == judge.Fail && known(x) {
			got.Known++
		}
	}
	if got != res.Counts {
		v.altered("%s counts %s, its verdicts are %s", resultsFile, countsText(english(), res.Counts), countsText(english(), got))
	}
}

// verdicts compares what stands in results.json with what the evidence says.
func (v *Verification) verdicts(res Results, in Input) {
	fresh := Build(in)
	v.Verdicts = len(fresh.Verdicts)
	type place struct{ scenario, check string }
	want := map[place]judge.Verdict{}
	for _, x := range fresh.Verdicts {
		want[place{x.Scenario, x.Check}] = x
	}
	for _, x := range res.Verdicts {
		at := place{x.Scenario, x.Check}
		w, ok := want[at]
		delete(want, at)
		switch {
		case !ok:
			v.altered("%s has a verdict %s on %s in %s, the evidence gives none", resultsFile, x.Outcome, x.Check, x.Scenario)
		case w.Outcome != x.Outcome:
			v.altered("%s in %s: %s says %s, the evidence gives %s: %s", x.Check, x.Scenario, resultsFile, x.Outcome, w.Outcome, w.Because)
		case w.Because != x.Because || w.Known != x.Known || w.Level != x.Level || !slices.Equal(w.Records, x.Records):
			v.altered("%s in %s: the outcome holds, but level, reason or records in %s are others than the evidence gives", x.Check, x.Scenario, resultsFile)
		}
	}
	for _, x := range fresh.Verdicts {
		if _, left := want[place{x.Scenario, x.Check}]; left {
			v.altered("%s in %s: the evidence gives %s, %s has no such verdict", x.Check, x.Scenario, x.Outcome, resultsFile)
		}
	}
	if fresh.Verdict != res.Verdict || fresh.ExitCode != res.ExitCode {
		v.altered("%s says %s (exit code %d), the evidence gives %s (%d)", resultsFile, res.Verdict, res.ExitCode, fresh.Verdict, fresh.ExitCode)
	}
	if got, w := acceptanceText(res), acceptanceText(fresh); got != w {
		v.altered("acceptance: %s says %s, the evidence gives %s", resultsFile, got, w)
	}
}

func acceptanceText(r Results) string {
	if r.Acceptance == nil {
		return "none"
	}
	text, err := json.Marshal(r.Acceptance)
	if err != nil {
		return err.Error()
	}
	return formula(*r.Acceptance) + " " + string(text)
}

// drawn compares each file with what this version draws from the evidence, byte by byte. Another version may draw otherwise.
func (v *Verification) drawn(dir, suite string, res Results, in Input) {
	r := Prepare(in)
	r.Results.Evidence = res.Evidence
	same := suite == res.Versions.Suite
	for _, f := range Formats() {
		got, err := readFile(filepath.Join(dir, f.File))
		if err != nil {
			continue // said already
		}
		var want bytes.Buffer
		if err := f.Write(&want, r); err != nil || bytes.Equal(got, want.Bytes()) {
			continue
		}
		line, _, _ := strings.Cut(firstOther(want.Bytes(), got), "\n")
		if same {
			v.altered("%s is not what the evidence gives, from line %s on", f.File, line)
			continue
		}
		v.note("%s was written by %s; %s draws it otherwise, from line %s on", f.File, or(res.Versions.Suite, "another version"), suite, line)
	}
}

// firstOther returns the number of the first line in which two texts differ.
func firstOther(a, b []byte) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return fmt.Sprint(1 + bytes.Count(a[:n], []byte("\n")))
}
