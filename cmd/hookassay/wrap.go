package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/hookassay/hookassay/internal/words"
)

// wrap prints a text in lines of the terminal's usual width, each after so many blanks.
func (w teller) wrap(at int, text string) {
	if w.words.Language != words.Chinese {
		wrapped(w, at, text)
		return
	}
	for _, line := range wideLines(text, columns-at) {
		fmt.Fprintf(w, "%*s%s\n", at, "", line)
	}
}

// wideLines breaks Chinese at any of its characters, which take two columns each, but never before a mark that ends something; words
// of letters stay whole.
func wideLines(text string, width int) []string {
	var list []string
	var line strings.Builder
	used := 0
	for _, u := range units(text) {
		n := columnsOf(u)
		if used > 0 && used+n > width && !strings.ContainsAny(u, "，。；：、）”？") {
			list = append(list, strings.TrimRight(line.String(), " "))
			line.Reset()
			used = 0
			u = strings.TrimLeft(u, " ")
			n = columnsOf(u)
		}
		line.WriteString(u)
		used += n
	}
	return append(list, line.String())
}

// units are what a line may be broken between: a wide character, a blank, or a word of others.
func units(text string) []string {
	var out []string
	word := false
	for _, r := range text {
		narrow := r <= unicode.MaxLatin1 && r != ' '
		if narrow && word {
			out[len(out)-1] += string(r)
		} else {
			out = append(out, string(r))
		}
		word = narrow
	}
	return out
}

func columnsOf(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > unicode.MaxLatin1 {
			n++
		}
	}
	return n
}
