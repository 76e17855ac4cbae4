package contract

import (
	"fmt"
	"slices"
	"strings"
)

// Lint returns hints on a valid contract: what is allowed, but rarely meant. None of them is an error. It is empty if
// there is nothing to say.
func Lint(c *Contract) []string {
	var hints []string
	if c.Schedule != nil {
		hints = append(hints, lintSchedule(c)...)
	}
	hints = append(hints, lintAutoDisable(c)...)
	if c.Envelope != nil {
		hints = append(hints, lintTypes(c.Envelope.Types)...)
	}
	return hints
}

func lintSchedule(c *Contract) []string {
	var hints []string
	s := c.Schedule
	if total := s.Total(); s.ClaimedWindow > 0 && (s.ClaimedWindow < total.Min || s.ClaimedWindow > total.Max) {
		hints = append(hints, fmt.Sprintf("schedule.claimed_window: says %v, but the waits add up to %v to %v",
			s.ClaimedWindow, total.Min, total.Max))
	}
	w := c.Window(s.Timeout)
	if n := len(w.Starts); n > 0 && w.Starts[n-1].InTime != Always {
		hints = append(hints, fmt.Sprintf("schedule.deadline: attempt %d starts up to %v late where each attempt runs into the timeout of %v",
			n, w.Starts[n-1].At.Max-s.Deadline, s.Timeout))
	}
	if s.Jitter == nil && s.Count() > 1 {
		hints = append(hints, "schedule.jitter: there is none, so all events of an outage are retried at the same moment")
	}
	if c.RetryAfter != nil && s.Deadline > 0 && c.RetryAfter.Cap > s.Deadline {
		hints = append(hints, fmt.Sprintf("retry_after.cap: %v lies past the deadline of %v", c.RetryAfter.Cap, s.Deadline))
	}
	if c.Keys != nil && c.Keys.Overlap < s.Deadline {
		hints = append(hints, fmt.Sprintf("keys.overlap: %v is shorter than the deadline of %v; retries outlive the old key",
			c.Keys.Overlap, s.Deadline))
	}
	return hints
}

// lintTypes looks at the tense of the action, which no rule can decide: the list of irregular forms is short on purpose.
func lintTypes(types []string) []string {
	irregular := []string{"sent", "paid", "made", "lost", "won", "built", "begun", "sold", "bought", "shipped", "held", "put", "set"}
	var hints []string
	for i, t := range types {
		action := t[strings.LastIndexAny(t, "._")+1:]
		if !strings.HasSuffix(action, "ed") && !slices.Contains(irregular, action) {
			hints = append(hints, fmt.Sprintf("envelope.types[%d]: %s does not look like the past tense", i, t))
		}
	}
	return hints
}
