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
	// defaultMaxLine is far over any log line for people, and keeps a child that never ends its line from filling memory.
	defaultMaxLine = 64 << 10
	// tailLines is what fits on a screen beside the message.
	tailLines = 20
	// tailBytes keeps one long JSON log line from hiding the others.
	tailBytes = 500
)

// readLines passes each line of r to say, without its line end, until r ends. A line over limit comes in pieces. The last
// line needs no line end.
func readLines(r io.Reader, limit int, say func(line string)) {
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

// tail keeps the last lines of output. Its zero value is ready to use.
type tail struct {
	mu    sync.Mutex
	lines []string
}

func (t *tail) add(line string) {
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

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}
