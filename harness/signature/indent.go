package signature

import (
	"bytes"
	"encoding/json"
)

// Indented is JSON with a line for each value and two spaces for each level, numbers and names as they stand. ok is false for
// what is no JSON, and where it is nested deeper than depth: each line begins with as many spaces, so that a small body of
// brackets would become gigabytes.
func Indented(body []byte, depth int) (text []byte, ok bool) {
	var b bytes.Buffer
	if nesting(body) > depth || json.Indent(&b, body, "", "  ") != nil {
		return nil, false
	}
	return b.Bytes(), true
}

// nesting is how deep JSON is nested.
func nesting(body []byte) (deepest int) {
	depth, inString, escaped := 0, false, false
	for _, c := range body {
		switch {
		case escaped:
			escaped = false
		case inString:
			inString, escaped = c != '"', c == '\\'
		case c == '"':
			inString = true
		case c == '[' || c == '{':
			depth++
			deepest = max(deepest, depth)
		case c == ']' || c == '}':
			depth--
		}
	}
	return deepest
}
