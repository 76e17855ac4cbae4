package mockreceiver

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/hookassay/hookassay/harness/signature"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// diffedBody bounds a body that is compared line by line: more is not read by anybody.
const diffedBody = 256 << 10

// diffJSON is how two requests differ.
type diffJSON struct {
	Head     []diffLine `json:"head"`
	Body     []diffLine `json:"body"` // JSON one value a line; empty where a body is too large to compare by lines
	SameBody bool       `json:"same_body"`
	BodyCut  bool       `json:"body_cut"` // a body was too large
}

// showDiff compares a request (+) with another one (-), usually an earlier attempt of its event.
func (c control) showDiff(req *http.Request) (int, any, error) {
	q := queryOf(req)
	with := q.number("with", 0, maxSeq)
	if err := q.done(); err != nil {
		return 0, nil, err
	}
	if with == 0 {
		return 0, nil, fmt.Errorf("with: give the number of the request to compare with")
	}
	a, err := c.attempt(req)
	if err != nil {
		return 0, nil, err
	}
	b, err := c.r.attempt(req.Context(), with, 0)
	if err != nil {
		return 0, nil, err
	}
	d := diffJSON{
		Head: diffLines(fieldLines(b), fieldLines(a)), Body: []diffLine{},
		SameBody: a.BodySize == b.BodySize && a.BodySHA256 == b.BodySHA256 && bytes.Equal(a.Body, b.Body),
	}
	if d.BodyCut = max(len(a.Body), len(b.Body)) > diffedBody; !d.BodyCut {
		d.Body = diffLines(linesOf(indented(b.Body)), linesOf(indented(a.Body)))
	}
	return http.StatusOK, d, nil
}

// fieldLines are the lines of a head and of the trailer, if there is one.
func fieldLines(a *journal.Attempt) []string { return append(linesOf(a.Head), linesOf(a.Trailer)...) }

// indentDepth bounds how deep JSON may be nested that is indented: at 32 a body of diffedBody becomes 8 MiB at most.
const indentDepth = 32

// indented is JSON with a value a line, and anything else as it is.
func indented(body []byte) []byte {
	if text, ok := signature.Indented(body, indentDepth); ok {
		return text
	}
	return body
}

// linesOf are the lines of a text. Bytes that are no text are shown as escapes, so that two that differ never look alike.
func linesOf(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, l := range lines {
		l = strings.TrimSuffix(l, "\r")
		if !utf8.ValidString(l) {
			l = escaped(l)
		}
		lines[i] = l
	}
	return lines
}

func escaped(line string) string {
	var b strings.Builder
	for len(line) > 0 {
		r, size := utf8.DecodeRuneInString(line)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, line[0])
		} else {
			b.WriteString(line[:size])
		}
		line = line[size:]
	}
	return b.String()
}
