package contract

import (
	"fmt"
	"slices"
	"strings"
)

// Lint returns hints on a valid contract: what is allowed, but contradicts itself or is rarely meant, each as "field: what", with the
// arithmetic behind it. None of them is an error. It is empty if there is nothing to say.
func Lint(c *Contract) []string {
	var hints []string
	if c.Schedule != nil {
		hints = append(hints, lintSchedule(c)...)
	}
	hints = append(hints, lintKeys(c)...)
	hints = append(hints, lintAutoDisable(c)...)
	hints = append(hints, lintCounts(c)...)
	if c.Envelope != nil {
		hints = append(hints, lintTypes(c.Envelope.Types)...)
	}
	return hints
}

func lintSchedule(c *Contract) []string {
	s := c.Schedule
	if !s.Stepped() {
		return nil
	}
	hints := append(lintClaim(s), lintDeadline(c)...)
	hints = append(hints, lintJitter(s)...)
	if c.RetryAfter != nil && s.Deadline > 0 && c.RetryAfter.Cap > s.Deadline {
		hints = append(hints, fmt.Sprintf("retry_after.cap: %v lies past the deadline of %v", c.RetryAfter.Cap, s.Deadline))
	}
	if s.Lease > 0 && s.Lease < s.Timeout {
		hints = append(hints, fmt.Sprintf(
			"schedule.lease: %v is shorter than the request timeout of %v; another worker sends a copy while the first one still waits for its answer",
			s.Lease, s.Timeout))
	}
	if s.MeasuredFrom == FromStart {
		for k := 2; k <= s.Count(); k++ {
			if w := s.Wait(k); w.Min > 0 && w.Min < s.Timeout {
				hints = append(hints, fmt.Sprintf(
					"schedule.waits[%d]: %v counts from the start of the attempt before, whose timeout is %v; after a timeout the next attempt follows without a pause",
					min(k, len(s.Waits))-1, w, s.Timeout))
				break
			}
		}
	}
	return hints
}

// lintClaim compares the claimed window with what the schedule adds up to: the waits, and at most a timeout for each attempt.
func lintClaim(s *Schedule) []string {
	total := s.Total()
	if s.ClaimedWindow == 0 || s.ClaimedWindow >= total.Min && s.ClaimedWindow <= total.Max {
		return nil
	}
	hint := fmt.Sprintf("schedule.claimed_window: says %v, but the waits add up to %v: %s", s.ClaimedWindow, total, s.terms())
	if n := s.Fewest(); n < s.Count() {
		fewer := *s
		fewer.Attempts = n
		hint += fmt.Sprintf("; with %d attempts to %v", n, fewer.Total())
	}
	if s.ClaimedWindow > total.Max && total.Max > 0 {
		hint += fmt.Sprintf("; the claim is %.1f times the longest", float64(s.ClaimedWindow)/float64(total.Max))
	}
	return []string{hint}
}

// lintDeadline tells whether attempts that run into their timeout push the last one past the deadline.
func lintDeadline(c *Contract) []string {
	s := c.Schedule
	w := c.Window(s.Timeout)
	n := len(w.Starts)
	if n == 0 || w.Starts[n-1].InTime == Always {
		return nil
	}
	at := w.Starts[n-1].At
	return []string{fmt.Sprintf(
		"schedule.deadline: attempt %d starts up to %v late where each attempt runs into the timeout of %v: %v of waits + %v of jitter + %d timeouts of %v = %v, and the deadline is %v",
		n, at.Max-s.Deadline, s.Timeout, w.Waits.Max, w.Jitter, n-1, s.Timeout, at.Max, s.Deadline)}
}

func lintJitter(s *Schedule) []string {
	if s.Jitter == nil {
		if s.Count() > 1 && (s.Slack == nil || s.Slack.Share == 0) {
			return []string{"schedule.jitter: there is none, so all events of an outage are retried at the same moment"}
		}
		return nil
	}
	var hints []string
	for k := 2; k <= s.Count(); k++ {
		gap := s.Range(k)
		if spread := s.Spread(k); gap.Min > 0 && spread > gap.Min {
			hints = append(hints, fmt.Sprintf("schedule.jitter: it spreads the %v before attempt %d over %v, more than the wait itself (+%v %% and -%v %%)",
				gap, k, spread, s.Jitter.Plus*100, s.Jitter.Minus*100))
			break // the shares are those of all waits
		}
	}
	if slack := s.Deadline - s.sum().Max; s.Deadline > 0 && s.Total().Max > s.Deadline {
		hints = append(hints, fmt.Sprintf("schedule.jitter: it adds up to %v to the waits, and the deadline leaves %v over them",
			s.Total().Max-s.sum().Max, slack))
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
