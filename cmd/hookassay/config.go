package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
)

// runSchema names the form of a run's file.
const runSchema = "hookassay.run/1"

// runFile is the file of `hookassay run -c`. Paths in it are relative to its folder. Flags override it.
type runFile struct {
	Schema string `yaml:"schema"`
	// Contract is the name of a profile, or the path of a contract file.
	Contract string `yaml:"contract"`
	// Compress divides the contract's times, so that hours of schedule take seconds; 0 or 1 leaves them.
	Compress int        `yaml:"compress,omitempty"`
	Sender   senderFile `yaml:"sender"`
	// Select lists globs of scenarios; empty is all.
	Select []string `yaml:"select,omitempty"`
	// Labels is a filter over scenario families, checks, check families and levels.
	Labels string `yaml:"labels,omitempty"`
	// Seed of every random choice; 0 draws one, which is printed.
	Seed uint64 `yaml:"seed,omitempty"`
	// Parallel bounds how many scenarios are played at once; 0 is all.
	Parallel int `yaml:"parallel,omitempty"`
	// AcceptanceEvents is how many events the acceptance scenario emits; 0 is the contract's sample.
	AcceptanceEvents int    `yaml:"acceptance_events,omitempty"`
	Out              string `yaml:"out,omitempty"`
}

type senderFile struct {
	// Adapter is the path of the adapter file.
	Adapter string `yaml:"adapter"`
	// Vars are values for the adapter's variables.
	Vars map[string]string `yaml:"vars,omitempty"`
}

func parseRunFile(name string, text []byte) (runFile, error) {
	var f runFile
	dec := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := dec.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return f, fmt.Errorf("%s: %s", name, yamlProblem(err))
	}
	switch {
	case f.Schema != runSchema:
		return f, fmt.Errorf("%s: schema is %q; write schema: %s", name, f.Schema, runSchema)
	case f.Contract == "":
		return f, fmt.Errorf("%s: contract is missing; name a profile (hookassay list profiles) or a contract file", name)
	case f.Sender.Adapter == "":
		return f, fmt.Errorf("%s: sender.adapter is missing; name the adapter file of the sender under test", name)
	case f.Compress < 0 || f.Parallel < 0 || f.AcceptanceEvents < 0:
		return f, fmt.Errorf("%s: compress, parallel and acceptance_events must not be negative", name)
	}
	return f, nil
}

// yamlProblem puts the parser's finding on one line: position, then what is wrong.
func yamlProblem(err error) string {
	var ye yaml.Error
	if !errors.As(err, &ye) {
		return err.Error()
	}
	pos := ye.GetToken().Position
	return fmt.Sprintf("line %d, column %d: %s", pos.Line, pos.Column, strings.ReplaceAll(ye.GetMessage(), "\n", " "))
}

func loadRunFile(path string) (runFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return runFile{}, fmt.Errorf("read the run file: %w; name one with -c", err)
	}
	f, err := parseRunFile(path, text)
	if err != nil {
		return f, err
	}
	dir := filepath.Dir(path)
	f.Sender.Adapter = beside(dir, f.Sender.Adapter)
	if isPath(f.Contract) {
		f.Contract = beside(dir, f.Contract)
	}
	return f, nil
}

// isPath tells a contract file from the name of a profile.
func isPath(contract string) bool {
	return strings.ContainsRune(contract, filepath.Separator) || strings.HasSuffix(contract, ".yaml") || strings.HasSuffix(contract, ".yml")
}

func beside(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// withVars returns the file's variables overridden by name=value pairs from the command line.
func (f runFile) withVars(pairs []string) (map[string]string, error) {
	vars := maps.Clone(f.Sender.Vars)
	if vars == nil {
		vars = map[string]string{}
	}
	for _, p := range pairs {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--var %q: write name=value", p)
		}
		vars[name] = value
	}
	return vars, nil
}
