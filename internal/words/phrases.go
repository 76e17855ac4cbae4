package words

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Piece is a part of a sentence. Language says in which it is: what has no translation stays as it was recorded.
type Piece struct {
	Text     string
	Language Language
}

// phrase is a sentence as the program records it, in English, with what it becomes.
type phrase struct {
	begins string // literally, which is quicker to tell than the whole
	is     *regexp.Regexp
	ends   bool   // it is but the end of a sentence, which must be known as well
	text   string // with %[n]s for the n-th place of the English
}

// readPhrases takes lines of "English => other". Places are %d, a number, and %s, any text, which is translated by itself.
func readPhrases(name string) []phrase {
	var out []phrase
	for _, l := range lines(name) {
		en, other, ok := strings.Cut(l, " => ")
		if !ok {
			continue
		}
		pattern := regexp.QuoteMeta(en)
		pattern = strings.NewReplacer("%d", `(\d+)`, "%s", `(.+?)`).Replace(pattern)
		begins, _, _ := strings.Cut(en, "%")
		out = append(out, phrase{begins, regexp.MustCompile("^" + pattern + "$"), strings.HasPrefix(other, "%[1]s") && strings.HasPrefix(en, "%s"), other})
	}
	return out
}

var (
	place = regexp.MustCompile(`%\[(\d)\]s`)
	// name is what is the same in every language: a figure, also of time, an ability in quotes, a check, a scenario.
	name = regexp.MustCompile(`^([0-9.…]+( m?s)?|"[a-z-]+"|[a-z0-9*-]+[./][a-z0-9*.-]+)$`)
)

// deepest is how often a sentence may stand in a sentence: a stranger's text must not make us search for ever.
const deepest = 4

// Sentence returns a recorded sentence in the language, in pieces: evidence is English, and where no translation is known it stays so.
func (t Texts) Sentence(recorded string) []Piece { return t.sentence(recorded, deepest) }

// Whole is Sentence in one string.
func (t Texts) Whole(recorded string) string {
	var b strings.Builder
	for _, p := range t.Sentence(recorded) {
		b.WriteString(p.Text)
	}
	return b.String()
}

func (t Texts) sentence(recorded string, left int) []Piece {
	if recorded == "" {
		return nil
	}
	for _, p := range t.phrases {
		if left == 0 || !strings.HasPrefix(recorded, p.begins) {
			continue
		}
		found := p.is.FindStringSubmatch(recorded)
		if found == nil {
			continue
		}
		out := t.filled(p.text, found, left)
		if p.ends && slices.ContainsFunc(out, func(x Piece) bool { return x.Language != t.Language }) {
			continue
		}
		return out
	}
	return []Piece{{recorded, English}}
}

// filled puts what was found in its places.
func (t Texts) filled(text string, found []string, left int) []Piece {
	var out []Piece
	for {
		at := place.FindStringSubmatchIndex(text)
		if at == nil {
			return t.join(out, text, t.Language)
		}
		out = t.join(out, text[:at[0]], t.Language)
		n, err := strconv.Atoi(text[at[2]:at[3]])
		if err != nil || n >= len(found) {
			return t.join(out, text[at[0]:], t.Language) // which the test of the phrases keeps from happening
		}
		parts := []Piece{{found[n], t.Language}}
		if !name.MatchString(found[n]) {
			parts = t.sentence(found[n], left-1)
		}
		for _, x := range parts {
			out = t.join(out, x.Text, x.Language)
		}
		text = text[at[1]:]
	}
}

func (t Texts) join(to []Piece, text string, l Language) []Piece {
	if text == "" {
		return to
	}
	if n := len(to); n > 0 && to[n-1].Language == l {
		to[n-1].Text += text
		return to
	}
	return append(to, Piece{text, l})
}
