package signature

import (
	"fmt"
	"slices"
	"strings"
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

func parsePart(text string) (part, error) {
	if !strings.HasPrefix(text, "{") {
		return part{arg: text}, nil
	}
	plain := []string{partID, partTimestamp, partBody, partMethod, partURL, partFormSorted, partCRC32, partSHA256}
	if slices.Contains(plain, text) {
		return part{word: text}, nil
	}
	for _, prefix := range []string{prefixHeader, prefixPointer, prefixConst} {
		arg, ok := strings.CutPrefix(text, prefix)
		if arg, whole := strings.CutSuffix(arg, "}"); ok && whole && arg != "" {
			return part{word: prefix, arg: arg}, nil
		}
	}
	return part{}, fmt.Errorf("%q is unknown; known are %q and %q", text, plain, []string{prefixHeader + "NAME}", prefixPointer + "/PATH}", prefixConst + "NAME}"})
}

func parseParts(texts []string) ([]part, error) {
	parts := make([]part, len(texts))
	for i, t := range texts {
		p, err := parsePart(t)
		if err != nil {
			return nil, err
		}
		parts[i] = p
	}
	return parts, nil
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
