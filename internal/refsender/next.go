package refsender

import (
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// kindInterrupted is a failure without a status beside those that a contract names: the process was killed meanwhile.
const kindInterrupted = "interrupted"

// facts is what is known when an attempt has ended.
type facts struct {
	number     int // of the attempt in its round, from 1
	accepted   time.Time
	start, end time.Time
	status     int           // 0: no status line came
	kind       string        // a contract.Error constant or kindInterrupted if the exchange broke off; else empty
	failure    string        // what went wrong, for people; empty after a success
	retryAfter string        // the header as received
	ahead      time.Duration // of the right time, by the sender's clock
	kept       bool          // see result
	replay     bool
	draw       float64 // uniform in [0, 1), for the jitter
}

type verdict string

const (
	delivered verdict = "delivered"
	retry     verdict = "retry"
	dead      verdict = "dead"
)

// decision is what follows an attempt.
type decision struct {
	verdict verdict
	at      time.Time // of the next attempt, for retry
	reason  string    // for dead: why, naming the last status or error
	hint    string    // for dead: what a person can do about it
	disable bool      // the endpoint gets nothing more
}

// decide says what follows an attempt that counts as of that class (see classify). It is pure: contract and facts in, decision
// out.
func decide(c *contract.Contract, f facts, class contract.Class) decision {
	switch class {
	case contract.Success:
		return decision{verdict: delivered}
	case contract.Permanent, contract.Disable, contract.Open:
		return decision{
			verdict: dead, disable: class == contract.Disable,
			reason: "permanent failure: " + f.failure, hint: hint(f),
		}
	case contract.Transient:
	}
	if f.replay {
		return decision{verdict: dead, reason: "replay failed: " + f.failure}
	}
	if limit := c.Schedule.Count(); f.number >= limit {
		return decision{verdict: dead, reason: fmt.Sprintf("attempts used up: %d of %d failed, the last with %s", f.number, limit, f.failure)}
	}
	return schedule(c, f)
}

// schedule places the next attempt, or gives up if its time lies past the deadline.
func schedule(c *contract.Contract, f facts) decision {
	at := from(c.Schedule, f).Add(draw(c.Schedule.Wait(f.number+1), f.draw))
	asked, ok := askedWait(c, f)
	if ok && f.end.Add(asked).After(at) {
		at = f.end.Add(asked)
	}
	over := at.Sub(f.accepted.Add(c.Schedule.Deadline))
	if c.Schedule.Deadline > 0 && over > 0 {
		return decision{verdict: dead, reason: fmt.Sprintf("deadline: attempt %d would start %v after it; attempt %d failed with %s",
			f.number+1, over.Round(time.Millisecond), f.number, f.failure)}
	}
	return decision{verdict: retry, at: at}
}

// from is where the wait before the next attempt begins.
func from(s *contract.Schedule, f facts) time.Time {
	if s.MeasuredFrom == contract.FromStart {
		return f.start
	}
	return f.end
}

// draw places u, in [0, 1), uniformly in the band.
func draw(b contract.Band, u float64) time.Duration {
	return b.Min + time.Duration(u*float64(b.Max-b.Min))
}

// classify tells a success from a failure that is retried and one that is not. An answer that broke off after its status
// line counts by its status, unless the contract wants a success complete.
func classify(c *contract.Contract, f facts) contract.Class {
	if f.kind == kindInterrupted {
		return contract.Transient
	}
	class := contract.Permanent
	if f.status != 0 {
		class = c.Class(f.status)
	}
	brokenOff := f.kind != "" && (f.status == 0 || class == contract.Success && c.Answers.Needs == needsComplete)
	if !brokenOff {
		return class
	}
	if c.TransientError(f.kind) {
		return contract.Transient
	}
	return contract.Permanent
}

// needsComplete is the value of contract.Answers.Needs that wants the answer to its last byte.
const needsComplete = "complete"

func hint(f facts) string {
	switch {
	case f.status >= 300 && f.status < 400:
		return "check the endpoint's configuration: redirects are not followed, so register the final URL"
	case f.status == 401 || f.status == 403:
		return "check the endpoint's configuration: does it verify with the secret that it was registered with?"
	case f.status != 0:
		return fmt.Sprintf("check the endpoint's configuration: status %d is not retried, since the same request would fail again", f.status)
	}
	return "check the endpoint's configuration: this failure is not retried, since the same request would fail again"
}
