package words

import (
	"regexp"
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
		pattern = strings.NewReplacer("%d", `(\d+)`, "%s", `(.+)`).Replace(pattern)
		begins, _, _ := strings.Cut(en, "%")
		out = append(out, phrase{begins, regexp.MustCompile("^" + pattern + "$"), other})
	}
	return out
}

var place = regexp.MustCompile(`%\[(\d)\]s`)

// deepest is how often a sentence may stand in a sentence: a stranger's text must not make us search for ever.
const deepest = 4

// Sentence returns a recorded sentence in the language, in pieces: evidence is English, and where no translation is known it stays so.
func (t Texts) Sentence(recorded string) []Piece { return t.sentence(recorded, deepest) }

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
		var out []Piece
		rest := p.text
		for rest != "" {
			at := place.FindStringSubmatchIndex(rest)
			if at == nil {
				break
			}
			out = t.join(out, rest[:at[0]], t.Language)
			n, err := strconv.Atoi(rest[at[2]:at[3]])
			if err != nil || n >= len(found) {
				break
			}
			if _, err := strconv.Atoi(found[n]); err == nil {
				out = t.join(out, found[n], t.Language)
			} else {
				for _, x := range t.sentence(found[n], left-1) {
					out = t.join(out, x.Text, x.Language)
				}
			}
			rest = rest[at[1]:]
		}
		return t.join(out, rest, t.Language)
	}
	return []Piece{{recorded, English}}
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
