package signature

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash/maphash"
	"iter"
)

// maxIndented bounds how deep a body may be nested that is indented to look for the cause. Libraries that indent are not used
// on deeper ones.
const maxIndented = 64

// bodies are other serialisations of the same body, as libraries make them between signing and sending.
func (d *diagnosis) bodies() iter.Seq[guess] {
	return func(yield func(guess) bool) {
		body := d.r.body
		going, seed, seen := true, maphash.MakeSeed(), map[uint64]bool{}
		// try is lazy, so that one serialisation is in memory at a time.
		try := func(cause, detail string, serialise func() ([]byte, bool)) {
			if !going {
				return
			}
			other, ok := serialise()
			if !ok || bytes.Equal(other, body) {
				return
			}
			sum := maphash.Bytes(seed, other)
			if seen[sum] { // many of them are the same for a plain body
				return
			}
			seen[sum] = true
			g := guess{mistake{cause, "the signature covers " + detail}, d.s.parts, d.r.material}
			g.material.body = other
			going = yield(g)
		}
		lineEnds(body, try)
		if json.Valid(body) {
			layouts(body, try)
			characters(body, try)
			sortedLayouts(body, try)
			numbers(body, try)
		}
		try(causeBodyDigest, "the SHA-256 of the body in hex", func() ([]byte, bool) { return []byte(hexSHA256(body)), true })
		try(causeBodyDigest, "the SHA-256 of the body in base64", func() ([]byte, bool) {
			sum := sha256.Sum256(body)
			return []byte(base64.StdEncoding.EncodeToString(sum[:])), true
		})
		try(causeBodyDigest, "the SHA-256 of the body", func() ([]byte, bool) {
			sum, err := hex.DecodeString(hexSHA256(body))
			return sum, err == nil
		})
	}
}

// trying hands in one serialisation; serialise returns false where there is none.
type trying func(cause, detail string, serialise func() ([]byte, bool))

// always is a serialisation that every body has.
func always(serialise func() []byte) func() ([]byte, bool) {
	return func() ([]byte, bool) { return serialise(), true }
}

func lineEnds(body []byte, try trying) {
	unix := func() []byte { return bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n")) }
	try(causeBodyEmpty, "an empty body", always(func() []byte { return nil }))
	try(causeLineEnd, "the body without its final line end", always(func() []byte { return bytes.TrimRight(body, "\r\n") }))
	try(causeLineEnd, "the body with a final line end", always(func() []byte { return append(bytes.Clone(body), '\n') }))
	try(causeLineEnd, "the body with a final CR LF", always(func() []byte { return append(bytes.Clone(body), '\r', '\n') }))
	try(causeLineEnd, "the body without the space around it", always(func() []byte { return bytes.TrimSpace(body) }))
	try(causeCRLF, "the body with LF where CR LF was sent", always(unix))
	try(causeCRLF, "the body with CR LF where LF was sent", always(func() []byte { return bytes.ReplaceAll(unix(), []byte("\n"), []byte("\r\n")) }))
}

func compacted(body []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, body) != nil {
		return body
	}
	return b.Bytes()
}

func layouts(body []byte, try trying) {
	try(causeCompact, "the body without spaces", always(func() []byte { return compacted(body) }))
	for _, indent := range []string{"  ", "    ", "\t"} {
		try(causeIndented, "the body indented", func() ([]byte, bool) {
			var b bytes.Buffer
			if nesting(body) > maxIndented || json.Indent(&b, bytes.TrimSpace(body), "", indent) != nil {
				return nil, false
			}
			return b.Bytes(), true
		})
	}
	// json.Indent keeps the white space at the end.
	try(causeIndented, "the body indented", func() ([]byte, bool) { return Indented(body, maxIndented) })
	for _, indent := range []string{"  ", "    "} {
		try(causeIndented, "the body indented, and non-ASCII characters escaped", func() ([]byte, bool) {
			var b bytes.Buffer
			if nesting(body) > maxIndented || json.Indent(&b, bytes.TrimSpace(body), "", indent) != nil {
				return nil, false
			}
			return escapeNonASCII(b.Bytes()), true
		})
	}
	try(causeSpaced, "the body with a space after each colon and comma", always(func() []byte { return spaced(compacted(body)) }))
	try(causeSpaced, "the body with a space after each colon and comma, and non-ASCII characters escaped",
		always(func() []byte { return escapeNonASCII(spaced(compacted(body))) }))
}

func characters(body []byte, try trying) {
	try(causeEscaped, "the body with non-ASCII characters escaped", always(func() []byte { return escapeNonASCII(body) }))
	try(causeEscaped, "the body without spaces and with non-ASCII characters escaped", always(func() []byte { return escapeNonASCII(compacted(body)) }))
	try(causeRaw, "the body with escaped characters written out", func() ([]byte, bool) { return unescaped(body, nonASCII) })
	try(causeHTML, "the body with <, > and & escaped", always(func() []byte {
		var b bytes.Buffer
		json.HTMLEscape(&b, body)
		return b.Bytes()
	}))
	try(causeHTML, "the body with <, > and & written out", func() ([]byte, bool) { return unescaped(body, markup) })
	try(causeSlashes, "the body with slashes escaped", always(func() []byte { return escapedSlashes(body) }))
	try(causeSlashes, "the body with slashes and non-ASCII characters escaped", always(func() []byte { return escapedSlashes(escapeNonASCII(body)) }))
	try(causeSlashes, "the body with slashes written out", always(func() []byte { return plainSlashes(body) }))
	try(causeLatin1, "the body in Latin-1", func() ([]byte, bool) { return latin1(body) })
	try(causeQuoted, "the body as a JSON text, encoded twice", func() ([]byte, bool) {
		twice, err := encodeJSON(string(body))
		return twice, err == nil
	})
}

func sortedLayouts(body []byte, try trying) {
	escaped, plain, ok := decoded(body)
	if !ok {
		return
	}
	try(causeSorted, "the body with its keys sorted", always(func() []byte { return escaped }))
	try(causeSorted, "the body with its keys sorted and characters unescaped", always(func() []byte { return plain }))
	try(causeSorted, "the body with its keys sorted and non-ASCII characters escaped", always(func() []byte { return escapeNonASCII(plain) }))
	try(causeSorted, "the body with its keys sorted and a space after each colon and comma", always(func() []byte { return spaced(plain) }))
	try(causeSorted, "the body with its keys sorted, a space after each colon and comma, and non-ASCII characters escaped",
		always(func() []byte { return escapeNonASCII(spaced(plain)) }))
}
