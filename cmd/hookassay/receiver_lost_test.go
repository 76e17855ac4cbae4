package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestReceiverThatLostRecordsSaysSo ends a receiver whose journal in memory holds one of two bodies.
func TestReceiverThatLostRecordsSaysSo(t *testing.T) {
	for name, tt := range map[string]struct {
		requests, code int
		want           string
	}{
		"kept": {1, 0, ""},
		"lost": {2, exitBadInput, " lost: the journal in memory was full and dropped the oldest; --journal FILE keeps all\n"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			said, out := io.Pipe()
			var stderr bytes.Buffer
			ended := make(chan int, 1)
			go func() {
				ended <- execute(ctx, []string{"receiver", "--memory"}, streams{in: new(bytes.Buffer), out: out, err: &stderr})
				_ = out.Close()
			}()
			url := receivingAt(t, said)
			for range tt.requests {
				res, err := http.Post(url, "application/json", bytes.NewReader(make([]byte, 20<<20)))
				if err != nil {
					t.Fatal(err)
				}
				_ = res.Body.Close()
			}
			cancel()
			if code := <-ended; code != tt.code || !strings.HasSuffix(stderr.String(), tt.want) || tt.want == "" && stderr.Len() > 0 {
				t.Errorf("exit code %d, want %d; said %q, want %q", code, tt.code, stderr.String(), tt.want)
			}
		})
	}
}

// receivingAt reads the URL that a receiver prints, and reads on.
func receivingAt(t *testing.T, said io.Reader) string {
	t.Helper()
	lines := bufio.NewReader(said)
	line, err := lines.ReadString('\n')
	url, ok := strings.CutPrefix(line, "receiving at")
	if err != nil || !ok {
		t.Fatalf("said %q: %v", line, err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return strings.TrimSpace(url)
}
