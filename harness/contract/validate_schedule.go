package contract

import (
	"fmt"
	"time"
)

// maxCodes bounds a list of statuses: there are nine classes, and ranges cut between a few exceptions.
const maxCodes = 100

// checkAnswers tells whether all lists of statuses can be read.
func (c *Contract) checkAnswers(k *checker) bool {
	a := c.Answers
	if len(a.Success) == 0 {
		k.add("answers.success", "is missing; write the statuses that end a delivery, as [2xx]")
	}
	k.optional("answers.needs", a.Needs, "head", "complete")
	k.oneOf("answers.otherwise", a.Otherwise, OtherwiseRetry, OtherwisePermanent, OtherwiseOpen)
	k.subset("answers.errors", a.Errors, ErrorTimeout, ErrorConnection, ErrorTLS)
	k.optional("answers.redirects", a.Redirects, "fail", "follow")
	before := len(k.found)
	owner := map[int]string{}
	for _, list := range []struct {
		field string
		codes Codes
	}{
		{"answers.success", a.Success},
		{"answers.retry", a.Retry},
		{"answers.permanent", a.Permanent},
		{"answers.disable", a.Disable},
	} {
		k.codes(list.field, list.codes, owner)
	}
	return len(k.found) == before
}

// codes reports entries that are no code, and the first status of an entry that another entry names already.
func (k *checker) codes(field string, cs Codes, owner map[int]string) {
	if len(cs) > maxCodes {
		k.add(field, "has %d entries; write classes and ranges, at most %d", len(cs), maxCodes)
		return
	}
	for i, entry := range cs {
		at := fmt.Sprintf("%s[%d]", field, i)
		lo, hi, err := codeRange(entry)
		if err != nil {
			k.add(at, "%v", err)
			continue
		}
		for status := lo; status <= hi; status++ {
			if other, taken := owner[status]; taken {
				k.add(at, "%s names %d, which stands in %s already", entry, status, other)
				break
			}
		}
		for status := lo; status <= hi; status++ {
			owner[status] = at
		}
	}
}

func (c *Contract) checkSchedule(k *checker) {
	s := c.Schedule
	sound := k.waits("schedule.waits", s.Waits, c.timeUnit())
	sound = k.longest(s, c.timeUnit()) && sound
	switch {
	case s.Attempts < 0:
		k.add("schedule.attempts", "is %d; write how many requests are made at most, or leave it out", s.Attempts)
	case s.Attempts > 0 && s.Attempts < len(s.Waits):
		k.add("schedule.attempts", "is %d, but there are %d waits; the last would never be used", s.Attempts, len(s.Waits))
	case s.Count() > maxAttempts:
		k.add("schedule.attempts", "is %d; at most %d can be reckoned with", s.Count(), maxAttempts)
	}
	if s.AttemptsMin < 0 || s.AttemptsMin > s.Count() {
		k.add("schedule.attempts_min", "is %d, and at most %d attempts are made; write a number from 1 to that, or leave it out",
			s.AttemptsMin, s.Count())
	}
	k.optional("schedule.measured_from", s.MeasuredFrom, FromEnd, FromStart)
	k.duration("schedule.timeout", s.Timeout)
	k.duration("schedule.deadline", s.Deadline)
	k.duration("schedule.terminal_within", s.TerminalWithin)
	k.duration("schedule.claimed_window", s.ClaimedWindow)
	k.duration("schedule.lease", s.Lease)
	k.jitter(s.Jitter)
	s.checkSlack(k)
	if sound && s.Count() <= maxAttempts && s.Deadline > 0 && s.Deadline < s.sum().Min {
		k.add("schedule.deadline", "%v is shorter than the waits, %v in all; attempt %d could never start",
			s.Deadline, s.sum().Min, s.Count())
	}
}

// waits tells whether all waits can be reckoned with.
func (k *checker) waits(list string, waits []time.Duration, unit time.Duration) bool {
	before := len(k.found)
	for i, w := range waits {
		field := fmt.Sprintf("%s[%d]", list, i)
		k.duration(field, w)
		if w > 0 && w%unit != 0 {
			k.add(field, "%v is no multiple of time_unit, %v; the sender cannot wait so long exactly", w, unit)
		}
	}
	return len(k.found) == before
}

// longest tells whether the upper ends of ranges can be reckoned with.
func (k *checker) longest(s *Schedule, unit time.Duration) bool {
	const list = "schedule.waits_max"
	if len(s.WaitsMax) == 0 {
		return true
	}
	if len(s.WaitsMax) != len(s.Waits) {
		k.add(list, "has %d entries, and waits has %d; write the longest of each wait, the same where it is no range", len(s.WaitsMax), len(s.Waits))
		return false
	}
	sound := k.waits(list, s.WaitsMax, unit)
	for i, w := range s.WaitsMax {
		if w < s.Waits[i] {
			k.add(fmt.Sprintf("%s[%d]", list, i), "%v is shorter than the wait itself, %v", w, s.Waits[i])
			sound = false
		}
	}
	return sound
}

func (k *checker) jitter(j *Jitter) {
	if j == nil {
		return
	}
	// Written so that NaN is refused as well.
	if !(j.Plus >= 0 && j.Plus <= maxJitter) {
		k.add("schedule.jitter.plus", "is %v; write a share of the wait from 0 to %d, as 0.02", j.Plus, maxJitter)
	}
	if !(j.Minus >= 0 && j.Minus <= 1) {
		k.add("schedule.jitter.minus", "is %v; write a share of the wait from 0 to 1, as 0.02", j.Minus)
	}
	if j.Plus == 0 && j.Minus == 0 {
		k.add("schedule.jitter", "is 0 both ways; leave it out if there is none")
	}
}

// checkRetryAfter reads the classes of statuses only where sound says that they can be.
func (c *Contract) checkRetryAfter(k *checker, sound bool) {
	r := c.RetryAfter
	if len(r.Codes) == 0 {
		k.add("retry_after.codes", "is missing; write the statuses on which it is honoured, as [429]")
	}
	before := len(k.found)
	k.codes("retry_after.codes", r.Codes, map[int]string{})
	if sound && len(k.found) == before {
		c.checkHonoured(k)
	}
	k.duration("retry_after.cap", r.Cap)
	// Written so that NaN is refused as well.
	if !(r.CapFactor == 0 || r.CapFactor >= 1 && r.CapFactor <= maxCapFactor) {
		k.add("retry_after.cap_factor", "is %v; write a multiple of the ordinary wait from 1 to %d, as 2, or leave it out", r.CapFactor, maxCapFactor)
	}
	if len(r.Forms) == 0 {
		k.add("retry_after.forms", "is missing; write [seconds], [date] or both")
	}
	k.subset("retry_after.forms", r.Forms, "seconds", "date")
	k.optional("retry_after.past_deadline", r.PastDeadline, "give-up")
}

// checkHonoured reports statuses on which Retry-After is honoured although no attempt follows them.
func (c *Contract) checkHonoured(k *checker) {
	for i, entry := range c.RetryAfter.Codes {
		lo, hi, err := codeRange(entry)
		for status := lo; err == nil && status <= hi; status++ {
			if class := c.Class(status); class != Transient {
				k.add(fmt.Sprintf("retry_after.codes[%d]", i), "%d is %s, so no attempt follows that could wait", status, class)
				break
			}
		}
	}
}
