package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/drive"
)

func steps() []drive.Progress {
	at := func(s float64, done int, note string) drive.Progress {
		return drive.Progress{
			At: time.Duration(s * float64(time.Second)), Scenarios: 2, Done: done, Emitted: 1, Arrivals: 3, Note: note,
			Until: 21 * time.Second,
		}
	}
	return []drive.Progress{
		at(0, 0, "launching sender shared"), at(1, 0, ""), at(1.1, 0, ""), at(5.5, 0, ""), at(6, 0, ""), at(10.6, 0, ""),
		at(21.2, 1, "retry/timeout ended"), at(22, 2, "replay/range not played: no ability"),
	}
}

func TestProgressInALog(t *testing.T) {
	var got bytes.Buffer
	l := newLive(&got)
	for _, p := range steps() {
		l.progress(p)
	}
	l.end()
	want := `   0.0 s  launching sender shared
   5.5 s  0 of 2 scenarios, 1 event, 3 requests; watching, 16 s left
  10.6 s  0 of 2 scenarios, 1 event, 3 requests; watching, 11 s left
  21.2 s  retry/timeout ended
  22.0 s  replay/range not played: no ability
`
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("log (-want +got):\n%s", d)
	}
}

// TestProgressOnATerminal checks that the one line never reaches the terminal's edge, where it would wrap and stay.
func TestProgressOnATerminal(t *testing.T) {
	var got bytes.Buffer
	l := &live{w: &got, tty: true, width: 40}
	for _, p := range steps() {
		l.progress(p)
	}
	l.say("stopping")
	l.end()
	frames := strings.Split(got.String(), "\r\x1b[K")
	want := []string{
		"", "   1.0 s  0 of 2 scenarios, 1 event, 3 ", "   5.5 s  0 of 2 scenarios, 1 event, 3 ", "   6.0 s  0 of 2 scenarios, 1 event, 3 ",
		"  10.6 s  0 of 2 scenarios, 1 event, 3 ", "  21.2 s  1 of 2 scenarios, 1 event, 3 ", "  22.0 s  2 of 2 scenarios, 1 event, 3 ",
		"stopping\n", "",
	}
	if d := cmp.Diff(want, frames); d != "" {
		t.Errorf("frames (-want +got):\n%s", d)
	}
}
