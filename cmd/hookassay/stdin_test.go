package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// TestStandardInputIsLeftWhenTheCommandIsToEnd names standard input that never ends, as that of a terminal where nobody types.
func TestStandardInputIsLeftWhenTheCommandIsToEnd(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("interrupted by hand"))
	for _, command := range []string{"judge -", "accept - --format csv", "alarms -"} {
		endless, typing := io.Pipe()
		var stderr strings.Builder
		code := execute(ctx, strings.Fields(command), streams{in: endless, out: io.Discard, err: &stderr})
		if code != exitBadInput || !strings.Contains(stderr.String(), "interrupted by hand") {
			t.Errorf("%s: exit code %d, said %q", command, code, stderr.String())
		}
		_ = typing.Close()
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: left %v behind, %v", command, left, err)
		}
	}
}
