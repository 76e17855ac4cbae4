// Package words holds the texts for people in each language, one file per language: what a report, and the program where it takes --lang,
// says of itself. What programs read is English in all of them, and so is evidence: what a sender said, and what a check found.
package words

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

// Language is one of those of Languages.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// Languages returns all languages, the default first.
func Languages() []Language { return []Language{English, Chinese} }

// Parse reads the name of a language. Empty is the default; an unknown name is an error that lists those there are.
func Parse(name string) (Language, error) {
	switch strings.ToLower(name) {
	case "", "en", "en-us", "en-gb":
		return English, nil
	case "zh", "zh-cn", "zh-hans":
		return Chinese, nil
	}
	var known []string
	for _, l := range Languages() {
		known = append(known, string(l))
	}
	return "", fmt.Errorf("language %q is unknown; write %s", name, strings.Join(known, " or "))
}

// Tag is the language as HTML names it.
func (l Language) Tag() string {
	if l == Chinese {
		return "zh-CN"
	}
	return string(English)
}

// en.txt and zh.txt have the same keys, and the same placeholders under each.
//
//go:embed *.txt
var files embed.FS

// Texts are the texts of one language, by key.
type Texts struct {
	Language Language
	texts    map[string]string
	phrases  []phrase
}

// In returns the texts of a language; of an unknown one the English. They are read anew each time: keep them.
func In(l Language) Texts {
	if l != Chinese {
		return Texts{Language: English, texts: read("en.txt")}
	}
	return Texts{Language: Chinese, texts: read("zh.txt"), phrases: readPhrases("phrases.zh.txt")}
}

// Text returns the text of a key, its placeholders filled in order, as fmt does it. A key that is not there shows as itself: a
// reader can still make something of it.
func (t Texts) Text(key string, args ...any) string {
	text, ok := t.texts[key]
	if !ok {
		return key
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Count returns n with its noun. A language in which one is told from many has both under the key, with a bar between them.
func (t Texts) Count(key string, n int) string {
	one, many, two := strings.Cut(t.texts[key], "|")
	if two && n != 1 {
		one = many
	}
	if one == "" {
		return strconv.Itoa(n) + " " + key
	}
	return fmt.Sprintf(one, n)
}

// Known returns the text of a word of the evidence under group, or the word itself where the language has none.
func (t Texts) Known(group, word string) string {
	if text, ok := t.texts[group+"."+word]; ok {
		return text
	}
	return word
}

// read takes lines of "key = text"; a text in double quotes may begin or end with blanks. Lines with # and empty ones are left out.
func read(name string) map[string]string {
	out := map[string]string{}
	for _, l := range lines(name) {
		key, text, _ := strings.Cut(l, " = ")
		if bare, err := strconv.Unquote(text); err == nil {
			text = bare
		}
		out[key] = text
	}
	return out
}

func lines(name string) []string {
	text, err := files.ReadFile(name)
	if err != nil {
		return nil // a name of this package's own files: the tests open each
	}
	var out []string
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, l)
		}
	}
	return out
}
