package main

// This file writes command lines that can be pasted into a shell.

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// commandLine joins words so that a shell reads them as they are.
func commandLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, " ")
}

func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@%+", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// again returns the flags as they were given, except the folder of the report, with the seed that was drawn. A secret is left
// out: what is written here stands in the report.
func (f *runFlags) again(fs *pflag.FlagSet, seed uint64, secret func(name string) bool) []string {
	var words []string
	fs.Visit(func(fl *pflag.Flag) {
		switch fl.Name {
		case "config", "out", "seed", "write-known", "timings":
		case "var":
			for _, v := range f.vars {
				if name, _, _ := strings.Cut(v, "="); secret(name) {
					v = name + "=(secret)"
				}
				words = append(words, "--var", v)
			}
		case "select":
			words = append(words, "--select", strings.Join(f.sel, ","))
		default:
			words = append(words, "--"+fl.Name, fl.Value.String())
		}
	})
	return append(words, "--seed", fmt.Sprint(seed))
}
