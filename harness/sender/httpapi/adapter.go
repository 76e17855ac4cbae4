package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/hookassay/hookassay/harness/sender"
)

// Schema names the form of an adapter file. The number changes when an old file would be read wrongly.
const Schema = "hookassay.adapter/1"

const (
	// maxFile is several times the largest adapter that was seen to make sense, and bounds what a wrong file can cost.
	maxFile = 64 << 10
	// maxNesting is for flow brackets, of which the YAML parser needs time with the square of their depth.
	maxNesting = 50
)

// Adapter is a checked adapter file. It holds no state and may be shared.
type Adapter struct {
	Name     string   // of the sender
	Version  string   // of the sender; may be empty
	Requires []string // what must be true of the sender; for people

	file       string
	folder     string // absolute; empty if it was not read from a file
	vars       []variable
	secrets    []string
	launch     *launch
	containers *containers // instead of launch
	baseURL    *template
	probe      *template
	headers    []pair
	auth       *auth
	setup      *op
	teardown   *op
	config     *config // how a sender without an API for endpoints learns of them; nil: by register
	ops        map[opName]*op
	abilities  []sender.Ability // those that no op stands for
	uses       []use
}

// variable is a setting of the adapter.
type variable struct {
	name     string
	value    string
	required bool // it has no default
}

// launch says how the sender's process is started.
type launch struct {
	command      []template
	env          []pair
	dir          *template
	ready        *regexp.Regexp
	readyTimeout time.Duration
	stopGrace    time.Duration
}

// Load reads an adapter from a file. Its command runs in the file's folder.
func Load(path string) (*Adapter, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("adapter: %w", err)
	}
	a, err := Parse(filepath.Base(path), text)
	if err != nil {
		return nil, err
	}
	if a.folder, err = filepath.Abs(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("adapter: %w", err)
	}
	return a, nil
}

// Parse reads an adapter. The error joins all problems, each as name:line:column: what; unknown fields are problems.
func Parse(name string, text []byte) (*Adapter, error) {
	root, err := parseYAML(name, text)
	if err != nil {
		return nil, err
	}
	a := &Adapter{file: name, ops: map[opName]*op{}}
	r := &reader{file: name, adapter: a}
	r.root(root)
	if err := r.err(); err != nil {
		return nil, err
	}
	return a, nil
}

// parseYAML returns the tree of the file's one document.
func parseYAML(name string, text []byte) (ast.Node, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: %d bytes are too many for an adapter; the limit is %d", name, len(text), maxFile)
	}
	if bytes.ContainsRune(text, 0) {
		return nil, fmt.Errorf("%s: it holds NUL bytes; an adapter is a YAML text", name)
	}
	tokens := lexer.Tokenize(string(text))
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			depth++
		case token.MappingEndType, token.SequenceEndType:
			depth--
		}
		if depth > maxNesting {
			return nil, fmt.Errorf("%s:%d:%d: brackets are nested over %d deep", name, t.Position.Line, t.Position.Column, maxNesting)
		}
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, syntaxError(name, err)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, fmt.Errorf("%s:1:1: want one YAML document that begins with schema: %s", name, Schema)
	}
	return file.Docs[0].Body, nil
}

func syntaxError(name string, err error) error {
	var bad yaml.Error
	if errors.As(err, &bad) && bad.GetToken() != nil && bad.GetToken().Position != nil {
		p := bad.GetToken().Position
		return fmt.Errorf("%s:%d:%d: %s", name, p.Line, p.Column, bad.GetMessage())
	}
	return fmt.Errorf("%s: %w", name, err)
}

// root reads the whole file. What other parts refer to is read first, wherever it stands.
func (r *reader) root(n ast.Node) {
	a := r.adapter
	var later []func()
	after := func(read func(ast.Node, pos)) func(ast.Node, pos) {
		return func(n ast.Node, at pos) { later = append(later, func() { read(n, at) }) }
	}
	fixed := scope{where: "this place"}
	ops, abilities := func() {}, func() {}
	r.fields(n, pos{1, 1}, "adapter", []field{
		{"schema", true, r.schema},
		{"name", true, r.textInto(&a.Name, "name")},
		{"version", false, r.textInto(&a.Version, "version")},
		{"requires", false, r.requires},
		{"vars", false, r.vars},
		{"secrets", false, after(r.secretVars)},
		{"launch", false, r.launch},
		{"container", false, r.containersField},
		{"base_url", false, func(n ast.Node, _ pos) { a.baseURL = new(r.textTemplate(n, "base_url", fixed.open())) }},
		{"probe", false, func(n ast.Node, _ pos) { a.probe = new(r.path(n, "probe", fixed.open())) }},
		{"headers", false, func(n ast.Node, _ pos) { a.headers = r.headerPairs(n, "headers", fixed) }},
		{"auth", false, func(n ast.Node, at pos) { a.auth = r.auth(n, at, fixed) }},
		{"setup", false, func(n ast.Node, at pos) { a.setup = r.op(n, at, opSetup) }},
		{"teardown", false, after(func(n ast.Node, at pos) { a.teardown = r.op(n, at, opTeardown) })},
		{"config", false, after(r.config)},
		{"ops", true, func(n ast.Node, at pos) { ops = func() { r.ops(n, at) } }},
		{"abilities", false, func(n ast.Node, at pos) { abilities = func() { r.abilities(n, at) } }},
	})
	for _, read := range later {
		read()
	}
	ops()
	abilities()
	r.checkIDs()
	r.checkBaseURL()
}

