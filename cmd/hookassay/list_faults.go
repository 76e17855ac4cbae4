package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// Columns of the list of faults. 80 is what a terminal has at least.
const (
	columns  = 80
	textAt   = 4
	meansAt  = 26 // the longest parameters have a line of their own
	betweens = 2
)

// faultsHelp opens the list: what all plans have in common.
const faultsHelp = `A plan is steps with commas between them; the n-th answers the n-th request of an event, and the last repeats: 502*3, timeout, 200. ` +
	`A step may stand for a time instead, from the first request that met it: 502 for 30s, 200. ` +
	`A plan may end by itself, after which all is answered 200: reset; ttl=10m. ` +
	`In YAML: steps: [502*3, {drip: {value: 1, every: 1s}}], then: 200, ttl: 10m.`

// connFaultsHelp opens the list of what acts before a request can be read.
const connFaultsHelp = `A listener has a plan of its own, whose n-th step is for its n-th connection, before a request can be read: ` +
	`--conn-plan "tls-expired, refuse(2s), ok". The last step repeats.`

// listFaults prints each kind with its form, what it is for and its parameters. What kinds have in common is explained once.
func listFaults(w io.Writer) error {
	wrapped(w, 0, faultsHelp)
	common := fault.Common()
	listKinds(w, fault.Kinds(), common)
	fmt.Fprintf(w, "\nwhat many kinds take\n")
	for _, p := range common {
		listParam(w, p)
	}
	fmt.Fprintln(w)
	wrapped(w, 0, connFaultsHelp)
	listKinds(w, fault.ConnKinds(), nil)
	return nil
}

func listKinds(w io.Writer, kinds []fault.Kind, common []fault.Param) {
	for _, k := range kinds {
		fmt.Fprintf(w, "\n%-18s%s\n", k.Name, k.Form)
		reason := k.Reason
		if k.Random {
			reason += " (--seed)"
		}
		wrapped(w, textAt, reason)
		var shared []string
		for _, p := range k.Params {
			if slices.Contains(common, p) {
				shared = append(shared, p.Name)
				continue
			}
			listParam(w, p)
		}
		if len(shared) > 0 {
			wrapped(w, textAt, "also "+strings.Join(shared, ", "))
		}
	}
}

// listParam prints a parameter beside its meaning, or above it where it is long.
func listParam(w io.Writer, p fault.Param) {
	value := p.Value
	if p.Name != "" {
		value = p.Name + "=" + p.Value
	}
	lines := lines(p.Meaning, columns-meansAt)
	first := strings.Repeat(" ", textAt) + value
	if utf8.RuneCountInString(first)+betweens > meansAt {
		fmt.Fprintln(w, first)
		first = ""
	}
	for i, line := range lines {
		if i > 0 {
			first = ""
		}
		fmt.Fprintf(w, "%-*s%s\n", meansAt, first, line)
	}
}

// wrapped prints a text in lines that begin at a column.
func wrapped(w io.Writer, at int, text string) {
	for _, line := range lines(text, columns-at) {
		fmt.Fprintf(w, "%*s%s\n", at, "", line)
	}
}

// cell is a text of the last column of a table, which begins at a column and whose first one is empty below a row's first line.
func cell(at int, text string) string { return strings.Join(lines(text, columns-at), "\n\t") }

// lines breaks a text at its spaces into lines of so many characters at most, or of one word that is longer.
func lines(text string, width int) (list []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			list = append(list, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(list, line)
}
