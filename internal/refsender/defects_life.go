package refsender

import (
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

const (
	thresholdIgnored  defect = "threshold-ignored"
	thresholdTooEarly defect = "threshold-too-early"
	thresholdAddsUp   defect = "threshold-adds-up"
)

// lifeDefects are bugs in when an endpoint that fails is disabled.
func lifeDefects() []Defect {
	return []Defect{
		{
			Name: string(thresholdIgnored), MustFail: "life.threshold", MayAlso: company(), Contract: AutoDisables,
			Title: "an endpoint is never disabled for its failures",
		},
		{
			// What waits for its next attempt at that endpoint ends with it.
			Name: string(thresholdTooEarly), MustFail: "life.threshold", MayAlso: company("retry.transient"), Contract: AutoDisables,
			Title: "an endpoint is disabled one failure too early",
		},
		{
			Name: string(thresholdAddsUp), MustFail: "life.threshold", MayAlso: company(), Contract: AutoDisables,
			Title: "a success does not begin the count of failures anew",
		},
	}
}

// forgives tells whether a success puts an end to a series of failures.
func (d defect) forgives() bool { return d != thresholdAddsUp }

// enough tells whether the failures of an endpoint disable it. One too early where none is counted is one quarter of the time.
func (d defect) enough(rule *contract.AutoDisable, failures int, failing time.Duration) bool {
	most, longest := rule.Failures, rule.FailingFor
	switch d {
	case thresholdIgnored:
		return false
	case thresholdTooEarly:
		most, longest = most-1, longest-longest/4
	default:
	}
	if rule.Counts() {
		return failures >= most
	}
	return failing >= longest
}
