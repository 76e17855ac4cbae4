package refsender

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// coding is how bodies are coded.
func (v variant) coding() string {
	if v == compressedBody {
		return "gzip"
	}
	return ""
}

// coded is a body as it is sent and signed; equal ones give equal bytes.
func (v variant) coded(body []byte) []byte {
	if v.coding() == "" {
		return body
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(body) // a buffer takes everything
	_ = z.Close()
	return out.Bytes()
}

// style writes a payload in a layout of its own. It is done once, when the payload is frozen, so that the event keeps its bytes.
func (v variant) style(body []byte) []byte {
	if v != ownJSONStyle {
		return body
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber() // which keeps the tokens
	var x any
	if dec.Decode(&x) != nil {
		return body
	}
	var out strings.Builder
	restyle(&out, x, "\n")
	return []byte(out.String() + "\n")
}

// restyle writes keys in falling order, spaces wherever JSON allows them, and text in ASCII with more escapes than it needs.
func restyle(out *strings.Builder, x any, line string) {
	inner := line + "\t"
	switch x := x.(type) {
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		slices.Reverse(keys)
		out.WriteString("{")
		for i, k := range keys {
			separate(out, i, inner)
			escaped(out, k)
			out.WriteString(" : ")
			restyle(out, x[k], inner)
		}
		out.WriteString(line + "}")
	case []any:
		out.WriteString("[")
		for i, e := range x {
			separate(out, i, inner)
			restyle(out, e, inner)
		}
		out.WriteString(line + "]")
	case string:
		escaped(out, x)
	default: // numbers as they came, and what has one form only
		fmt.Fprint(out, orNull(x))
	}
}

func separate(out *strings.Builder, i int, line string) {
	if i > 0 {
		out.WriteString(" ,")
	}
	out.WriteString(line)
}

func orNull(x any) any {
	if x == nil {
		return "null"
	}
	return x
}

func escaped(out *strings.Builder, s string) {
	out.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\' || r == '/':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r >= ' ' && r < 0x7f && !strings.ContainsRune("<>&'", r):
			out.WriteRune(r)
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(out, `\u%04X`, unit)
			}
		}
	}
	out.WriteByte('"')
}
