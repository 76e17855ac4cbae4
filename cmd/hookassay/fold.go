package main

// This file keeps text for people inside a narrow terminal. What is not shown on one stays as it is: one record, one line.

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode"
)

// text is where a command writes for people, whole lines at a time: on a terminal, lines that are wider are folded between words.
func (s streams) text() io.Writer { return folding(s.out) }

func folding(w io.Writer) io.Writer {
	if _, ok := fileOfTerminal(w); !ok {
		return w
	}
	width, _ := terminal(w)
	return &folder{w: w, width: width}
}

// folder folds the lines that are written to it. One without an end waits for it.
type folder struct {
	w     io.Writer
	width int
	rest  []byte
}

func (f *folder) Write(b []byte) (int, error) {
	f.rest = append(f.rest, b...)
	for {
		line, rest, ended := bytes.Cut(f.rest, []byte("\n"))
		if !ended {
			return len(b), nil
		}
		if _, err := io.WriteString(f.w, strings.Join(fold(string(line), f.width), "\n")+"\n"); err != nil {
			return 0, err
		}
		f.rest = rest
	}
}

// between is what stands between two cells of a table, at least.
const between = "  "

// fold breaks a line into ones of so many columns at most, or of one word that is wider. Cells of a table that have room stay where they
// are; what goes on below stands under the last cell that begins in the left three fifths, or a little right of the line's beginning.
func fold(line string, width int) []string {
	if columnsOf(line) <= width {
		return []string{line}
	}
	indent := len(line) - len(strings.TrimLeft(line, " "))
	below, at := indent+len(between), indent
	if indent > len(between) {
		below = indent // a cell below others, which shows as it is
	}
	cells := cellsOf(line[indent:])
	for _, c := range cells[:len(cells)-1] {
		if at += columnsOf(c); at <= width*3/5 {
			below = at
		}
	}
	out := []string{line[:indent]}
	whole := true // what stands before on this line is
	for _, c := range cells {
		last := &out[len(out)-1]
		if used := columnsOf(*last); whole && used+columnsOf(strings.TrimRight(c, " ")) <= width {
			*last += c
			continue
		} else if parts := broken(c, width-below); whole && used <= below {
			*last += parts[0]
			out = append(out, indented(parts[1:], below)...)
		} else {
			out = append(out, indented(parts, below)...)
		}
		whole = false
	}
	for i := range out {
		out[i] = strings.TrimRight(out[i], " ")
	}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}

func indented(lines []string, at int) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.Repeat(" ", at) + l
	}
	return out
}

// cellsOf takes a line apart behind its gaps, each with the gap that follows it.
func cellsOf(line string) (cells []string) {
	for {
		i := strings.Index(line, between)
		if i < 0 {
			return append(cells, line)
		}
		end := i + len(line[i:]) - len(strings.TrimLeft(line[i:], " "))
		cells = append(cells, line[:end])
		line = line[end:]
	}
}

// broken breaks a text into lines.
func broken(text string, width int) []string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return wideLines(strings.TrimRight(text, " "), width-2) // a mark that ends something may stand behind
	}
	return lines(text, width)
}
