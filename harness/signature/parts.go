package signature

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Words of signed content.
const (
	partID         = "{id}"
	partTimestamp  = "{timestamp}"   // as it was sent
	partBody       = "{body}"        // the bytes on the wire, or the field of a form: Record.FormField
	partMethod     = "{method}"      // of the request
	partURL        = "{url}"         // whole, as the sender was told it
	partFormSorted = "{form_sorted}" // names and values of a form, by name, each pair once; nothing for another body
	partCRC32      = "{body_crc32}"  // decimal
	partSHA256     = "{body_sha256}" // hex

	prefixHeader  = "{header:"  // the value of a header
	prefixPointer = "{pointer:" // a value of the JSON body; absent is empty
	prefixConst   = "{const:"   // a constant of the record
)

// part is a word of signed content, taken apart. One without a word is text.
type part struct {
	word string
	arg  string // of header, pointer and const; the text
}

// parseParts takes texts apart at their words.
func parseParts(texts []string) ([]part, error) {
	var parts []part
	for _, text := range texts {
		if !utf8.ValidString(text) {
			return nil, errors.New("holds what is no UTF-8")
		}
		for text != "" {
			plain, rest, word := strings.Cut(text, "{")
			if plain != "" {
				parts = append(parts, part{arg: plain})
			}
			if !word {
				break
			}
			name, after, closed := strings.Cut(rest, "}")
			p, ok := parseWord("{" + name + "}")
			if !ok || !closed {
				return nil, fmt.Errorf("%q is unknown; known are %q and %q", "{"+rest, plainWords(), []string{prefixHeader + "NAME}", prefixPointer + "/PATH}", prefixConst + "NAME}"})
			}
			parts, text = append(parts, p), after
		}
	}
	return parts, nil
}

func plainWords() []string {
	return []string{partID, partTimestamp, partBody, partMethod, partURL, partFormSorted, partCRC32, partSHA256}
}

func parseWord(text string) (p part, ok bool) {
	if slices.Contains(plainWords(), text) {
		return part{word: text}, true
	}
	for _, prefix := range []string{prefixHeader, prefixPointer, prefixConst} {
		if arg, ok := strings.CutPrefix(strings.TrimSuffix(text, "}"), prefix); ok && arg != "" {
			return part{word: prefix, arg: arg}, true
		}
	}
	return part{}, false
}

// signs tells whether a word is in the signed content.
func (s *Scheme) signs(word string) bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return p.word == word })
}

// after returns the text that follows a word in the signed content, "" if there is none.
func (s *Scheme) after(word string) string {
	i := slices.IndexFunc(s.parts, func(p part) bool { return p.word == word }) + 1
	if i == 0 || i == len(s.parts) || s.parts[i].word != "" {
		return ""
	}
	return s.parts[i].arg
}
