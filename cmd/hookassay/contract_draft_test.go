package main

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
)

// What contract init writes contradicts nothing, whatever was answered, unless it refuses.
func TestADraftLintsClean(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		span := func(what string, most time.Duration) time.Duration {
			return time.Duration(rapid.Int64Range(1, most.Milliseconds()).Draw(t, what)) * time.Millisecond
		}
		d := draft{
			name: "acme", header: "X-Id", scheme: rapid.SampledFrom([]string{"none", "timestamp-v1", "standard-webhooks-v1"}).Draw(t, "scheme"),
			retries: rapid.IntRange(1, maxRetries).Draw(t, "retries"), first: span("first", time.Hour), timeout: span("timeout", 10*time.Minute),
			replay: rapid.Bool().Draw(t, "replay"), log: rapid.Bool().Draw(t, "log"),
		}
		d.longest = d.first + span("more", 100*time.Hour)
		c, err := d.contract()
		if err != nil {
			if !strings.Contains(err.Error(), "schedule.deadline") { // 50 waits of 100 h are more than a contract may take
				t.Fatalf("%+v: %v", d, err)
			}
			return
		}
		if hints := contract.Lint(c); len(hints) > 0 {
			t.Fatalf("%+v: %v", d, hints)
		}
		text, err := c.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := contract.Parse("contract.yaml", text); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
	})
}
