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
	"github.com/goccy/go-yaml/lexer"

	"github.com/hookassay/hookassay/harness/drive"
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
	AcceptanceEvents int `yaml:"acceptance_events,omitempty"`
	// KnownFailures is the path of a file of failures that are put up with.
	KnownFailures string `yaml:"known_failures,omitempty"`
	Out           string `yaml:"out,omitempty"`
	// Handshake is what the sender asks of an endpoint before it delivers.
	Handshake *handshakeFile `yaml:"handshake,omitempty"`

	folder string // of the file
}

type handshakeFile struct {
	// Name is one of hookassay list handshakes.
	Name string `yaml:"name"`
	// SecretFile is the path of a file with the token that it shows. One that is signed goes by the endpoint's own secret.
	SecretFile string `yaml:"secret_file,omitempty"`
	// Only is the one origin or topic that is agreed to; empty is any.
	Only string `yaml:"only,omitempty"`
}

// settings reads the secret.
func (h *handshakeFile) settings() (*drive.Handshake, error) {
	if h == nil {
		return nil, nil // none is no failure
	}
	set := &drive.Handshake{Name: h.Name, Only: h.Only}
	if h.SecretFile != "" {
		secret, err := secretFrom("handshake.secret_file", h.SecretFile)
		if err != nil {
			return nil, err
		}
		set.Secrets = []string{secret}
	}
	if _, err := set.Check(); err != nil {
		return nil, err
	}
	return set, nil
}

type senderFile struct {
	// Adapter is the path of the adapter file of a sender with an HTTP API.
	Adapter string `yaml:"adapter,omitempty"`
	// Shim is a program with its arguments that speaks the shim protocol, instead of an adapter. It runs in the run file's folder.
	Shim []string `yaml:"shim,omitempty"`
	// Trigger is a program with its arguments that sets off one event, for a sender in which one endpoint is configured by hand. It
	// runs in the run file's folder.
	Trigger []string `yaml:"trigger,omitempty"`
	// Observe, instead of all these, drives nothing: what arrives at an endpoint that is configured by hand is judged after so long,
	// such as 10m, or at Ctrl-C.
	Observe string `yaml:"observe,omitempty"`
	// Listen is the address of that endpoint, host:port, which is the same in each run; its path is /hook.
	Listen string `yaml:"listen,omitempty"`
	// URL is what a person configures where it is not http:// with Listen and /hook: behind a tunnel, say. Its path is /hook as well.
	URL string `yaml:"url,omitempty"`
	// SecretEnv names the environment variable with the key that is configured by hand.
	SecretEnv string `yaml:"secret_env,omitempty"`
	// Vars are values for the adapter's variables.
	Vars map[string]string `yaml:"vars,omitempty"`
}

// oneWay wants exactly one way to drive the sender, and what that needs.
func (s senderFile) oneWay() error {
	ways := 0
	for _, there := range []bool{s.Adapter != "", len(s.Shim) > 0, len(s.Trigger) > 0, s.Observe != ""} {
		if there {
			ways++
		}
	}
	switch {
	case ways == 0:
		return errors.New("sender.adapter is missing; name the adapter file of the sender under test, or a shim, a trigger or observe")
	case ways > 1:
		return errors.New("sender has several of adapter, shim, trigger and observe; one of them drives it")
	case len(s.Trigger) > 0 && s.Listen == "", s.Observe != "" && s.Listen == "":
		return errors.New("sender.listen is missing; give the host:port at which the endpoint that is configured by hand is to listen")
	case len(s.Trigger) == 0 && s.Observe == "" && s.Listen+s.URL+s.SecretEnv != "":
		return errors.New("sender.listen, url and secret_env are for trigger and observe; other ways register endpoints by themselves")
	}
	return nil
}

const (
	// maxRunFile and maxTokens are a hundred times the largest run file that makes sense. The YAML parser's time grows with
	// the square of some inputs, such as open brackets.
	maxRunFile = 64 << 10
	maxTokens  = 5000
	// maxEvents is a hundred acceptance samples; the evidence of so many, a few hundred MB, still fits in memory.
	maxEvents = 100_000
)

func parseRunFile(name string, text []byte) (runFile, error) {
	var f runFile
	if len(text) > maxRunFile {
		return f, fmt.Errorf("%s: is over %d bytes long; is it a run file?", name, maxRunFile)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // as editors of some systems begin each file
	if n := len(lexer.Tokenize(string(text))); n > maxTokens {
		return f, fmt.Errorf("%s: holds %d words and signs, and a run file at most %d; is it one?", name, n, maxTokens)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := dec.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return f, fmt.Errorf("%s: %s", name, yamlProblem(err, f))
	}
	if err := dec.Decode(new(any)); !errors.Is(err, io.EOF) {
		return f, fmt.Errorf("%s: holds more than one document; a run file is one", name)
	}
	switch {
	case f.Schema != runSchema:
		return f, fmt.Errorf("%s: schema is %q; write schema: %s", name, f.Schema, runSchema)
	case f.Contract == "":
		return f, fmt.Errorf("%s: contract is missing; name a profile (hookassay list profiles) or a contract file", name)
	}
	if err := f.Sender.oneWay(); err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	if err := errors.Join(wholeNumbers(text), f.inBounds()); err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// wholeNumbers refuses numbers with a fraction, which the YAML decoder would cut off.
func wholeNumbers(text []byte) error {
	var n struct {
		Compress, Seed, Parallel any
		AcceptanceEvents         any `yaml:"acceptance_events"`
	}
	if err := yaml.Unmarshal(text, &n); err != nil {
		return err
	}
	for _, v := range []any{n.Compress, n.Seed, n.Parallel, n.AcceptanceEvents} {
		if x, ok := v.(float64); ok {
			return fmt.Errorf("%v is not a whole number; compress, seed, parallel and acceptance_events are", x)
		}
	}
	return nil
}

// inBounds refuses numbers that no run can be made of, from the file or from flags.
func (f runFile) inBounds() error {
	switch {
	case f.Compress < 0 || f.Parallel < 0 || f.AcceptanceEvents < 0:
		return errors.New("compress, parallel and acceptance-events must not be negative")
	case f.AcceptanceEvents > maxEvents:
		return fmt.Errorf("acceptance-events is %d; at most %d are possible", f.AcceptanceEvents, maxEvents)
	}
	return nil
}

func loadRunFile(path string) (runFile, error) {
	text, err := readUpTo(path, maxRunFile+1)
	if err != nil {
		return runFile{}, fmt.Errorf("run file %w", unreadable(err, "name another with -c, or let hookassay init write one"))
	}
	f, err := parseRunFile(path, text)
	if err != nil {
		return f, err
	}
	dir := filepath.Dir(path)
	f.folder = dir
	if f.Sender.Adapter != "" {
		f.Sender.Adapter = beside(dir, f.Sender.Adapter)
	}
	if isPath(f.Contract) {
		f.Contract = beside(dir, f.Contract)
	}
	if f.KnownFailures != "" {
		f.KnownFailures = beside(dir, f.KnownFailures)
	}
	if h := f.Handshake; h != nil && h.SecretFile != "" {
		h.SecretFile = beside(dir, h.SecretFile)
	}
	return f, nil
}

// readUpTo reads the beginning of a file, which may be endless.
func readUpTo(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	return io.ReadAll(io.LimitReader(f, n))
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