func (r *reader) schema(n ast.Node, _ pos) {
	if s, ok := r.text(n, "schema"); ok && s != Schema {
		r.errorf(posOf(n), "schema: want %s, got %q", Schema, s)
	}
}

func (r *reader) requires(n ast.Node, _ pos) {
	for _, item := range r.items(n, "requires") {
		if s, ok := r.text(item, "requires"); ok {
			r.adapter.Requires = append(r.adapter.Requires, s)
		}
	}
}

var varForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func (r *reader) vars(n ast.Node, _ pos) {
	for _, e := range r.entries(n, "vars") {
		switch {
		case !varForm.MatchString(e.key):
			r.errorf(e.at, "vars: %q is no name; it has lower-case letters, digits and _", e.key)
		case e.key == "dir" || e.key == "reason" || e.key == caVariable:
			r.errorf(e.at, "vars: the name %s is taken", e.key)
		}
		v := variable{name: e.key}
		if _, null := e.value.(*ast.NullNode); null {
			v.required = true
		} else {
			v.value, _ = r.text(e.value, "vars: "+e.key)
		}
		r.adapter.vars = append(r.adapter.vars, v)
	}
}

func (r *reader) secretVars(n ast.Node, _ pos) {
	for _, item := range r.items(n, "secrets") {
		s, ok := r.text(item, "secrets")
		if !ok {
			continue
		}
		if !slices.ContainsFunc(r.adapter.vars, func(v variable) bool { return v.name == s }) {
			r.errorf(posOf(item), "secrets: there is no var %q", s)
		}
		r.adapter.secrets = append(r.adapter.secrets, s)
	}
}

func (r *reader) launch(n ast.Node, at pos) {
	l := &launch{}
	r.adapter.launch = l
	sc := scope{where: "launch"}
	r.fields(n, at, "launch", []field{
		{"command", true, func(n ast.Node, at pos) {
			for _, word := range r.items(n, "launch: command") {
				l.command = append(l.command, r.textTemplate(word, "launch: command", sc))
			}
			if len(l.command) == 0 {
				r.errorf(at, "launch: command: want a program and its arguments")
			}
		}},
		{"env", false, func(n ast.Node, _ pos) { l.env = r.pairs(n, "launch: env", sc) }},
		{"dir", false, func(n ast.Node, _ pos) { l.dir = new(r.textTemplate(n, "launch: dir", sc)) }},
		{"ready", true, func(n ast.Node, _ pos) { l.ready = r.regexp(n, "launch: ready") }},
		{"ready_timeout", false, func(n ast.Node, _ pos) { l.readyTimeout = r.duration(n, "launch: ready_timeout") }},
		{"stop_grace", false, func(n ast.Node, _ pos) { l.stopGrace = r.duration(n, "launch: stop_grace") }},
	})
}

func (r *reader) regexp(n ast.Node, what string) *regexp.Regexp {
	s, ok := r.text(n, what)
	if !ok {
		return nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		r.errorf(posOf(n), "%s: %v", what, err)
	}
	return re
}

// checkBaseURL sees to it that there is exactly one source of the base URL.
func (r *reader) checkBaseURL() {
	a := r.adapter
	captured := a.launch != nil && a.launch.ready != nil && a.launch.ready.NumSubexp() > 0
	switch {
	case a.containers != nil:
		if a.launch != nil || a.baseURL != nil {
			r.errorf(a.containers.sender.at, "container: it stands instead of launch and base_url; leave those out")
		}
		if a.config != nil {
			r.errorf(a.containers.sender.at, "container: what it runs cannot read the file of config, which is on this machine; "+
				"leave config out, and give it an op register that hands endpoints over")
		}
	case a.baseURL != nil && captured:
		r.errorf(a.baseURL.at, "base_url: the group in launch: ready gives it already")
	case a.baseURL == nil && a.launch == nil:
		r.errorf(pos{1, 1}, "adapter: base_url or launch is missing; a sender in containers has container instead")
	case a.baseURL == nil && !captured:
		r.errorf(pos{1, 1}, "adapter: base_url is missing, and launch: ready has no group to take it from")
	}
}
