package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/accept"
	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// promised is the contract that attempts are held against; nil: nobody said one.
func (f receiverFlags) promised() (*contract.Contract, error) {
	if f.contract != "" {
		return compressed(f.contract, f.compress)
	}
	if f.compress != 1 {
		return nil, errors.New("--compress divides a contract's waits: give the contract with --contract")
	}
	return nil, nil // to judge nobody is no failure
}

// byContract sets what a receiver can know of a contract: where an event's id is, how long it may be retried, which wait each
// attempt has, and how the last events are counted. c may be nil.
func byContract(cfg *mockreceiver.Config, c *contract.Contract) error {
	cfg.Version = version()
	if c == nil {
		return nil
	}
	text, err := c.Marshal()
	if err != nil {
		return err
	}
	cfg.Contract = string(text)
	if c.Identity != nil {
		cfg.IDHeader, cfg.IDBody = c.Identity.Header, c.Identity.Body
	}
	if c.Schedule != nil {
		cfg.RetryFor = c.Schedule.Deadline
		cfg.Window = func(n int, before *journal.Attempt) (mockreceiver.Window, bool) { return window(c, n, before) }
	}
	cfg.Acceptance = func(_ context.Context, now time.Time, events [][]journal.Attempt) (any, error) {
		return accepted(c, now, events), nil
	}
	return nil
}

// shownWaits is how many of a contract's waits the start line shows: those of a usual schedule.
const shownWaits = 5

// contractLine is how a contract is shown at the start, in short; empty without one.
func contractLine(c *contract.Contract) string {
	if c == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\ncontract      %s", c.Name)
	if c.CompressedBy > 1 {
		fmt.Fprintf(&b, ", compressed by %d", c.CompressedBy)
	}
	s := c.Schedule
	if s == nil || !s.Stepped() {
		return b.String()
	}
	var waits []string
	for n := 2; n <= s.Count(); n++ { // the one before the first attempt nobody here can see
		if len(waits) == shownWaits {
			waits = append(waits, "…")
			break
		}
		waits = append(waits, brief(s.Wait(n)))
	}
	if len(waits) > 0 {
		fmt.Fprintf(&b, "; waits %s", strings.Join(waits, ", "))
	}
	if s.Deadline > 0 {
		fmt.Fprintf(&b, "; given up after %s", s.Deadline.Round(time.Millisecond))
	}
	return b.String()
}

// brief shows the bounds of a wait, to the precision at which a person reads them.
func brief(w contract.Band) string {
	least, most := w.Min.Round(time.Millisecond), w.Max.Round(time.Millisecond)
	if least == most {
		return least.String()
	}
	return least.String() + "-" + most.String()
}

// window is the wait that the contract has before the n-th attempt, after the one before it was answered as it was. There is
// none where the contract calls for no further attempt.
func window(c *contract.Contract, n int, before *journal.Attempt) (mockreceiver.Window, bool) {
	s, o := c.Schedule, before.Outcome
	if !s.Stepped() || n > s.Count() || o == nil || o.Status != 0 && c.Class(o.Status) != contract.Transient {
		return mockreceiver.Window{}, false
	}
	b := s.Wait(n)
	w := mockreceiver.Window{Min: b.Min, Max: b.Max, FromStart: s.MeasuredFrom == contract.FromStart}
	if !c.HonoursRetryAfter(o.Status) {
		return w, true
	}
	if asked := retryAfter(o, before.Wall); asked > w.Min {
		if c.RetryAfter.Cap > 0 {
			asked = min(asked, c.RetryAfter.Cap)
		}
		w.Min, w.Max = max(w.Min, asked), max(w.Max, asked+w.Max-w.Min)
	}
	return w, true
}

// retryAfter is the wait that an answer asked for, in seconds or by a date; 0: none that can be read.
func retryAfter(o *evidence.Outcome, now time.Time) time.Duration {
	text := evidence.Head{Fields: o.Header}.Get("Retry-After")
	const mostSeconds = 1 << 32 // a century, which fits a duration
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 && n < mostSeconds {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(now)
	}
	return 0
}

// received brings what a receiver has of its events into the form in which deliveries are counted. An event that never arrived is
// not there.
func received(events [][]journal.Attempt) []accept.Event {
	out := make([]accept.Event, 0, len(events))
	for _, attempts := range events {
		e := accept.Event{Endpoint: attempts[0].Endpoint, ID: attempts[0].Key}
		for i := range attempts {
			one := &attempts[i]
			a := evidence.Attempt{Arrival: one.Arrival, Outcome: one.Outcome}
			if unknownSuccess(one) { // what the answer would have stood for is there
				a.Outcome = &evidence.Outcome{Status: http.StatusOK, End: evidence.EndComplete, ReplyStart: one.Effect.At, ReplyEnd: one.Effect.At}
			}
			e.Attempts = append(e.Attempts, a)
			if one.Effect != nil {
				e.Effects = append(e.Effects, *one.Effect)
			}
		}
		out = append(out, e)
	}
	return out
}
