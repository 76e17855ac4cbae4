package signature

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// spaced is the default layout of Python's json module.
func spaced(compact []byte) []byte {
	var out []byte
	inString, escaped := false, false
	for _, c := range compact {
		out = append(out, c)
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case !inString && (c == ':' || c == ','):
			out = append(out, ' ')
		}
	}
	return out
}

func escapeNonASCII(body []byte) []byte {
	var out []byte
	for _, r := range string(body) {
		switch {
		case r < 0x80:
			out = append(out, byte(r))
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = appendEscape(appendEscape(out, hi), lo)
		default:
			out = appendEscape(out, r)
		}
	}
	return out
}

func appendEscape(out []byte, r rune) []byte {
	const width = 4 // of the hex digits in a JSON escape
	digits := strconv.FormatInt(int64(r), 16)
	return append(out, `\u`+strings.Repeat("0", width-len(digits))+digits...)
}

// unescaped keeps the layout and writes each escaped character that is wanted as UTF-8.
func unescaped(body []byte, wanted func(rune) bool) ([]byte, bool) {
	if !bytes.Contains(body, []byte(`\u`)) {
		return nil, false
	}
	var out []byte
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' || i+1 >= len(body) {
			out = append(out, body[i])
			continue
		}
		text, n := unescapeOne(body[i:], wanted)
		out = append(out, text...)
		i += n - 1
	}
	return out, true
}

func nonASCII(r rune) bool { return r >= 0x80 }

func markup(r rune) bool { return r == '<' || r == '>' || r == '&' }

// unescapeOne takes one escape, or a pair of surrogates, from the start of b. b is valid JSON, so escapes are complete.
func unescapeOne(b []byte, wanted func(rune) bool) (text []byte, n int) {
	const single, pair = 6, 12 // bytes of one unicode escape, and of two
	for _, size := range []int{pair, single} {
		if len(b) < size || b[1] != 'u' {
			continue
		}
		var s string
		if json.Unmarshal([]byte(`"`+string(b[:size])+`"`), &s) != nil {
			continue
		}
		if runes := []rune(s); len(runes) == 1 && wanted(runes[0]) && runes[0] != utf8.RuneError {
			return []byte(s), size
		}
	}
	return b[:2], 2
}

// escapedSlashes writes / as PHP does. JSON holds it in strings alone.
func escapedSlashes(body []byte) []byte {
	return bytes.ReplaceAll(plainSlashes(body), []byte("/"), []byte(`\/`))
}

func plainSlashes(body []byte) []byte {
	var out []byte
	for i := 0; i < len(body); i++ {
		if body[i] == '\\' && i+1 < len(body) {
			if i++; body[i] != '/' {
				out = append(out, '\\')
			}
		}
		out = append(out, body[i])
	}
	return out
}

// latin1 is a text in ISO 8859-1, if it has such a form and it differs.
func latin1(body []byte) ([]byte, bool) {
	var out []byte
	for _, r := range string(body) {
		if r > 0xff {
			return nil, false
		}
		out = append(out, byte(r))
	}
	return out, true
}

// decoded re-encodes the JSON with sorted keys, with and without escapes of HTML characters. Numbers keep their tokens.
func decoded(body []byte) (escaped, plain []byte, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil, nil, false
	}
	escaped, err := json.Marshal(v)
	if err != nil {
		return nil, nil, false
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil, nil, false
	}
	return escaped, bytes.TrimSuffix(buf.Bytes(), []byte("\n")), true
}
