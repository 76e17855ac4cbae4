package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Languages of texts for people. What programs read is the same in all of them.
const (
	english = "en"
	chinese = "zh"
)

func addLang(fl *pflag.FlagSet, lang *string) {
	fl.StringVar(lang, "lang", english, "language of the text: en or zh")
}

// inLang picks the words of a language.
func inLang[T any](lang string, en, zh T) (T, error) {
	switch strings.ToLower(lang) {
	case english:
		return en, nil
	case chinese, "zh-cn", "zh-hans":
		return zh, nil
	}
	var none T
	return none, fmt.Errorf("--lang %q is unknown; write en or zh", lang)
}
