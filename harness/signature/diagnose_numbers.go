package signature

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// renumbered writes each number of a JSON body as a library does that keeps numbers in 64 bits, and leaves all else as it is. It
// returns false where a number has no such form.
func renumbered(body []byte, write func(token string) (string, bool)) ([]byte, bool) {
	var out []byte
	for i := 0; i < len(body); {
		n := 1
		switch c := body[i]; {
		case c == '"':
			n = textLength(body[i:])
		case c == '-' || c >= '0' && c <= '9':
			n = len(body[i:]) - len(bytes.TrimLeft(body[i:], "+-.eE0123456789"))
			text, ok := write(string(body[i : i+n]))
			if !ok {
				return nil, false
			}
			out, i = append(out, text...), i+n
			continue
		}
		out, i = append(out, body[i:i+n]...), i+n
	}
	return out, true
}

// textLength is how long the JSON text is that b begins with. b is valid JSON, so it ends.
func textLength(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// likeJavaScript has one kind of number: 1.0 becomes 1, and 12.50 becomes 12.5.
func likeJavaScript(token string) (string, bool) {
	f, err := strconv.ParseFloat(token, 64)
	if err != nil {
		return "", false
	}
	if f == 0 {
		return "0", true // -0 as well
	}
	text, err := json.Marshal(f) // it writes numbers as JavaScript does
	return string(text), err == nil
}

// likePython keeps whole numbers, and writes others with a fraction or an exponent: 12.50 becomes 12.5, and 1e3 becomes 1000.0.
func likePython(token string) (string, bool) {
	if !strings.ContainsAny(token, ".eE") {
		return token, true
	}
	f, err := strconv.ParseFloat(token, 64)
	if err != nil {
		return "", false
	}
	const least, most = 1e-4, 1e16 // between them there is no exponent
	if a := math.Abs(f); a != 0 && (a < least || a >= most) {
		return strconv.FormatFloat(f, 'e', -1, 64), true
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text, true
}

// numbers are serialisations whose numbers are written anew.
func numbers(body []byte, try trying) {
	rewritten := func(layout func([]byte) []byte, write func(string) (string, bool)) func() ([]byte, bool) {
		return func() ([]byte, bool) { return renumbered(layout(body), write) }
	}
	asSent := func(b []byte) []byte { return b }
	python := func(b []byte) []byte { return escapeNonASCII(spaced(compacted(b))) }
	try(causeNumbers, "the body with its numbers written anew, as 1 for 1.0", rewritten(asSent, likeJavaScript))
	try(causeNumbers, "the body without spaces and with its numbers written anew, as 1 for 1.0", rewritten(compacted, likeJavaScript))
	try(causeNumbers, "the body with its numbers written anew, as 1000.0 for 1e3", rewritten(asSent, likePython))
	try(causeNumbers, "the body with a space after each colon and comma, non-ASCII characters escaped and its numbers written anew, as 1000.0 for 1e3",
		rewritten(python, likePython))
}
