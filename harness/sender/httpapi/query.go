package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/itchyny/gojq"
)

// query is a compiled jq expression.
type query struct {
	text string
	code *gojq.Code
	at   pos
}

// query reads a jq expression. It can read neither files nor the environment.
func (r *reader) query(n ast.Node, what string) *query {
	q := &query{at: posOf(n)}
	var ok bool
	if q.text, ok = r.text(n, what); !ok {
		return q
	}
	parsed, err := gojq.Parse(q.text)
	if err == nil {
		q.code, err = gojq.Compile(parsed, gojq.WithVariables([]string{"$in", "$status"}))
	}
	if err != nil {
		r.errorf(q.at, "%s: jq: %v", what, err)
	}
	return q
}

// String is for messages: the beginning of the expression, on one line.
func (q *query) String() string {
	return strconv.Quote(clip(strings.Join(strings.Fields(q.text), " "), 60))
}

// run evaluates q, which must give exactly one value.
func (q *query) run(ctx context.Context, a answer) (any, error) {
	iter := q.code.RunWithContext(ctx, a.json, a.in, a.status)
	v, ok := iter.Next()
	if !ok {
		return nil, fmt.Errorf("jq %s gave nothing", q)
	}
	if err, bad := v.(error); bad {
		return nil, q.wrap(err)
	}
	if next, more := iter.Next(); more {
		if err, bad := next.(error); bad {
			return nil, q.wrap(err)
		}
		return nil, fmt.Errorf("jq %s gave more than one value", q)
	}
	return v, nil
}

// wrap words an error of jq. Its own text may show parts of the answer, which the caller's redaction covers.
func (q *query) wrap(err error) error { return fmt.Errorf("jq %s: %w", q, err) }

// errMissing says that an extracted value is null or absent.
var errMissing = errors.New("not there")

// scalar evaluates q to a text: numbers keep the token that the answer has.
func (q *query) scalar(ctx context.Context, a answer) (string, error) {
	v, err := q.run(ctx, a)
	if err != nil {
		return "", err
	}
	switch v := v.(type) {
	case nil:
		return "", errMissing
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case int:
		return strconv.Itoa(v), nil
	case *big.Int:
		return v.String(), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", fmt.Errorf("jq %s gave %s, want a string or a number", q, gojq.TypeOf(v))
}
