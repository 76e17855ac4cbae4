package main

// This file draws progress. On a terminal one line is rewritten in place; elsewhere each thing that happens is one plain line,
// so that a CI log stays readable. All of it goes to standard error: standard output holds the result alone.

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/internal/selftest"
)

const (
	// redraw is how often the line on a terminal changes at most: often enough to look alive, too seldom to flicker. Drive
	// tells the progress once a second at least, so the clock on it moves.
	redraw = 200 * time.Millisecond
	// report is how often a log gets a line although nothing happens: CI takes a job that is silent for long for dead.
	report = 5 * time.Second
)

type live struct {
	tty   bool
	width int

	mu    sync.Mutex // progress comes from the run, the word of a signal from elsewhere
	w     io.Writer
	drawn time.Duration // when the status was shown last
}

func newLive(w io.Writer) *live {
	_, tty := fileOfTerminal(w)
	width, _ := terminal(w)
	return &live{w: w, tty: tty, width: width}
}

func (l *live) say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
	fmt.Fprintf(folding(l.w), format+"\n", args...)
}

// progress is called from one goroutine at a time.
func (l *live) progress(p drive.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.tty && (p.At-l.drawn >= redraw || p.Done == p.Scenarios):
		l.wipe()
		fmt.Fprint(l.w, clipped(status(p), l.width-1)) // a line as wide as the terminal would wrap and not be wiped
	case !l.tty && p.Note != "":
		fmt.Fprintf(l.w, "%6.1f s  %s\n", p.At.Seconds(), p.Note)
		return
	case !l.tty && p.At-l.drawn >= report:
		fmt.Fprintln(l.w, status(p))
	default:
		return
	}
	l.drawn = p.At
}

// status says how far the run is and what it waits for: until its schedule is over, a sender may do what it must not. It fits
// on 80 columns.
func status(p drive.Progress) string {
	s := fmt.Sprintf("%6.1f s  %d of %s, %s, %s", p.At.Seconds(), p.Done, number(p.Scenarios, "scenario"),
		number(p.Emitted, "event"), number(p.Arrivals, "request"))
	if left := p.Until - p.At; left > 0 {
		s += fmt.Sprintf("; watching, %.0f s left", math.Ceil(left.Seconds()))
	}
	return s
}

// row tells of a row of the self-test that is done.
func (l *live) row(f selftest.Found, done, all int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
	line := fmt.Sprintf("%4d of %d  %-14s  %s", done, all, f.Result, f.Key())
	if l.tty && f.Result.Holds() {
		fmt.Fprint(l.w, clipped(line, l.width-1))
		return
	}
	fmt.Fprintln(l.w, line)
}

func clipped(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:max(0, width)])
	}
	return s
}

// end leaves the terminal at the beginning of an empty line.
func (l *live) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
}

func (l *live) wipe() {
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
