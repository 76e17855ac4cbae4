package refsender_test

import (
	"testing"

	"github.com/hookassay/hookassay/internal/refsender"
)

// reported are bugs of real senders, by the names that the catalogue of the judge's proof gives them.
func reported() []string {
	return []string{
		"sig-reserialised", "sig-unicode-escape", "sig-body-only", "sig-key-not-decoded", "sig-missing-on-retry",
		"ts-stale-on-retry", "ts-milliseconds", "created-local-zone", "id-missing", "id-new-on-retry", "body-empty-on-retry",
		"body-rebuilt-on-retry", "body-number-rounded", "body-large-truncated", "ct-wrong", "url-query-stripped",
		"hdr-custom-overrides-signed", "only-200-success", "any-response-success", "redirect-status-success", "no-retry-5xx",
		"no-retry-429", "no-retry-timeout", "no-retry-reset", "retry-permanent-4xx", "no-backoff", "no-jitter", "backoff-overflow",
		"ra-ignored", "ra-date-ignored", "ra-huge-obeyed", "attempts-off-by-one", "infinite-retry", "deadline-overrun",
		"no-request-timeout", "drip-resets-timeout", "response-unbounded", "keepalive-loss", "no-retry-tls", "redirect-post-to-get",
		"redirect-to-internal", "tls-not-verified", "rotation-cached-old", "rotation-old-never-dropped", "secret-in-log",
		"loss-on-kill", "loss-on-shutdown", "loss-queue-full", "dup-after-restart", "hol-single-worker", "order-overtake",
		"gone-not-disabled", "send-after-disable", "replay-new-id", "replay-stale-timestamp", "replay-wraps-payload",
		"log-missing-attempt", "log-next-attempt-wrong", "dlq-missing", "dlq-no-reason",
	}
}

func TestEveryReportedBugHasADefect(t *testing.T) {
	all := map[string]bool{}
	for _, d := range refsender.Defects() {
		all[d.Name] = true
	}
	for _, name := range reported() {
		if !all[name] {
			t.Errorf("no defect is called %s", name)
		}
	}
}
