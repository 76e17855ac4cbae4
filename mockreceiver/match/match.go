// Package match tells requests apart by jq expressions, for plans by match. An expression is as trusted as the plan beside
// it; the requests are not, so what it reads and how long it runs is bounded.
package match

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

const (
	// maxExpr bounds the text of an expression: twenty times what a person writes.
	maxExpr = 4 << 10
	// maxSteps bounds the instructions of one evaluation. A test of a field takes about ten, a search through an event of a
	// thousand values some twenty thousand; a million take a tenth of a second.
	maxSteps = 1_000_000
	// maxTime bounds one evaluation where single instructions are slow, such as a search in a large text.
	maxTime = 2 * time.Second
)

// Matcher is a compiled expression. It is safe for concurrent use.
type Matcher struct {
	text  string
	query *gojq.Query
	free  sync.Pool // of *evaluation: one for each request that is looked at
}

// Compile reads an expression, which is to give true or false for each request. It can read neither files nor the
// environment nor the clock, changes nothing, and has no loops and functions of its own: only those that weights and free list.
func Compile(expr string) (*Matcher, error) {
	if len(expr) > maxExpr {
		return nil, fmt.Errorf("match of %d bytes: at most %d are allowed", len(expr), maxExpr)
	}
	m := &Matcher{text: expr}
	parsed, err := parseExpr(expr)
	if err == nil {
		err = restrict(parsed, expr)
	}
	var e *evaluation
	if err == nil {
		e, err = newEvaluation(parsed)
	}
	if err != nil {
		return nil, fmt.Errorf("match %s: %w", m, err)
	}
	m.query = parsed
	m.free.Put(e)
	return m, nil
}

// String is for messages: the beginning of the expression, on one line and in quotes.
func (m *Matcher) String() string {
	const most = 80
	text := strings.Join(strings.Fields(m.text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}

// errSteps says that an evaluation was ended.
var errSteps = errors.New("took too long")

// Matches tells whether a request is one of those meant. An error means that it is not: the expression failed, gave something
// else than true or false, or took too long. Its text shows no part of the request, which may hold secrets.
func (m *Matcher) Matches(ctx context.Context, in *Input) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	e, ok := m.free.Get().(*evaluation)
	if !ok {
		var err error
		if e, err = newEvaluation(m.query); err != nil {
			return false, m.failed(err)
		}
	}
	defer m.free.Put(e)
	e.left = maxWeight
	iter := e.code.RunWithContext(&steps{Context: ctx, left: maxSteps}, in.value())
	v, ok := iter.Next()
	if !ok {
		return false, fmt.Errorf("match %s gave nothing, want true or false", m)
	}
	if _, failed := v.(error); !failed {
		if next, more := iter.Next(); more {
			if err, failed := next.(error); failed {
				return false, m.failed(err)
			}
			return false, fmt.Errorf("match %s gave more than one value, want true or false", m)
		}
	}
	switch v := v.(type) {
	case bool:
		return v, nil
	case error:
		return false, m.failed(v)
	default:
		return false, fmt.Errorf("match %s gave %s, want true or false", m, gojq.TypeOf(v))
	}
}

// failed words an error of the evaluation. It shows values, in brackets or as its own.
func (m *Matcher) failed(err error) error {
	if _, own := errors.AsType[gojq.ValueError](err); own {
		return fmt.Errorf("match %s ended with an error of its own", m)
	}
	what, _, _ := strings.Cut(err.Error(), "(")
	return fmt.Errorf("match %s: %s", m, strings.TrimSpace(what))
}

// steps is a context that ends after so many looks at it. The evaluator looks at each instruction, so that the end does not
// depend on how busy the machine is.
type steps struct {
	context.Context //nolint:containedctx // it is one
	left            int
}

// Done implements context.Context.
func (s *steps) Done() <-chan struct{} {
	if s.left--; s.left >= 0 {
		return s.Context.Done()
	}
	over := make(chan struct{})
	close(over)
	return over
}

// Err implements context.Context.
func (s *steps) Err() error {
	if s.left < 0 || s.Context.Err() != nil {
		return errSteps
	}
	return nil
}

// parseExpr says where a text is wrong: the library knows, and does not tell in its message.
func parseExpr(expr string) (*gojq.Query, error) {
	q, err := gojq.Parse(expr)
	p, ok := errors.AsType[*gojq.ParseError](err)
	switch {
	case !ok:
		return q, err
	case p.Token == "":
		return nil, errors.New("ends too early")
	}
	before := expr[:max(0, min(p.Offset, len(expr))-len(p.Token))]
	return nil, fmt.Errorf("position %d: unexpected %q", utf8.RuneCountInString(before)+1, p.Token)
}
