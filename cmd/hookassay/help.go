package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// help prints what a command is for and how it is called, in lines that any terminal has room for. The texts stand in the source as
// Markdown does, for docs/cli: a paragraph's lines are one text, what is indented by four or more stays as it is.
func help(cmd *cobra.Command, _ []string) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	w := cmd.OutOrStdout()
	for _, line := range append(paragraphs(text), "") {
		if strings.HasPrefix(line, " ") {
			folded(w, line)
		} else {
			wrapped(w, 0, line)
		}
	}
	for line := range strings.Lines(cmd.UsageString()) {
		folded(w, strings.TrimSuffix(line, "\n"))
	}
}

func folded(w io.Writer, line string) {
	fmt.Fprintln(w, strings.Join(fold(line, columns), "\n"))
}

// paragraphs joins the lines that are one paragraph, or one item of a list, and keeps the others.
func paragraphs(text string) (out []string) {
	going, item := false, false // whether the last line of out may go on, and is an item
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \n")
		words := strings.TrimLeft(line, " ")
		switch {
		case line == "" || !going && strings.HasPrefix(line, "    "):
			going = false
			out = append(out, line)
		case strings.HasPrefix(words, "- "), !going, item && words == line:
			going, item = true, strings.HasPrefix(words, "- ")
			out = append(out, line)
		default:
			out[len(out)-1] += " " + words
		}
	}
	return out
}
