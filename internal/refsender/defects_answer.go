package refsender

import (
	"context"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// contract returns the contract that the sender really follows: several defects are a promise left out.
func (d defect) contract(c *contract.Contract) *contract.Contract {
	followed := *c
	if c.Schedule != nil {
		schedule := *c.Schedule
		followed.Schedule = &schedule
	}
	switch {
	case d == noRetryTimeout:
		followed.Answers.Errors = slices.DeleteFunc(slices.Clone(c.Answers.Errors),
			func(kind string) bool { return kind == contract.ErrorTimeout })
	case d == orderOvertake:
		followed.Order = ""
	case d == raIgnored:
		followed.RetryAfter = nil
	case d == raDateIgnored && c.RetryAfter != nil:
		heeded := *c.RetryAfter
		heeded.Forms = []string{formSeconds}
		followed.RetryAfter = &heeded
	case d == raHugeObeyed && c.RetryAfter != nil:
		heeded := *c.RetryAfter
		heeded.Cap = 0
		followed.RetryAfter = &heeded
	case c.Schedule == nil:
	case d == noJitter:
		followed.Schedule.Jitter = nil
	case d == deadlineOverrun:
		followed.Schedule.Deadline = 0
	case d == infiniteRetry:
		followed.Schedule.Attempts, followed.Schedule.Deadline = attemptsForEver, 0
	case d == attemptsOffByOne:
		followed.Schedule.Attempts = c.Schedule.Count() - 1
		if followed.Schedule.Attempts < 2 { // none, or none after a failure, would be another defect
			followed.Schedule.Attempts = c.Schedule.Count() + 1
		}
	}
	return &followed
}

// class is what an attempt counts as; right is what it should.
func (d defect) class(f facts, right contract.Class) contract.Class {
	within := func(lo, hi int) bool { return lo <= f.status && f.status <= hi }
	switch {
	case d == only200Success && right == contract.Success && f.status != http.StatusOK:
		return contract.Transient
	case d == anyResponseSuccess && f.status != 0, d == redirectStatusSuccess && within(300, 399):
		return contract.Success
	case d == noRetry5xx && within(500, 599), d == noRetry429 && f.status == http.StatusTooManyRequests,
		d.endsBy(f),
		d == noRetryReset && f.status == 0 && f.kind == contract.ErrorConnection,
		d == keepaliveLoss && f.status == 0 && f.kind == contract.ErrorConnection && f.kept:
		return contract.Permanent
	case d == retryPermanent4xx && right == contract.Permanent && within(400, 499):
		return contract.Transient
	case d == goneNotDisabled && right == contract.Disable:
		return contract.Permanent
	}
	return right
}

// placed moves the next attempt. Without backoff a retry waits for the jitter alone, so that its spread is right and only its
// place is wrong; a wait that was asked for is kept.
func (d defect) placed(c *contract.Contract, f facts, dec decision) decision {
	if d != noBackoff || dec.verdict != retry {
		return d.doubled(c, f, dec)
	}
	if _, asked := askedWait(c, f); !asked {
		band := c.Schedule.Wait(f.number + 1)
		dec.at = from(c.Schedule, f).Add(draw(contract.Band{Max: band.Max - band.Min}, f.draw))
	}
	return dec
}

// takes is how many bytes of an answer's body are read; 0 is said where the contract says nothing.
func (d defect) takes(said int) int64 {
	switch {
	case d == responseUnbounded:
		return math.MaxInt64
	case said > 0:
		return int64(said)
	}
	return answerMax
}

// limit bounds one request. Without a timeout, or while its time begins anew, it ends only when the sender does, a timeout after
// that has begun.
func (d defect) limit(start time.Time, timeout time.Duration, halted <-chan struct{}) (context.Context, context.CancelFunc) {
	if d != noRequestTimeout && d != dripResetsTimeout {
		return context.WithDeadline(context.Background(), start.Add(timeout))
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := ctx.Done()
	go func() {
		select {
		case <-done:
			return
		case <-halted:
		}
		select {
		case <-done:
		case <-time.After(timeout):
			cancel()
		}
	}()
	if d == dripResetsTimeout {
		return restarted(ctx, timeout, cancel), cancel
	}
	return ctx, cancel
}
