package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/internal/conformtest"
)

// TestComplaintsAboutACorrectSender judges runs without any scenario, which are incomplete, on machines that were late or not.
func TestComplaintsAboutACorrectSender(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		late        time.Duration
		interrupted string
		want        string // of the complaint; empty where there is none
	}{
		"a calm machine": {conformtest.Calm - time.Millisecond, "", "no check was judged; and nothing in it was later than 49ms"},
		"a busy one":     {conformtest.Calm, "", ""},
		"interrupted":    {time.Second, "by hand", "the run was interrupted: by hand"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file, out := filepath.Join(dir, "evidence.ndjson"), filepath.Join(dir, "report")
			noise := &evidence.Noise{Source: "ticker", Step: time.Millisecond, LateUS: []int64{0, tt.late.Microseconds()}}
			if err := os.WriteFile(file, storedRun(t, tt.interrupted, noise), 0o600); err != nil {
				t.Fatal(err)
			}
			code, _, _ := hookassay(t, "judge", file, "--out", out)
			got := conformtest.Complaints(out, code)
			fits := func(c string) bool { return tt.want != "" && strings.HasSuffix(c, tt.want) }
			if len(got) > 1 || tt.want == "" && len(got) > 0 || tt.want != "" && !slices.ContainsFunc(got, fits) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if wrong := conformtest.Complaints(out, exitBadInput); len(wrong) != 1 || !strings.HasPrefix(wrong[0], "exit code 2, incomplete: ") {
				t.Errorf("another exit code: %q", wrong)
			}
		})
	}
}
