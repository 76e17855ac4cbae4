package contract

import (
	"fmt"
	"time"
)

// AutoDisable is the promise that the sender disables an endpoint of its own accord once it has failed long enough, and not
// before: after Failures of them, or after FailingFor of nothing else. Exactly one of the two is set. A disabled endpoint gets
// nothing more until it is enabled.
//
// Failures of every kind count, permanent ones and those without an answer included. Whether attempts that were asked for by hand
// count is left open.
type AutoDisable struct {
	// Failures is how many failures disable the endpoint; 0: they are not counted.
	Failures int `yaml:"failures,omitempty"`
	// Of says what is counted: attempts, or events, which fail when they are given up.
	Of string `yaml:"of,omitempty"`
	// FailingFor disables the endpoint at a failure that comes so long after the first one of its series, or as soon as so
	// much time has passed; 0: time does not matter.
	FailingFor time.Duration `yaml:"failing_for,omitempty"`
	// OnSuccess is reset: a success begins the count, or the time, anew. Left out, what a success changes is not said, and nothing is judged across one.
	OnSuccess string `yaml:"on_success,omitempty"`
}

// Values of AutoDisable.
const (
	OfAttempts     = "attempts"
	OfEvents       = "events"
	OnSuccessReset = "reset"
)

// Counts tells whether failures are counted, and not their time.
func (a *AutoDisable) Counts() bool { return a.Failures > 0 }

func (c *Contract) checkAutoDisable(k *checker) {
	a := c.AutoDisable
	if a == nil {
		return
	}
	k.duration("auto_disable.failing_for", a.FailingFor)
	k.optional("auto_disable.on_success", a.OnSuccess, OnSuccessReset)
	switch {
	case a.Failures < 0:
		k.add("auto_disable.failures", "is %d; write how many failures disable an endpoint, or leave it out", a.Failures)
	case a.Failures > 0 && a.FailingFor > 0:
		k.add("auto_disable", "has both failures and failing_for; write the one that decides")
	case a.Failures == 0 && a.FailingFor == 0:
		k.add("auto_disable", "says neither after how many failures nor after how long; write failures or failing_for")
	case a.Failures > 0:
		k.oneOf("auto_disable.of", a.Of, OfAttempts, OfEvents)
	case a.Of != "":
		k.add("auto_disable.of", "stands beside failing_for, where nothing is counted; leave it out")
	}
}

// lintAutoDisable finds rules by which a single event ends the deliveries of its endpoint before its own schedule does.
func lintAutoDisable(c *Contract) []string {
	a, s := c.AutoDisable, c.Schedule
	if a == nil || s == nil {
		return nil
	}
	var hints []string
	switch span := s.Total().Max; {
	case a.Of == OfAttempts && a.Failures <= s.Count():
		hints = append(hints, fmt.Sprintf("auto_disable.failures: %d failed attempts disable the endpoint, and one event alone may make %d",
			a.Failures, s.Count()))
	case a.FailingFor > 0 && a.FailingFor < span:
		hints = append(hints, fmt.Sprintf("auto_disable.failing_for: %v is less than the %v over which one event alone may fail", a.FailingFor, span))
	}
	if a.OnSuccess == "" {
		hints = append(hints, "auto_disable.on_success: it is not said that a success begins the count anew, so rare failures may add up")
	}
	return hints
}
