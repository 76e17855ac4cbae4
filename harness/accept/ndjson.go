package accept

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ndjsonRows picks a few values out of each line. A decoder that makes a value of everything takes several times as long, and a
// log has a million lines.
type ndjsonRows struct {
	r     *bufio.Reader
	long  []byte // a line that the reader's buffer does not hold
	n     int
	names branch
	seen  [8]bool // columns that some row had
}

// branch is the names that are wanted in an object.
type branch map[string]*wanted

// wanted is what is wanted of a value: itself, as the column of that place in Columns, or what is in it.
type wanted struct {
	column int // -1: none
	in     branch
}

func (b branch) add(path string, column int) {
	name, rest, deeper := strings.Cut(path, ".")
	if b[name] == nil {
		b[name] = &wanted{column: -1}
	}
	if !deeper {
		b[name].column = column
		return
	}
	if b[name].in == nil {
		b[name].in = branch{}
	}
	b[name].in.add(rest, column)
}

func openNDJSON(r *bufio.Reader, m Map) *ndjsonRows {
	out := &ndjsonRows{r: r, names: branch{}}
	for i, column := range Columns() {
		out.names.add(m[column], i)
	}
	return out
}

func (n *ndjsonRows) line() int { return n.n }

func (n *ndjsonRows) has(c Column) bool {
	for i, column := range Columns() {
		if column == c {
			return n.seen[i]
		}
	}
	return false
}

func (n *ndjsonRows) next(r *row) error {
	for {
		line, err := n.readLine()
		if err != nil {
			return err
		}
		n.n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		*r = row{}
		s := scan{text: line, rows: n, row: r}
		if err := s.object(n.names); err != nil {
			return err
		}
		if len(bytes.TrimSpace(s.text)) > 0 {
			return errors.New("something follows the object; write one JSON object in each line")
		}
		return nil
	}
}

func (n *ndjsonRows) readLine() ([]byte, error) {
	line, err := n.r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		if errors.Is(err, io.EOF) && len(line) > 0 {
			err = nil
		}
		return line, err
	}
	n.long = append(n.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(n.long) > maxLine {
			return nil, errLongLine
		}
		line, err = n.r.ReadSlice('\n')
		n.long = append(n.long, line...)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n.long, err
}

// scan reads one object. text is what is left of the line.
type scan struct {
	text []byte
	rows *ndjsonRows
	row  *row
}

var errNoObject = errors.New("is no JSON object; write one in each line")

func (s *scan) object(names branch) error {
	if !s.take('{') {
		return errNoObject
	}
	if s.take('}') {
		return nil
	}
	for {
		key, err := s.str()
		if err != nil {
			return err
		}
		if !s.take(':') {
			return errNoObject
		}
		if err := s.value(names[string(key)]); err != nil {
			return err
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return errNoObject
		}
	}
}

// value reads a value of which w is wanted; nil: nothing.
func (s *scan) value(w *wanted) error {
	s.space()
	if len(s.text) == 0 {
		return errNoObject
	}
	if w != nil && w.in != nil && s.text[0] == '{' {
		return s.object(w.in) // as deep as the longest path at most
	}
	text, err := s.plain(w != nil && w.column >= 0)
	if err != nil || w == nil || w.column < 0 {
		return err
	}
	s.rows.seen[w.column] = true
	s.row.set(w.column, text)
	return nil
}

// plain reads any value, and returns it if it is asked for: text without its quotes; null, and what has parts, as nothing.
func (s *scan) plain(asked bool) (string, error) {
	switch c := s.text[0]; c {
	case '"':
		b, err := s.str()
		if !asked {
			return "", err
		}
		return string(b), err
	case '{', '[':
		return "", s.skip()
	}
	end := 0
	for end < len(s.text) && !endsValue(s.text[end]) {
		end++
	}
	raw := s.text[:end]
	if !whole(raw) && !json.Valid(raw) {
		return "", fmt.Errorf("%s is no JSON value", short(string(raw)))
	}
	s.text = s.text[end:]
	if !asked || string(raw) == "null" {
		return "", nil
	}
	return string(raw), nil
}

func endsValue(c byte) bool {
	return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == '\r' || c == '\n'
}

// str reads a string with its quotes.
func (s *scan) str() ([]byte, error) {
	s.space()
	if len(s.text) == 0 || s.text[0] != '"' {
		return nil, errNoObject
	}
	escaped := false
	for i := 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return nil, errNoObject
		case c == '"':
			raw := s.text[:i+1]
			s.text = s.text[i+1:]
			if !escaped {
				return raw[1:i], nil
			}
			var out string
			if err := json.Unmarshal(raw, &out); err != nil {
				return nil, errNoObject
			}
			return []byte(out), nil
		}
	}
	return nil, errNoObject
}

// skip passes over an array or an object that nobody wants.
func (s *scan) skip() error {
	depth, quoted := 0, false
	for i := 0; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth > 0 {
				continue
			}
			if !json.Valid(s.text[:i+1]) {
				return errNoObject
			}
			s.text = s.text[i+1:]
			return nil
		}
	}
	return errNoObject
}

// whole tells whether text is a whole number that JSON allows, which most values of a log are.
func whole(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) == 1 || len(text) > 1 && text[0] != '0'
}

func (s *scan) space() {
	for len(s.text) > 0 && (s.text[0] == ' ' || s.text[0] == '\t' || s.text[0] == '\r' || s.text[0] == '\n') {
		s.text = s.text[1:]
	}
}

// take passes over a character if it comes next.
func (s *scan) take(c byte) bool {
	s.space()
	if len(s.text) == 0 || s.text[0] != c {
		return false
	}
	s.text = s.text[1:]
	return true
}
