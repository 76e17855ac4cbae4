package main

// This file draws progress. On a terminal one line is rewritten in place; elsewhere each thing that happens is one plain line,
// so that a CI log stays readable. All of it goes to standard error: standard output holds the result alone.

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/term"

	"github.com/hookassay/hookassay/harness/drive"
)

// redraw is how often the line on a terminal changes: often enough to look alive, too seldom to flicker.
const redraw = 200 * time.Millisecond

type live struct {
	w     io.Writer
	tty   bool
	drawn time.Duration
}

func newLive(w io.Writer) *live {
	_, tty := fileOfTerminal(w)
	return &live{w: w, tty: tty}
}

func (l *live) say(format string, args ...any) { fmt.Fprintf(l.w, format+"\n", args...) }

// progress is called from one goroutine at a time.
func (l *live) progress(p drive.Progress) {
	switch {
	case !l.tty && p.Note != "":
		l.say("%6.1fs  %s  (%d of %d scenarios, %d events, %d requests)",
			p.At.Seconds(), p.Note, p.Done, p.Scenarios, p.Emitted, p.Arrivals)
	case l.tty && (p.At-l.drawn >= redraw || p.Done == p.Scenarios):
		l.drawn = p.At
		fmt.Fprintf(l.w, "\r\x1b[K%5.1f s  %d of %d scenarios ended  %d events accepted  %d requests received",
			p.At.Seconds(), p.Done, p.Scenarios, p.Emitted, p.Arrivals)
	}
}

// end leaves the terminal at the beginning of an empty line.
func (l *live) end() {
	if l.tty {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

func fileOfTerminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// plainWidth is the width of lines that are not for a terminal.
const plainWidth = 100

// terminal returns how wide w is and whether it takes colour. NO_COLOR is honoured (no-color.org).
func terminal(w io.Writer) (width int, color bool) {
	f, ok := fileOfTerminal(w)
	if !ok {
		return plainWidth, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if c, cerr := strconv.Atoi(os.Getenv("COLUMNS")); cerr == nil && c > 0 {
		width, err = c, nil
	}
	if err != nil || width <= 0 {
		width = plainWidth
	}
	return width, os.Getenv("NO_COLOR") == ""
}
