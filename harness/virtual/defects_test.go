package virtual_test

import (
	"slices"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
	"github.com/hookassay/hookassay/internal/refsender"
)

// slow are defects that show in the real waits, or in what a restart leaves, with scenarios that bring them out. All defects are
// the kill matrix's, in compressed time.
func slow() map[string][]string {
	return map[string][]string{
		"no-backoff":                 {"retry/transient-status"},
		"no-jitter":                  {"backoff/*"},
		"ra-ignored":                 {"backoff/retry-after-seconds"},
		"attempts-off-by-one":        {"budget/always-failing"},
		"deadline-overrun":           {"budget/*"},
		"rotation-old-never-dropped": {"secret/rotation"},
		"loss-on-shutdown":           {"durability/stop-before-delivery"},
		"silent":                     {"delivery/first-try"},
	}
}

func TestDefectsAreCaughtOnVirtualTime(t *testing.T) {
	t.Parallel()
	caught := 0
	for _, d := range refsender.Defects() {
		scenarios := slow()[d.Name]
		if scenarios == nil {
			continue
		}
		caught++
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			r := virtual.Run(t, virtual.Config{NewSender: inprocess.Virtual(d.Name), Restarts: true, Select: scenarios})
			found := false
			for _, v := range r.Verdicts {
				found = found || v.Check == d.MustFail && v.Outcome == judge.Fail
				switch silent := d.Name == "silent"; {
				case v.Outcome == judge.Pass && silent, v.Outcome == judge.Error:
					t.Errorf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
				case v.Outcome == judge.Fail && !silent && v.Check != d.MustFail && !slices.Contains(d.MayAlso, v.Check):
					t.Errorf("%s in %s fails, which is no company of it: %s", v.Check, v.Scenario, v.Because)
				}
			}
			if !found || r.Verdict != judge.NonConformant {
				t.Errorf("%s does not fail; %s: %s", d.MustFail, r.Verdict, r.Why)
			}
		})
	}
	if caught != len(slow()) {
		t.Errorf("%d of %d defects are known: a name has changed", caught, len(slow()))
	}
}
