package reports_test

import (
	"bytes"
	"testing"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/reports"
)

func TestTimings(t *testing.T) {
	side := evidence.Scenario{Name: "retry/a", Instance: "shared", Phase: 1, From: s, WatchUntil: 21 * s, Ended: 22 * s}
	longer := evidence.Scenario{Name: "retry/b", Instance: "shared", Phase: 1, From: 2 * s, WatchUntil: 32 * s, Ended: 32 * s}
	alone := evidence.Scenario{Name: "load/c", Instance: "own", Phase: 2, From: 33 * s, WatchUntil: 43 * s, Ended: 43 * s}
	skipped := evidence.Scenario{Name: "life/d", NotRun: "no ability"}
	old := evidence.Scenario{Name: "retry/a", From: s, WatchUntil: 11 * s}
	for name, tt := range map[string]struct {
		run  evidence.Run
		want string
	}{
		"two phases": {
			evidence.Run{Scenarios: []evidence.Scenario{alone, side, skipped, longer}, Footer: &evidence.Footer{Ended: 44 * s}},
			`
timings  wall time 44 s; 2 phases, whose longest scenarios take 40 s together: ratio 1.10
phase 1    31 s  2 scenarios
  retry/b  30 s  from 2 s on shared
  retry/a  21 s  from 1 s on shared
phase 2    10 s  1 scenario
  load/c   10 s  from 33 s on own
`,
		},
		"cut short, of an older version": {
			evidence.Run{Scenarios: []evidence.Scenario{old}},
			`
timings  wall time 10 s, as far as it went; 1 phase, whose longest scenarios take 10 s together: ratio 1.00
phase 1    10 s  1 scenario
  retry/a  10 s  from 1 s on one sender
`,
		},
		"nothing played": {evidence.Run{Scenarios: []evidence.Scenario{skipped}}, "\ntimings  no scenario was played\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := reports.Timings(&b, &tt.run); err != nil {
				t.Fatal(err)
			}
			if got := b.String(); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
