package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// TestAcceptOfARunThatWasCutShort counts an event that was not delivered yet: what would have become of it nobody can say.
func TestAcceptOfARunThatWasCutShort(t *testing.T) {
	const scenario = "acceptance/mixed-load"
	of := func(interrupted string) []byte {
		return storedRun(t, interrupted,
			&evidence.Endpoint{Name: "e", Scenario: scenario},
			&evidence.Act{Act: evidence.ActEmit, Scenario: scenario, Endpoint: "e", Marker: evidence.MarkerPrefix + strings.Repeat("0", 20), Returned: time.Millisecond},
			&evidence.Scenario{Name: scenario, Family: "acceptance", WatchUntil: time.Second})
	}
	whole := of("")
	withoutFooter := whole[:strings.LastIndex(strings.TrimSuffix(string(whole), "\n"), "\n")+1]
	for name, tc := range map[string]struct {
		text []byte
		code int
		cut  bool
	}{
		"whole":       {whole, 1, false},
		"interrupted": {of("a signal"), 3, true},
		"no footer":   {withoutFooter, 3, true},
	} {
		path := filepath.Join(t.TempDir(), "evidence.ndjson")
		if err := os.WriteFile(path, tc.text, 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, stderr := hookassay(t, "accept", path, "--last", "1")
		if code != tc.code || strings.Contains(out, "\n  the run did not come to its end: ") != tc.cut {
			t.Errorf("%s: exit code %d, want %d:\n%s%s", name, code, tc.code, out, stderr)
		}
	}
}
