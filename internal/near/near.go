// Package near says which name was probably meant where one is unknown.
package near

import (
	"fmt"
	"slices"
	"strings"
)

// Meant is a clause that follows an unknown name in a message, " (did you mean bounded-6?)", with the closest of the names that there
// are, or empty if none is close: more than a slip in every three letters is no misspelling.
func Meant(word string, names []string) string { return Prefixed(word, names, "") }

// Prefixed is Meant for names that are written behind a prefix, as flags are.
func Prefixed(word string, names []string, prefix string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, name := range names {
		d := distance(word, name)
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			d = 0 // a name that was cut
		}
		if d < least {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s%s?)", prefix, best)
}

// maxWord bounds what is compared, in bytes: no name of ours is longer, and what was written may come from anywhere.
const maxWord = 100

// distance is Levenshtein's, in bytes. What is too long is as far as it is long.
func distance(a, b string) int {
	if len(a) > maxWord || len(b) > maxWord {
		return max(len(a), len(b))
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = slices.Min([]int{change, row[j] + 1, row[j+1] + 1})
		}
	}
	return row[len(b)]
}
