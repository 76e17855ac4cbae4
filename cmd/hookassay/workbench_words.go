package main

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// shellWords takes a command apart as a POSIX shell does, with the quotes $'…' of bash and zsh. Variables and commands to run are
// refused where a shell would expand them: nothing is run here, and a guess at their values would be a wrong body.
func shellWords(text string) (words []string, err error) {
	r := wordReader{rest: text}
	for {
		word, ok, err := r.next()
		if err != nil || !ok {
			return words, err
		}
		words = append(words, word)
	}
}

type wordReader struct{ rest string }

// next returns one word; ok is false at the end.
func (r *wordReader) next() (word string, ok bool, err error) {
	var b strings.Builder
	for r.rest != "" {
		c := r.rest[0]
		switch {
		case strings.HasPrefix(r.rest, "\\\n"), strings.HasPrefix(r.rest, "\\\r\n"):
			_, r.rest, _ = strings.Cut(r.rest, "\n")
			continue
		case strings.IndexByte(" \t\r\n", c) >= 0:
			r.rest = r.rest[1:]
			if ok {
				return b.String(), true, nil
			}
			continue
		case c == '#' && !ok:
			_, r.rest, _ = strings.Cut(r.rest, "\n")
			continue
		case c == '|' && !ok:
			r.rest = r.rest[1:]
			return "|", true, nil
		case c == '|', c == ';', c == '&', c == '<', c == '>', c == '(', c == ')':
			return "", false, errors.New("holds more than one command; a signature is of one request")
		}
		ok = true
		if err := r.piece(&b); err != nil {
			return "", false, err
		}
	}
	return b.String(), ok, nil
}

// piece takes a quoted part or one character.
func (r *wordReader) piece(b *strings.Builder) error {
	switch {
	case strings.HasPrefix(r.rest, "$'"):
		r.rest = r.rest[2:]
		return r.escaped(b)
	case r.rest[0] == '\'':
		in, rest, ok := strings.Cut(r.rest[1:], "'")
		if !ok {
			return errUnclosed
		}
		b.WriteString(in)
		r.rest = rest
	case r.rest[0] == '"':
		r.rest = r.rest[1:]
		return r.double(b)
	case r.rest[0] == '\\' && len(r.rest) > 1:
		b.WriteByte(r.rest[1])
		r.rest = r.rest[2:]
	case r.rest[0] == '$', r.rest[0] == '`':
		return errExpanded
	default:
		b.WriteByte(r.rest[0])
		r.rest = r.rest[1:]
	}
	return nil
}

var (
	errUnclosed = errors.New("a quote is not closed")
	errExpanded = errors.New("holds a variable or a command for the shell; write its value")
)

func (r *wordReader) double(b *strings.Builder) error {
	for r.rest != "" {
		c := r.rest[0]
		r.rest = r.rest[1:]
		switch {
		case c == '"':
			return nil
		case c == '$', c == '`':
			return errExpanded
		case c == '\\' && r.rest != "" && strings.IndexByte("$`\"\\\n", r.rest[0]) >= 0:
			if r.rest[0] != '\n' {
				b.WriteByte(r.rest[0])
			}
			r.rest = r.rest[1:]
		default:
			b.WriteByte(c)
		}
	}
	return errUnclosed
}

// escaped takes the inside of $'…'.
func (r *wordReader) escaped(b *strings.Builder) error {
	for r.rest != "" {
		c := r.rest[0]
		r.rest = r.rest[1:]
		switch {
		case c == '\'':
			return nil
		case c == '\\' && r.rest != "":
			r.escape(b)
		default:
			b.WriteByte(c)
		}
	}
	return errUnclosed
}

// escape takes what follows a backslash: a letter, octal digits, \xHH or \uHHHH.
func (r *wordReader) escape(b *strings.Builder) {
	c := r.rest[0]
	const letters, meant = "abefnrtv", "\a\b\x1b\f\n\r\t\v"
	switch i := strings.IndexByte(letters, c); {
	case i >= 0:
		b.WriteByte(meant[i])
		r.rest = r.rest[1:]
	case c >= '0' && c <= '7':
		const octal, most = 8, 3
		b.WriteByte(byte(r.number(octal, most)))
	case c == 'x':
		const hex, most = 16, 2
		r.rest = r.rest[1:]
		b.WriteByte(byte(r.number(hex, most)))
	case c == 'u':
		const hex, most = 16, 4
		r.rest = r.rest[1:]
		b.WriteString(string(utf8.AppendRune(nil, rune(r.number(hex, most)))))
	default:
		b.WriteByte(c)
		r.rest = r.rest[1:]
	}
}

func (r *wordReader) number(base, most int) (n int) {
	for i := 0; i < most && r.rest != ""; i++ {
		digit := strings.IndexByte("0123456789abcdef", r.rest[0]|0x20)
		if c := r.rest[0]; c >= '0' && c <= '9' {
			digit = int(c - '0')
		}
		if digit < 0 || digit >= base {
			return n
		}
		n, r.rest = n*base+digit, r.rest[1:]
	}
	return n
}
