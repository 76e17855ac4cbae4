package reports

import (
	"html/template"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// Language is that of a report's views for people.
type Language = words.Language

// The languages.
const (
	English = words.English
	Chinese = words.Chinese
)

// english is the language of what programs read, and of the terminal.
func english() words.Texts { return words.In(words.English) }

// piece is a part of a recorded sentence. Lang names its language where that is another than the page's.
type piece struct{ Text, Lang string }

// said prints a recorded sentence in the language of w, as far as it has words for it.
func said(w words.Texts, recorded string) []piece {
	var out []piece
	for _, p := range w.Sentence(plain(recorded)) {
		x := piece{Text: p.Text}
		if p.Language != w.Language {
			x.Lang = p.Language.Tag()
		}
		out = append(out, x)
	}
	return out
}

// saidOr is said, or a text of ours where nothing was recorded.
func saidOr(w words.Texts, recorded, key string) []piece {
	if out := said(w, recorded); len(out) > 0 {
		return out
	}
	return []piece{{Text: w.Text(key)}}
}

// sentence is said in one string.
func sentence(w words.Texts, recorded string) string { return w.Whole(plain(recorded)) }

// shortened cuts a sentence to at most n characters, an ellipsis included.
func shortened(ps []piece, n int) []piece {
	var out []piece
	for _, p := range ps {
		p.Text = short(p.Text, n)
		out = append(out, p)
		if n -= len([]rune(p.Text)); n <= 1 {
			break
		}
	}
	return out
}

// markup fills a text of ours that has markup: what is filled in is escaped.
func markup(w words.Texts) func(key string, args ...any) template.HTML {
	return func(key string, args ...any) template.HTML {
		for i, a := range args {
			args[i] = template.HTMLEscaper(a)
		}
		return template.HTML(w.Text(key, args...)) //nolint:gosec // the text is embedded, the rest is escaped
	}
}

// explained returns what a check wants, in the language of w or else in English, which lang names then.
func explained(w words.Texts, check string) (e judge.Explanation, lang string, ok bool) {
	if e, err := judge.ExplainIn(string(w.Language), check); err == nil {
		return e, "", true
	}
	e, err := judge.Explain(check)
	return e, English.Tag(), err == nil
}
