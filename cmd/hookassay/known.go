package main

// This file reads and writes files of known failures.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// knownSchema names the form of a file of known failures.
const knownSchema = "hookassay.known/1"

// knownFile is the file of --known-failures.
type knownFile struct {
	Schema string       `yaml:"schema"`
	Known  []knownEntry `yaml:"known_failures"`
}

type knownEntry struct {
	Scenario string `yaml:"scenario"`
	Check    string `yaml:"check"`
	Reason   string `yaml:"reason"`
}

const (
	// maxKnownFile is a hundred times a file that lists each check of each scenario by itself, with a sentence for each, would
	// still be a list that somebody keeps. The bound on its words and signs is for the YAML parser, as for run files.
	maxKnownFile   = 256 << 10
	maxKnownTokens = 20_000
)

// loadKnown reads a file of known failures; no path means none.
func loadKnown(path string) ([]judge.KnownFailure, error) {
	if path == "" {
		return nil, nil
	}
	text, err := readUpTo(path, maxKnownFile+1)
	if err != nil {
		return nil, fmt.Errorf("read the known failures: %w; --write-known makes such a file", err)
	}
	return parseKnown(path, text)
}

func parseKnown(name string, text []byte) ([]judge.KnownFailure, error) {
	if n := len(text); n > maxKnownFile {
		return nil, fmt.Errorf("%s: is over %d bytes long; is it a file of known failures?", name, maxKnownFile)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // as editors of some systems begin each file
	if n := len(lexer.Tokenize(string(text))); n > maxKnownTokens {
		return nil, fmt.Errorf("%s: holds %d words and signs, and a file of known failures at most %d; list them by globs", name, n, maxKnownTokens)
	}
	var f knownFile
	dec := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := dec.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %s", name, yamlProblem(err, f))
	}
	if err := dec.Decode(new(any)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: holds more than one document; a file of known failures is one", name)
	}
	if f.Schema != knownSchema {
		return nil, fmt.Errorf("%s: schema is %q; write schema: %s", name, f.Schema, knownSchema)
	}
	var list []judge.KnownFailure
	for i, e := range f.Known {
		k := judge.KnownFailure{Scenario: e.Scenario, Check: e.Check, Reason: strings.TrimSpace(e.Reason)}
		if err := k.Validate(); err != nil {
			return nil, fmt.Errorf("%s: entry %d: %w", name, i+1, err)
		}
		list = append(list, k)
	}
	return list, nil
}

// knownHead opens a file that is written.
const knownHead = `# Failures that are known and put up with, for hookassay run --known-failures and hookassay judge --known-failures.
# Fill in each reason: why is the failure put up with, and until when? An entry without a reason is refused. Patterns are
# globs, such as retry/* and backoff.*; an entry whose failures are gone fails the run, so that the list stays true.
schema: ` + knownSchema + "\n"

// checkKnownTarget refuses to write known failures over a file that is not the list in use: its reasons would be lost.
func checkKnownTarget(path, inUse string) error {
	if path == "" {
		return nil
	}
	there, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if dir, err := os.Stat(filepath.Dir(path)); err != nil || !dir.IsDir() {
			return fmt.Errorf("--write-known %s: there is no folder %s", path, filepath.Dir(path))
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("--write-known: %w", err)
	}
	if used, err := os.Stat(inUse); err == nil && os.SameFile(there, used) && there.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("--write-known %s: is there already; give it with --known-failures too to keep its reasons, or choose another name", path)
}

// writeKnown writes the failures of a run, with the reasons of those that were known. What passes now is left out, and so is the
// acceptance, which no list excuses.
func writeKnown(path string, r reports.Results) error {
	text, err := knownText(r)
	if err != nil {
		return fmt.Errorf("write the known failures: %w", err)
	}
	temp := path + ".tmp"
	if err := os.WriteFile(temp, text, 0o644); err != nil {
		return fmt.Errorf("write the known failures: %w", err)
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(fmt.Errorf("write the known failures: %w", err), os.Remove(temp))
	}
	return nil
}

func knownText(r reports.Results) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(knownHead)
	kept, fresh := keptEntries(r.Known), freshFailures(r.Verdicts)
	if len(kept)+len(fresh) == 0 {
		b.WriteString("known_failures: []\n")
		return b.Bytes(), nil
	}
	b.WriteString("known_failures:\n")
	for _, e := range kept {
		if err := writeEntry(&b, e); err != nil {
			return nil, err
		}
	}
	for _, v := range fresh {
		fmt.Fprintf(&b, "  # %s\n", strings.Join(strings.Fields(fmt.Sprintf("%q", v.Because)), " "))
		if err := writeEntry(&b, knownEntry{Scenario: v.Scenario, Check: v.Check}); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func writeEntry(b *bytes.Buffer, e knownEntry) error {
	text, err := yaml.Marshal([]knownEntry{e})
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		b.WriteString("  " + line)
	}
	return nil
}

// keptEntries are the entries that a list should go on holding.
func keptEntries(known []judge.Known) []knownEntry {
	var out []knownEntry
	for _, k := range known {
		switch k.State {
		case judge.KnownUsed, judge.KnownNotSelected, judge.KnownUndecided:
			out = append(out, knownEntry{k.Scenario, k.Check, k.Reason})
		case judge.KnownStale, judge.KnownUnmatched, judge.KnownDuplicate, judge.KnownConflict:
		}
	}
	return out
}

// freshFailures are the broken MUSTs that no entry lists.
func freshFailures(vs []judge.Verdict) []judge.Verdict {
	out := slices.DeleteFunc(slices.Clone(vs), func(v judge.Verdict) bool {
		return v.Outcome != judge.Fail || v.Known != "" || strings.HasPrefix(v.Check, "acceptance.")
	})
	slices.SortStableFunc(out, func(a, b judge.Verdict) int {
		return cmp.Or(cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Check, b.Check))
	})
	return out
}
