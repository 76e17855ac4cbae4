package mockreceiver

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// pointers finds the values at JSON pointers (RFC 6901) in one pass over a body, without a tree of it: bodies are large and
// hostile, and a request asks for a handful of values. It is immutable and safe for concurrent use.
type pointers struct {
	root          pointerNode
	count, places int
	asked         int // those that are not empty
}

// pointerNode is a place in a document on the way to a value that is asked for.
type pointerNode struct {
	place int   // its number
	want  []int // which pointers end here
	next  map[string]*pointerNode
}

// newPointers takes pointers; an empty one is not looked for.
func newPointers(list ...string) *pointers {
	p := &pointers{count: len(list)}
	for i, text := range list {
		if text == "" {
			continue
		}
		n := &p.root
		for _, name := range strings.Split(text, "/")[1:] {
			name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
			if n.next[name] == nil {
				if n.next == nil {
					n.next = map[string]*pointerNode{}
				}
				n.next[name] = &pointerNode{place: p.places}
				p.places++
			}
			n = n.next[name]
		}
		n.want = append(n.want, i)
		p.asked++
	}
	return p
}

// find returns the text or number at each pointer, "" where there is none, and stops when it has all of them. Of equal names
// in one object the first counts. A body that is no JSON gives what stands before the mistake.
func (p *pointers) find(body []byte) []string {
	f := finder{rest: body, found: make([]string, p.count), seen: make([]bool, p.places), left: p.asked}
	f.value(&p.root)
	return f.found
}

// finder walks over a document. Its methods return false where the document ends too soon or is no JSON, or all is found.
type finder struct {
	rest  []byte
	found []string
	seen  []bool // by place
	left  int    // pointers without a value
}

// space moves to the next byte that means something and returns it, 0 at the end.
func (f *finder) space() byte {
	for i, c := range f.rest {
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			f.rest = f.rest[i:]
			return c
		}
	}
	f.rest = nil
	return 0
}

func (f *finder) take(c byte) bool {
	if f.space() != c || c == 0 {
		return false
	}
	f.rest = f.rest[1:]
	return true
}

// value reads the value that comes next, which n asks about.
func (f *finder) value(n *pointerNode) bool {
	if n == nil {
		return f.skip()
	}
	switch f.space() {
	case '{':
		return f.object(n)
	case '[':
		return f.array(n)
	case '"':
		s, ok := f.text()
		f.note(n, s)
		return ok
	}
	s, ok := f.literal()
	if s != "true" && s != "false" && s != "null" {
		f.note(n, s)
	}
	return ok
}

func (f *finder) note(n *pointerNode, s string) {
	for _, i := range n.want {
		f.found[i] = s
		f.left--
	}
}

func (f *finder) object(n *pointerNode) bool {
	f.rest = f.rest[1:]
	if f.take('}') {
		return true
	}
	for {
		if f.space() != '"' {
			return false
		}
		raw, plain, ok := f.quoted()
		if !ok || !f.take(':') {
			return false
		}
		next := n.next[string(raw)] // the compiler makes no copy for a look-up
		if !plain {
			name, ok := unquote(raw)
			if !ok {
				return false
			}
			next = n.next[name]
		}
		if !f.value(f.first(next)) || f.left == 0 {
			return false
		}
		if f.take('}') {
			return true
		}
		if !f.take(',') {
			return false
		}
	}
}

// first is n where its place comes for the first time, else nil.
func (f *finder) first(n *pointerNode) *pointerNode {
	if n == nil || f.seen[n.place] {
		return nil
	}
	f.seen[n.place] = true
	return n
}

func (f *finder) array(n *pointerNode) bool {
	f.rest = f.rest[1:]
	if f.take(']') {
		return true
	}
	for i := 0; ; i++ {
		var next *pointerNode
		if len(n.next) > 0 {
			next = n.next[strconv.Itoa(i)]
		}
		if !f.value(next) || f.left == 0 {
			return false
		}
		if f.take(']') {
			return true
		}
		if !f.take(',') {
			return false
		}
	}
}

// quoted takes the string that comes next, without its quotes. plain tells whether its bytes are its text.
func (f *finder) quoted() (raw []byte, plain, ok bool) {
	plain = true
	for i := 1; i < len(f.rest); i++ {
		switch c := f.rest[i]; {
		case c == '"':
			raw, f.rest = f.rest[1:i], f.rest[i+1:]
			return raw, plain, true
		case c == '\\':
			plain = false
			i++
		case c < ' ':
			return nil, false, false
		case c >= 0x80:
			plain = false // it may be no UTF-8
		}
	}
	return nil, false, false
}

func (f *finder) text() (string, bool) {
	raw, plain, ok := f.quoted()
	if !ok || plain {
		return string(raw), ok
	}
	return unquote(raw)
}

// unquote reads a string's escapes, and replaces what is no UTF-8, as encoding/json does.
func unquote(raw []byte) (s string, ok bool) {
	err := json.Unmarshal(bytes.Join([][]byte{{'"'}, raw, {'"'}}, nil), &s)
	return s, err == nil
}

// literal takes a number, true, false or null.
func (f *finder) literal() (string, bool) {
	end := bytes.IndexAny(f.rest, ",]} \n\t\r")
	if end < 0 {
		end = len(f.rest)
	}
	text := f.rest[:end]
	f.rest = f.rest[end:]
	if !json.Valid(text) {
		return "", false
	}
	return string(text), true
}

// skip passes over one value, however deep.
func (f *finder) skip() bool {
	for depth := 0; ; {
		switch f.space() {
		case 0:
			return false
		case '{', '[':
			depth++
			f.rest = f.rest[1:]
		case '}', ']':
			depth--
			f.rest = f.rest[1:]
		case ',', ':':
			if depth == 0 {
				return false
			}
			f.rest = f.rest[1:]
			continue
		case '"':
			if _, _, ok := f.quoted(); !ok {
				return false
			}
		default:
			if _, ok := f.literal(); !ok {
				return false
			}
		}
		if depth <= 0 {
			return depth == 0
		}
	}
}
