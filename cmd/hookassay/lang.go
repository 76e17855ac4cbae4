package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/hookassay/hookassay/internal/words"
)

func addLang(fl *pflag.FlagSet, lang *string) {
	fl.StringVar(lang, "lang", string(words.English), "language of the text: en or zh")
}

// addViewLang is addLang for what writes a report: what programs read is the same in all languages.
func addViewLang(fl *pflag.FlagSet, lang *string) {
	fl.StringVar(lang, "lang", string(words.English), "language of report.html and summary.md: en or zh")
}

func languageOf(lang string) (words.Language, error) {
	l, err := words.Parse(lang)
	if err != nil {
		return "", fmt.Errorf("--lang: %w", err)
	}
	return l, nil
}

// inLang picks the words of a language.
func inLang[T any](lang string, en, zh T) (T, error) {
	l, err := languageOf(lang)
	if err != nil {
		var none T
		return none, err
	}
	if l == words.Chinese {
		return zh, nil
	}
	return en, nil
}
