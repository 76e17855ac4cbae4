package fault

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	yamlparser "github.com/goccy/go-yaml/parser"
	yamltoken "github.com/goccy/go-yaml/token"
)

const (
	// maxTokens and maxDepth bound a plan in YAML beyond its size: the parser's time grows with the square of some inputs
	// (60 000 open brackets took 3.5 s) and its stack with their depth. The form itself needs four levels.
	maxTokens = 10_000
	maxDepth  = 16
)

// ParseYAML reads the YAML form of a plan. It has the same kinds with the same parameters as the text form. Without then the
// last step repeats.
//
//	steps:
//	  - 502*3
//	  - timeout
//	  - 429: {retry-after: 2}
//	    times: 2
//	  - 503:
//	    for: 30s
//	  - large: 1000000
//	  - drip: {value: 1, every: 100ms, header: ["X-A: 1", "X-B: 2"]}
//	then: 200
//	ttl: 10m
//
// A step is a text form, or one kind with its arguments; value is the argument that has no name. It refuses unknown and
// repeated fields, anchors, aliases, tags and a second document. An error is one sentence and names line and column.
func ParseYAML(text []byte) (Plan, error) {
	root, err := parseYAML(text)
	if err != nil {
		return Plan{}, fmt.Errorf("plan: %w", err)
	}
	p, err := planOf(root)
	if err != nil {
		return Plan{}, fmt.Errorf("plan: %w", err)
	}
	return p, nil
}

// parseYAML returns the body of the only document in text.
func parseYAML(text []byte) (root ast.Node, err error) {
	switch {
	case len(text) > maxText:
		return nil, fmt.Errorf("is %d bytes long; at most %d are allowed", len(text), maxText)
	case !utf8.Valid(text):
		return nil, errors.New("is not valid UTF-8")
	}
	// The parser is not ours and its input comes from outside; a panic in it is one more way to say that this is no YAML.
	defer func() {
		if recover() != nil {
			root, err = nil, errors.New("cannot be read as YAML")
		}
	}()
	tokens := lexer.Tokenize(string(text))
	if len(tokens) > maxTokens {
		return nil, fmt.Errorf("holds %d words and signs; at most %d are allowed", len(tokens), maxTokens)
	}
	if depthOf(tokens) > maxDepth {
		return nil, fmt.Errorf("is nested more than %d deep", maxDepth)
	}
	file, err := yamlparser.Parse(tokens, 0, yamlparser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxError(err)
	}
	var docs []ast.Node
	for _, d := range file.Docs {
		if d.Body != nil && d.Body.Type() != ast.CommentType {
			docs = append(docs, d.Body)
		}
	}
	if len(docs) != 1 {
		return nil, fmt.Errorf("holds %d documents; want one", len(docs))
	}
	return docs[0], nil
}

// depthOf bounds the nesting: by open brackets, and by dashes and question marks in one line, which nest as well.
func depthOf(tokens yamltoken.Tokens) (deepest int) {
	var brackets, marks, line int
	for _, t := range tokens {
		if t.Position != nil && t.Position.Line != line {
			line, marks = t.Position.Line, 0
		}
		switch t.Type {
		case yamltoken.SequenceStartType, yamltoken.MappingStartType:
			brackets++
		case yamltoken.SequenceEndType, yamltoken.MappingEndType:
			brackets--
		case yamltoken.SequenceEntryType, yamltoken.MappingKeyType:
			marks++
		}
		deepest = max(deepest, brackets, marks)
	}
	return deepest
}

func syntaxError(err error) error {
	y, ok := errors.AsType[yaml.Error](err)
	if !ok {
		return fmt.Errorf("is no YAML: %w", err)
	}
	what := "is no YAML: " + y.GetMessage()
	if t := y.GetToken(); t != nil && t.Position != nil {
		what = fmt.Sprintf("line %d, column %d: %s", t.Position.Line, t.Position.Column, what)
	}
	return errors.New(what)
}
