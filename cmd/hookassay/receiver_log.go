package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/hookassay/hookassay/harness/evidence"
)

// receiverLog prints a line for each request once it is known what became of it.
type receiverLog struct {
	mu   sync.Mutex
	w    io.Writer
	open map[int64]string // the first half of the line; bodies are not kept for it

	causes *causeLog
}

func (l *receiverLog) say(format string, args ...any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := fmt.Fprintf(l.w, format+"\n", args...)
	return err
}

func (l *receiverLog) observe(rec evidence.Record) {
	switch rec := rec.(type) {
	case *evidence.Arrival:
		l.open[rec.Seq] = asked(rec)
		l.causes.arrived(rec)
	case *evidence.Outcome:
		first, ok := l.open[rec.Of]
		if !ok {
			return
		}
		delete(l.open, rec.Of)
		_ = l.say("%s  →  %s, %s", first, answer(rec), rec.End) // the journal has it, whether the console shows it or not
		l.causes.answered(rec.Of)
	case *evidence.Connection:
		_ = l.say("%s", connectionLine(rec))
	case *evidence.Trouble:
		_ = l.say("trouble: %s", printable(rec.What))
	}
}

// printable replaces what would act on a terminal: parts of requests stand in troubles.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// maxKey is how much of an event's id is shown; ids seen in the wild have up to 64 characters.
const maxKey = 100

func shownKey(key string) string {
	if len(key) <= maxKey {
		return strconv.Quote(key)
	}
	return fmt.Sprintf("%q… (%d bytes)", key[:maxKey], len(key))
}

// asked shows one request. What a peer sent is quoted: it is hostile until proved otherwise.
func asked(a *evidence.Arrival) string {
	return fmt.Sprintf("%s  #%d  %s  %s, %d bytes", a.Wall.Format("15:04:05.000"), a.Seq, target(a), whose(a), a.BodySize)
}

// target is what was asked for, quoted where it would act on the terminal or hide its end.
func target(a *evidence.Arrival) string {
	head, _ := evidence.ParseHead(a.Head) // an error comes with what could be read
	text, more := head.Method+" "+head.Target, ""
	if path, _, asks := strings.Cut(text, "?"); asks && a.Handshake != "" {
		text, more = path+"?", "…" // some carry the token in it that shows who asks
	}
	if len(text) > maxKey {
		text, more = text[:maxKey], "…"
	}
	if q := strconv.QuoteToASCII(text); q[1:len(q)-1] != text {
		text = q
	}
	return text + more
}

// whose says which attempt of which event it is, or why it is none.
func whose(a *evidence.Arrival) string {
	switch {
	case a.Origin == evidence.OriginHarness:
		return "copy of ours of " + shownKey(a.Key)
	case a.Endpoint == "":
		return "no endpoint at this path"
	case a.Handshake != "":
		return "handshake " + a.Handshake
	case !a.Handled():
		return "no attempt: " + printable(a.BodyErr)
	}
	return fmt.Sprintf("%s attempt %d (%s)", shownKey(a.Key), a.Attempt, a.KeyFrom)
}

// answer says what was done, and by which step of the plan where that was no plain status.
func answer(o *evidence.Outcome) string {
	switch {
	case o.Status == 0:
		return o.Fault
	case o.Fault == "status":
		return strconv.Itoa(o.Status)
	}
	return fmt.Sprintf("%s %d", o.Fault, o.Status)
}
