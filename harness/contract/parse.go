package contract

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
)

// Bounds of a contract file, which is outside input. The parser's time grows with the square of some inputs (60 000 open
// brackets took 3.5 s) and its stack with their depth. The largest profile with its comments has a tenth of either bound,
// and a thousand long event types still fit.
const (
	maxSize   = 256 << 10
	maxTokens = 10_000
)

// Load reads and checks a contract file. Errors are those of Parse, or say why the file cannot be read.
func Load(path string) (*Contract, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read contract: %w", err)
	}
	defer file.Close()                                       //nolint:errcheck // opened for reading
	text, err := io.ReadAll(io.LimitReader(file, maxSize+1)) // it may be endless
	if err != nil {
		return nil, fmt.Errorf("read contract: %w", err)
	}
	return Parse(filepath.Base(path), text)
}

// Parse reads a contract from YAML and validates it. It refuses unknown and repeated fields, values of another type,
// durations without a unit, anchors, aliases and tags. The error joins all problems, each with name, line, column and
// field; only a syntax error stands alone.
func Parse(name string, text []byte) (*Contract, error) {
	root, err := parseYAML(name, text)
	if err != nil {
		return nil, err
	}
	var c Contract
	d := decoder{file: name, at: map[string]position{"": {1, 1}}}
	d.decode(root, reflect.ValueOf(&c).Elem(), "")
	unread := d.problems
	for _, p := range c.problems() {
		if !anyRelated(unread, p.field) {
			d.add(d.nearest(p.field), p.field, p.what)
		}
	}
	if len(d.problems) > 0 {
		return nil, join(d.problems)
	}
	return &c, nil
}

// anyRelated tells whether a field could not be read, so that judging its value would only repeat that.
func anyRelated(unread []problem, field string) bool {
	for _, p := range unread {
		if related(p.field, field) {
			return true
		}
	}
	return false
}

// parseYAML returns the body of the only document in text.
func parseYAML(name string, text []byte) (root ast.Node, err error) {
	switch {
	case len(text) > maxSize:
		return nil, problem{file: name, what: fmt.Sprintf("is %d bytes long; a contract has at most %d", len(text), maxSize)}
	case !utf8.Valid(text):
		return nil, problem{file: name, what: "is not UTF-8 text"}
	}
	// The parser is not ours and its input comes from outside; a panic in it is one more way to say that this is no YAML.
	defer func() {
		if r := recover(); r != nil {
			root, err = nil, problem{file: name, what: "cannot be read as YAML"}
		}
	}()
	tokens := lexer.Tokenize(string(text))
	if len(tokens) > maxTokens {
		return nil, problem{file: name, what: fmt.Sprintf("holds %d words and signs; a contract has at most %d", len(tokens), maxTokens)}
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxProblem(name, err)
	}
	var docs []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil && d.Body.Type() != ast.CommentType {
			docs = append(docs, d.Body)
		}
	}
	if len(docs) != 1 {
		return nil, problem{file: name, what: fmt.Sprintf("holds %d documents; a contract is one", len(docs))}
	}
	return docs[0], nil
}

func syntaxProblem(name string, err error) error {
	p := problem{file: name, what: "is no YAML: " + err.Error()}
	if y, ok := errors.AsType[yaml.Error](err); ok {
		p.what = "is no YAML: " + y.GetMessage()
		if tk := y.GetToken(); tk != nil && tk.Position != nil {
			p.line, p.col = tk.Position.Line, tk.Position.Column
		}
	}
	return p
}
