package refsender_test

import (
	"slices"
	"testing"

	"github.com/hookassay/hookassay/internal/refsender"
)

// unseen are the defects that the stage has no situation for; each has a test of its own.
var unseen = []string{
	"loss-on-kill", "loss-on-shutdown", "dup-after-restart", "deadline-overrun", "no-jitter", "silent",
	"hol-single-worker", "emit-waits-for-delivery", "concurrency-unlimited", "log-raw-answer", "order-overtake", "replay-pending-accepted",
	"response-unbounded", "redirect-post-to-get", "redirect-to-internal", "keepalive-loss",
	"no-retry-tls", "tls-not-verified", "tls-name-not-checked", "tls-trust-ignored", "conn-leak", "conn-idle-forever",
	"sig-unicode-escape", "sig-key-not-decoded", "body-large-truncated", "backoff-overflow", "ra-huge-obeyed", "drip-resets-timeout", "loss-queue-full",
	"threshold-ignored", "threshold-too-early", "threshold-adds-up", "hdr-custom-overrides-signed",
}

func TestEachDefectBreaksItsPromiseAndNoOther(t *testing.T) {
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		if broken, why := play(t, ""); len(broken) != 0 {
			t.Errorf("broken without a defect: %v", why)
		}
	})
	for _, d := range refsender.Defects() {
		if d.Name == "silent" || d.Name == "infinite-retry" {
			continue // they get through no act
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			broken, why := play(t, d.Name)
			if seen := slices.Contains(broken, d.MustFail); seen == slices.Contains(unseen, d.Name) {
				t.Errorf("%s broken: %v; all that is broken: %v", d.MustFail, seen, why)
			}
			for _, promise := range broken {
				if promise != d.MustFail && !slices.Contains(d.MayAlso, promise) {
					t.Errorf("%s is broken as well: %s", promise, why[promise])
				}
			}
		})
	}
}
