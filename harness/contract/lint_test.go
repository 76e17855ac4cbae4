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
			[]string{"schedule.claimed_window: says 24h0m0s, but the waits add up to 1h12m36s to 1h14m3.12s: 1 + 5 + 30 + 120 + 600 + 3600 s; the claim is 19.4 times the longest"},
		},
		{"claimed window within jitter", func(c *contract.Contract) { c.Schedule.ClaimedWindow = 73 * time.Minute }, nil},
		{
			"timeouts eat the slack", func(c *contract.Contract) { c.Schedule.Timeout = 30 * time.Second },
			[]string{"schedule.deadline: attempt 6 starts up to 1m33.12s late where each attempt runs into the timeout of 30s: 1h12m36s of waits + 1m27.12s of jitter + 5 timeouts of 30s = 1h16m33.12s, and the deadline is 1h15m0s"},
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
			[]string{"keys.overlap: 1h0m0s is shorter than the deadline of 1h15m0s; retries outlive the old key by up to 15m0s and fail"},
		},
		{
			"jitter wider than the gap", func(c *contract.Contract) {
				c.Schedule.Jitter = &contract.Jitter{Plus: 0.02, Minus: 0.99}
			},
			[]string{"schedule.jitter: it spreads the 5s before attempt 2 over 5.05s, more than the wait itself (+2 % and -99 %)"},
		},
		{
			"jitter past the deadline", func(c *contract.Contract) {
				c.Schedule.Jitter.Plus, c.Schedule.Timeout = 0.04, time.Second
			},
			[]string{
				"schedule.deadline: attempt 6 starts up to 35.24s late where each attempt runs into the timeout of 1s: " +
					"1h12m36s of waits + 2m54.24s of jitter + 5 timeouts of 1s = 1h15m35.24s, and the deadline is 1h15m0s",
				"schedule.jitter: it adds up to 2m54.24s to the waits, and the deadline leaves 2m24s over them",
			},
		},
		{
			"a lease that ends in the middle", func(c *contract.Contract) { c.Schedule.Lease = 5 * time.Second },
			[]string{"schedule.lease: 5s is shorter than the request timeout of 10s; another worker sends a copy while the first one still waits for its answer"},
		},
		{
			"waits from the start", func(c *contract.Contract) { c.Schedule.MeasuredFrom = contract.FromStart },
			[]string{"schedule.waits[1]: 5s to 5.1s counts from the start of the attempt before, whose timeout is 10s; after a timeout the next attempt follows without a pause"},
		},
		{
			"retries with an old signed time", func(c *contract.Contract) { c.Signature.Resign = contract.ResignSame },
			[]string{"signature.resign: retries keep the first signed time, and attempt 5 comes 12m36s to 12m51.12s after acceptance; a receiver that allows 5m0s refuses it and all later ones"},
		},
		{
			"a signature that outlives its key", func(c *contract.Contract) {
				c.Signature.Resign, c.Signature.Tolerance = contract.ResignSame, 2*time.Hour
				c.Schedule.Deadline, c.Keys.Overlap = 0, time.Hour
			},
			[]string{"keys.overlap: 1h0m0s is shorter than the 1h14m53.12s over which a retry keeps its first signature; queued retries fail"},
		},
		{
			"a sample that forgives nothing", func(c *contract.Contract) { c.Acceptance.Sample = 50 },
			[]string{"acceptance.sample: of 50 events 0.5 may be lost at a rate of 0.99, so that a single one misses it; take 100 or more"},
		},
		{
			"one endpoint takes all workers", func(c *contract.Contract) { c.Fairness.PerEndpoint = 64 },
			[]string{"fairness.per_endpoint: one endpoint that hangs may hold 64 requests, and there are 64 workers; nothing is left for the others"},
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
