package signature

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Structured fields (RFC 9651), as much of them as signatures and digests use: dictionaries of byte sequences and of lists of texts.

// member is one entry of a dictionary: bytes, or a list of items, each with parameters.
type member struct {
	key    string
	bytes  []byte // of a byte sequence
	list   []item
	isList bool
	params []param
}

// item is a text of a list, with its parameters.
type item struct {
	text   string
	params []param
}

// param is a parameter: text, number or flag, and its canonical form.
type param struct {
	key  string
	text string // of a string or token
	num  int64  // of an integer
	kind byte   // s, t, i, b (a byte sequence), ? (a flag)
}

// fieldReader reads a structured field. After an error it is of no use.
type fieldReader struct{ rest string }

var errStructured = errors.New("is no structured field")

// parseDictionary reads a dictionary of so many entries at most. A key that comes twice is refused, though RFC 9651 lets the last one
// win: readers that differ on which counts would verify different signatures.
func parseDictionary(text string, most int) ([]member, error) {
	r := fieldReader{strings.Trim(text, " ")}
	var all []member
	for r.rest != "" {
		m, err := r.member()
		if err != nil {
			return nil, err
		}
		for _, old := range all {
			if old.key == m.key {
				return nil, fmt.Errorf("has %s twice", m.key)
			}
		}
		if all = append(all, m); len(all) > most {
			return nil, fmt.Errorf("has more than %d entries", most)
		}
		if r.skip(); r.rest == "" {
			break
		}
		if !r.take(",") {
			return nil, errStructured
		}
		if r.skip(); r.rest == "" {
			return nil, errStructured
		}
	}
	return all, nil
}

func (r *fieldReader) skip() { r.rest = strings.TrimLeft(r.rest, " \t") }

func (r *fieldReader) take(text string) bool {
	rest, ok := strings.CutPrefix(r.rest, text)
	r.rest = rest
	return ok
}

func (r *fieldReader) member() (m member, err error) {
	if m.key, err = r.key(); err != nil {
		return m, err
	}
	if !r.take("=") {
		return m, fmt.Errorf("has no value for %s", m.key)
	}
	switch {
	case r.take("("):
		m.isList = true
		m.list, err = r.list()
	case strings.HasPrefix(r.rest, ":"):
		m.bytes, err = r.byteSequence()
	default:
		err = fmt.Errorf("has a value for %s that is neither a list nor bytes between colons", m.key)
	}
	if err != nil {
		return m, err
	}
	m.params, err = r.params()
	return m, err
}

func (r *fieldReader) key() (string, error) {
	n := 0
	for n < len(r.rest) {
		c := r.rest[n]
		first := c >= 'a' && c <= 'z' || c == '*'
		if !first && (n == 0 || (c < '0' || c > '9') && c != '_' && c != '-' && c != '.') {
			break
		}
		n++
	}
	if n == 0 {
		return "", errStructured
	}
	key := r.rest[:n]
	r.rest = r.rest[n:]
	return key, nil
}

// list reads the items of a list whose bracket is open.
func (r *fieldReader) list() ([]item, error) {
	var items []item
	for {
		r.rest = strings.TrimLeft(r.rest, " ")
		if r.take(")") {
			return items, nil
		}
		text, err := r.str()
		if err != nil {
			return nil, err
		}
		params, err := r.params()
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(r.rest, " ") && !strings.HasPrefix(r.rest, ")") {
			return nil, errStructured
		}
		if items = append(items, item{text, params}); len(items) > maxParts {
			return nil, fmt.Errorf("covers more than %d components", maxParts)
		}
	}
}

// str reads a quoted text.
func (r *fieldReader) str() (string, error) {
	if !r.take(`"`) {
		return "", errStructured
	}
	var b strings.Builder
	for i := 0; i < len(r.rest); i++ {
		switch c := r.rest[i]; {
		case c == '"':
			r.rest = r.rest[i+1:]
			return b.String(), nil
		case c == '\\':
			i++
			if i == len(r.rest) || r.rest[i] != '"' && r.rest[i] != '\\' {
				return "", errStructured
			}
			b.WriteByte(r.rest[i])
		case c < ' ' || c > '~':
			return "", errStructured
		default:
			b.WriteByte(c)
		}
	}
	return "", errStructured
}

func (r *fieldReader) byteSequence() ([]byte, error) {
	text, rest, ok := strings.Cut(strings.TrimPrefix(r.rest, ":"), ":")
	if !ok {
		return nil, errStructured
	}
	r.rest = rest
	return strictBase64(base64.StdEncoding, text)
}

func (r *fieldReader) params() ([]param, error) {
	var all []param
	for r.take(";") {
		r.rest = strings.TrimLeft(r.rest, " ")
		key, err := r.key()
		if err != nil {
			return nil, err
		}
		p := param{key: key, kind: '?'}
		if r.take("=") {
			if p, err = r.value(key); err != nil {
				return nil, err
			}
		}
		for _, old := range all {
			if old.key == key {
				return nil, fmt.Errorf("has the parameter %s twice", key)
			}
		}
		if all = append(all, p); len(all) > maxParts {
			return nil, errStructured
		}
	}
	return all, nil
}

// value reads a text, a token or an integer.
func (r *fieldReader) value(key string) (p param, err error) {
	p.key = key
	if strings.HasPrefix(r.rest, `"`) {
		p.kind = 's'
		p.text, err = r.str()
		return p, err
	}
	n := strings.IndexAny(r.rest+";", ";, )(\"")
	text := r.rest[:n]
	r.rest = r.rest[n:]
	const mostDigits = 15 // of an integer, by RFC 9651
	digits := strings.TrimPrefix(text, "-")
	switch {
	case isDigits(digits) && len(digits) <= mostDigits:
		p.kind = 'i'
		p.num, err = strconv.ParseInt(text, 10, 64)
		if strconv.FormatInt(p.num, 10) != text {
			err = errStructured // a leading zero: two texts would stand for one number
		}
	case text != "" && (text[0] >= 'a' && text[0] <= 'z' || text[0] >= 'A' && text[0] <= 'Z') && strings.IndexFunc(text, notToken) < 0:
		p.kind, p.text = 't', text
	default:
		err = errStructured
	}
	return p, err
}

func notToken(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("!#$%&'*+-.^_`|~:/", c)
}

// String is the canonical form of a parameter, with its semicolon.
func (p param) String() string {
	switch p.kind {
	case 's':
		return ";" + p.key + "=" + quotedText(p.text)
	case 't':
		return ";" + p.key + "=" + p.text
	case 'i':
		return ";" + p.key + "=" + strconv.FormatInt(p.num, 10)
	}
	return ";" + p.key
}

func quotedText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// String is the canonical form of an item.
func (i item) String() string { return quotedText(i.text) + joined(i.params) }

func joined(params []param) string {
	var b strings.Builder
	for _, p := range params {
		b.WriteString(p.String())
	}
	return b.String()
}

// String is the canonical form of a list with its parameters.
func (m member) String() string {
	items := make([]string, len(m.list))
	for i, it := range m.list {
		items[i] = it.String()
	}
	return "(" + strings.Join(items, " ") + ")" + joined(m.params)
}

// param returns a parameter of the list.
func (m member) param(key string) (param, bool) {
	for _, p := range m.params {
		if p.key == key {
			return p, true
		}
	}
	return param{}, false
}
