package virtual_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/harness/sender"
	"github.com/hookassay/hookassay/harness/virtual"
	"github.com/hookassay/hookassay/internal/inprocess"
)

// TestNoAlarmWhereAProfileIsOpen plays senders that keep a provider's profile and settle in their own way what it leaves open: whether,
// when and how often failures are retried that it says nothing of, and how long a request may take. No check may fail or warn.
func TestNoAlarmWhereAProfileIsOpen(t *testing.T) {
	t.Parallel()
	for _, name := range contract.Profiles() {
		if name == "adyen" {
			continue // a hundred attempts for each event take a minute of computing
		}
		for _, way := range []string{"eager", "meek"} {
			t.Run(name+" "+way, func(t *testing.T) {
				t.Parallel()
				c, own := enveloped(t, name), enveloped(t, name)
				settle(own, way == "eager")
				r := virtual.Run(t, virtual.Config{
					Name: name, Contract: c, Select: played(),
					NewSender: func(ctx context.Context, env virtual.Env) (sender.Sender, error) {
						env.Contract = own
						return inprocess.Virtual("")(ctx, env)
					},
				})
				for _, v := range r.Verdicts {
					if slices.Contains([]judge.Outcome{judge.Fail, judge.Warn, judge.Error}, v.Outcome) {
						t.Errorf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
					}
				}
				// Some promises are put to no test by a few scenarios, and by a sender that does not retry while it is watched.
				if r.Verdict != judge.Conformant && r.Verdict != judge.Incomplete {
					t.Errorf("%s: %s", r.Verdict, r.Why)
				}
			})
		}
	}
}

// played are the scenarios in which answers, waits and attempts show.
func played() []string {
	return []string{"retry/transient-status", "retry/permanent-status", "budget/always-failing"}
}

// TestOneAttemptTooManyIsFoundWithoutWaits plays a sender that makes twelve attempts where nine are promised, at times that are not said.
func TestOneAttemptTooManyIsFoundWithoutWaits(t *testing.T) {
	t.Parallel()
	c, own := enveloped(t, "shopify"), enveloped(t, "shopify")
	own.Schedule = &contract.Schedule{Waits: slices.Repeat([]time.Duration{3 * time.Second}, 12), Timeout: c.Schedule.Timeout}
	r := virtual.Run(t, virtual.Config{
		Contract: c, Select: played(),
		NewSender: func(ctx context.Context, env virtual.Env) (sender.Sender, error) {
			env.Contract = own
			return inprocess.Virtual("")(ctx, env)
		},
	})
	for _, v := range r.Verdicts {
		if failed := v.Outcome == judge.Fail; failed != (v.Check == "budget.attempts" && v.Scenario == "budget/always-failing") {
			t.Errorf("%s in %s: %s: %s", v.Check, v.Scenario, v.Outcome, v.Because)
		}
	}
}

// enveloped is a profile with the signature and the envelope that the reference sender can make.
func enveloped(t *testing.T, name string) *contract.Contract {
	t.Helper()
	c, err := contract.Profile(name)
	if err != nil {
		t.Fatal(err)
	}
	full, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	c.Signature, c.Identity, c.Envelope = full.Signature, full.Identity, full.Envelope
	return c
}

// settle gives a contract an answer to what it leaves open: an eager sender retries what it may, soon and often.
func settle(c *contract.Contract, eager bool) {
	s, most := c.Schedule, 2
	wait := 40 * time.Minute
	if eager {
		wait, most = 7*time.Second, 12
	}
	if !s.Stepped() {
		n := most
		if s.Attempts > 0 {
			n = min(most, s.Attempts)
		}
		s.Waits = append([]time.Duration{time.Second}, slices.Repeat([]time.Duration{wait}, n-1)...)
	}
	s.Attempts = s.Count()
	if s.Timeout == 0 {
		s.Timeout = 12 * time.Second
	}
	if c.Answers.Otherwise == contract.OtherwiseOpen {
		c.Answers.Otherwise = contract.OtherwisePermanent
		if eager {
			c.Answers.Otherwise = contract.OtherwiseRetry
			c.Answers.Errors = []string{contract.ErrorTimeout, contract.ErrorConnection, contract.ErrorTLS}
		}
	}
}

// TestASenderThatSignsNothingIsDriven plays a contract without signatures: the key that an endpoint is registered with is used for nothing.
func TestASenderThatSignsNothingIsDriven(t *testing.T) {
	t.Parallel()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	c.Signature, c.Keys = nil, nil
	r := virtual.Assay(t, virtual.Config{Contract: c, NewSender: inprocess.Virtual(""), Select: []string{"retry/transient-status"}})
	if r.Verdict != judge.Conformant {
		t.Errorf("%s: %s", r.Verdict, r.Why)
	}
}
