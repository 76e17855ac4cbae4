package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// TestHostileRequestsDoNotActOnTheTerminal covers what a peer can put on the console of a receiver.
func TestHostileRequestsDoNotActOnTheTerminal(t *testing.T) {
	var out strings.Builder
	log := &receiverLog{w: &out, open: map[int64]string{}}
	log.observe(&evidence.Arrival{
		Seq: 1, Wall: time.Unix(0, 0), Endpoint: "hook", Attempt: 1, Key: "\x1b[2J\nforged" + strings.Repeat("x", 1<<20),
		Head: evidence.Raw("POST /\x1b[2J\u202e" + strings.Repeat("x", 1<<16) + " HTTP/1.1\r\n\r\n"),
	})
	log.observe(&evidence.Outcome{Of: 1, Fault: "status", Status: 200, End: evidence.EndComplete})
	log.observe(&evidence.Trouble{What: "odd \x1b]0;title\a\u202e\nforged"})
	text := out.String()
	if n := strings.Count(text, "\n"); n != 2 {
		t.Errorf("%d lines, want one for each record: %.300q", n, text)
	}
	for _, r := range text {
		if r != '\n' && (r < ' ' || r == '\u202e') {
			t.Errorf("holds %q", r)
		}
	}
	if !strings.Contains(text, `"\x1b[2J\nforged`) || !strings.Contains(text, "(1048587 bytes)") || len(text) > 1000 {
		t.Errorf("%d bytes: %.300q", len(text), text)
	}
}

func TestReceiverThatCannotPrintItsURLEnds(t *testing.T) {
	var stderr strings.Builder
	code := execute(t.Context(), []string{"receiver"}, streams{out: fullDisk{}, err: &stderr})
	if code != 2 || !strings.Contains(stderr.String(), "no space") {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }
