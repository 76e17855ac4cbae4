package contract_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
)

func TestLint(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(c *contract.Contract)
		want   []string
	}{
		{"nothing to say", func(*contract.Contract) {}, nil},
		{
			"tense", func(c *contract.Contract) {
				c.Envelope.Types = []string{"payment.succeeded", "order.create", "invoice.sent"}
			},
			[]string{"envelope.types[1]: order.create does not look like the past tense"},
		},
		{
			"claimed window", func(c *contract.Contract) { c.Schedule.ClaimedWindow = 24 * time.Hour },
			[]string{"schedule.claimed_window: says 24h0m0s, but the waits add up to 1h12m36s to 1h14m3.12s"},
		},
		{"claimed window within jitter", func(c *contract.Contract) { c.Schedule.ClaimedWindow = 73 * time.Minute }, nil},
		{
			"timeouts eat the slack", func(c *contract.Contract) { c.Schedule.Timeout = 30 * time.Second },
			[]string{"schedule.deadline: attempt 6 starts up to 1m33.12s late where each attempt runs into the timeout of 30s"},
		},
		{
			"no jitter", func(c *contract.Contract) { c.Schedule.Jitter = nil },
			[]string{"schedule.jitter: there is none, so all events of an outage are retried at the same moment"},
		},
		{
			"cap past the deadline", func(c *contract.Contract) { c.RetryAfter.Cap = 2 * time.Hour },
			[]string{"retry_after.cap: 2h0m0s lies past the deadline of 1h15m0s"},
		},
		{
			"short overlap", func(c *contract.Contract) { c.Keys.Overlap = time.Hour },
			[]string{"keys.overlap: 1h0m0s is shorter than the deadline of 1h15m0s; retries outlive the old key"},
		},
		{
			"one event disables its endpoint", func(c *contract.Contract) {
				c.AutoDisable = &contract.AutoDisable{Failures: 6, Of: contract.OfAttempts, OnSuccess: contract.OnSuccessReset}
			},
			[]string{"auto_disable.failures: 6 failed attempts disable the endpoint, and one event alone may make 6"},
		},
		{
			"failures of events", func(c *contract.Contract) {
				c.AutoDisable = &contract.AutoDisable{Failures: 2, Of: contract.OfEvents, OnSuccess: contract.OnSuccessReset}
			}, nil,
		},
		{
			"one event outlives its endpoint", func(c *contract.Contract) {
				c.AutoDisable = &contract.AutoDisable{FailingFor: time.Hour, OnSuccess: contract.OnSuccessReset}
			},
			[]string{"auto_disable.failing_for: 1h0m0s is less than the 1h14m3.12s over which one event alone may fail"},
		},
		{
			"failures that add up", func(c *contract.Contract) {
				c.AutoDisable = &contract.AutoDisable{Failures: 100, Of: contract.OfAttempts}
			},
			[]string{"auto_disable.on_success: it is not said that a success begins the count anew, so rare failures may add up"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := bounded6(t)
			tt.change(c)
			if err := c.Validate(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, contract.Lint(c)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
