package process

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	// DefaultMaxLine is 64 KiB, far over any log line for people, and keeps a child that never ends its line from filling memory.
	DefaultMaxLine = 64 << 10
	// tailLines is what fits on a screen beside the message.
	tailLines = 20
	// tailBytes keeps one long JSON log line from hiding the others.
	tailBytes = 500
)

// ReadLines passes each line of r to say, without its line end, until r ends or fails. A line over limit comes in pieces. The last
// line needs no line end.
func ReadLines(r io.Reader, limit int, say func(line string)) {
	b := bufio.NewReaderSize(r, max(limit, 16)) // 16 is the least that bufio takes
	for {
		line, err := b.ReadSlice('\n')
		ended := err == nil
		if ended {
			line = line[:len(line)-1]
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line = line[:n-1]
			}
		}
		if ended || len(line) > 0 {
			say(string(line))
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

// Tail keeps the last lines of output for messages: 20 of them, the beginning of a long one. Its zero value is ready to use, by
// many at once.
type Tail struct {
	mu    sync.Mutex
	lines []string
}

// Add adds a line.
func (t *Tail) Add(line string) {
	if len(line) > tailBytes {
		cut := tailBytes
		for cut > 0 && !utf8.RuneStart(line[cut]) {
			cut--
		}
		line = line[:cut] + "…"
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.lines) == tailLines {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, line)
}

// String returns the lines, one a line.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}
