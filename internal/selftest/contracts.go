package selftest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/internal/refsender"
)

// Default is the profile that senders are put to the test by where they name no other.
const Default = "bounded-6"

// Named is one contract of the set that the self-test puts senders to the test by.
type Named struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// base is the profile that change alters; empty is Default.
	base   string
	change func(*contract.Contract)
	// notUsual says that only variants keep it, and not the usual self of the reference sender.
	notUsual bool
}

// Contracts returns the set, the default first: one contract cannot promise everything.
func Contracts() []Named {
	return []Named{
		{Name: Default, Title: "as published", change: asPublished},
		{Name: refsender.StandardWebhooks, Title: "as published", base: refsender.StandardWebhooks, change: asPublished},
		{Name: refsender.OrderPerKey, Title: "bounded-6 with order per key", change: orderPerKey},
		{Name: refsender.IdleBound, Title: "bounded-6 with eight idle connections to an endpoint, for 3 s", change: idleBound},
		{Name: refsender.GoneDisables, Title: "bounded-6 where 410 disables the endpoint", change: goneDisables},
		{Name: refsender.AutoDisables, Title: "bounded-6 where 100 failed attempts in a row disable the endpoint", change: autoDisables},
		{Name: refsender.ShortSteps, Title: "bounded-6 with twelve attempts in two minutes", change: shortSteps},
		{Name: refsender.ManySteps, Title: "bounded-6 with seventy attempts in ten minutes", change: manySteps},
		{Name: refsender.LimitOne, Title: "bounded-6 with one attempt", change: limit(1)},
		{Name: refsender.LimitTwo, Title: "bounded-6 with two attempts", change: limit(2)},
		{Name: refsender.LimitFive, Title: "bounded-6 with five attempts", change: limit(5)},
		{Name: refsender.ShortRotation, Title: "bounded-6 where both keys sign for 20 s", change: shortRotation},
		{Name: refsender.GentleWaits, Title: "bounded-6 with waits of seconds that vary by a half", change: gentleWaits},
		{Name: refsender.SubSecond, Title: "bounded-6 in one two-hundredth of its time", change: subSecond},
		{Name: refsender.FullJitter, Title: "bounded-6 where a wait is any part of the declared one", change: jitter(1)},
		{Name: refsender.EqualJitter, Title: "bounded-6 where a wait is at least half of the declared one", change: jitter(0.5)},
		{Name: refsender.CodesOtherWay, Title: "bounded-6 with other answers retried, and 200 none of the successes", change: codesOtherWay},
		{Name: refsender.CompressedBodies, Title: "bounded-6 with compressed bodies", change: compressedBodies, notUsual: true},
		{Name: refsender.SignedInside, Title: "bounded-6 with the signature in the body, and one key at a time", change: signedInside},
		{Name: refsender.TakesEffectLate, Title: "bounded-6 where changes of an endpoint take 3 s to show", change: takesEffectLate},
	}
}

// Contract returns the contract of that name; empty is the default one. It is the caller's own.
func Contract(name string) (*contract.Contract, error) {
	if name == "" {
		name = Default
	}
	set := Contracts()
	i := slices.IndexFunc(set, func(n Named) bool { return n.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("contract %q is none of the self-test's set, which is %s", name, strings.Join(names(set), ", "))
	}
	base := set[i].base
	if base == "" {
		base = Default
	}
	c, err := contract.Profile(base)
	if err != nil {
		return nil, err
	}
	c.Name = name
	return changed(c, set[i].change)
}

func names(set []Named) []string {
	all := make([]string, len(set))
	for i, n := range set {
		all[i] = n.Name
	}
	return all
}

// changed is a changed copy, read anew so that it is valid.
func changed(c *contract.Contract, change func(*contract.Contract)) (*contract.Contract, error) {
	text, err := c.Marshal()
	if err != nil {
		return nil, err
	}
	if c, err = contract.Parse(c.Name, text); err != nil {
		return nil, err
	}
	change(c)
	if text, err = c.Marshal(); err != nil {
		return nil, err
	}
	return contract.Parse(c.Name, text)
}

func asPublished(*contract.Contract) {}

func orderPerKey(c *contract.Contract) { c.Order = "per-key" }

// idleBound is far below what a sender that never closes a connection comes to, and outlives the pauses between two attempts.
func idleBound(c *contract.Contract) {
	c.Network.IdleConnections, c.Network.IdleTimeout = 8, 3*time.Second
}

func goneDisables(c *contract.Contract) {
	c.Answers.Permanent = contract.Codes{"1xx", "3xx", "400-409", "411-428", "430-499"}
	c.Answers.Disable = contract.Codes{"410"}
}

// autoDisables takes the number that one large sender publishes; none of the other scenarios lets an endpoint fail so often.
func autoDisables(c *contract.Contract) {
	c.AutoDisable = &contract.AutoDisable{Failures: 100, Of: contract.OfAttempts, OnSuccess: contract.OnSuccessReset}
}

// shortSteps has more attempts than any default, close together: what must not add up over many of them shows. The last waits
// leave room for the timeouts of all.
func shortSteps(c *contract.Contract) {
	const attempts, step = 12, 2 * time.Second
	c.Schedule.Waits = slices.Repeat([]time.Duration{step}, attempts)
	c.Schedule.Attempts = attempts
	c.Schedule.Jitter = &contract.Jitter{Plus: 0.5} // a spread of 1 s
	c.Schedule.Deadline = 3 * time.Minute           // twelve timeouts of 10 s, and all waits
	c.RetryAfter.Cap = time.Minute
}

// manySteps has more attempts than a wait can be doubled for before nanoseconds in 64 bits overflow; the last wait repeats.
func manySteps(c *contract.Contract) {
	c.Schedule.Waits = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}
	c.Schedule.Attempts = manyAttempts
	c.Schedule.Jitter = &contract.Jitter{Plus: 0.5}
	c.Schedule.Deadline = 10 * time.Minute // all waits at their longest are 7 minutes
	c.RetryAfter.Cap = time.Minute
	c.Keys.Overlap = 12 * time.Minute // longer than the deadline; a sender that never stops would go on for the rest of 90
}

// manyAttempts is above the number of bits that a wait has.
const manyAttempts = 70

// limit allows so many attempts, in the waits that the contract has.
func limit(attempts int) func(*contract.Contract) {
	return func(c *contract.Contract) {
		c.Schedule.Waits = c.Schedule.Waits[:attempts]
		c.Schedule.Attempts = attempts
	}
}

// shortRotation ends the overlap between the attempts of an event: retries that were pending at the rotation are signed by the
// new key alone.
func shortRotation(c *contract.Contract) { c.Keys.Overlap = 20 * time.Second }

// gentleWaits grow so slowly that a wait of up to three times the one before lies anywhere in its band.
func gentleWaits(c *contract.Contract) {
	const s = time.Second
	c.Schedule.Waits = []time.Duration{2 * s, 5 * s, 12 * s, 30 * s, 75 * s, 180 * s}
	c.Schedule.Jitter = &contract.Jitter{Plus: 0.5, Minus: 0.5}
	c.Schedule.ClaimedWindow = 0
}

// subSecond has the values of bounded-6 as compressed by 200, and is not compressed: who asks for that gets it.
func subSecond(c *contract.Contract) {
	const ms = time.Millisecond
	c.Schedule.Waits = []time.Duration{5 * ms, 25 * ms, 150 * ms, 600 * ms, 3000 * ms, 18_000 * ms}
	c.Schedule.Timeout, c.Schedule.Deadline, c.Schedule.ClaimedWindow = 500*ms, 22_500*ms, 0
	c.RetryAfter.Cap = 18 * time.Second
	c.Keys.Overlap = 27 * time.Second
}

// jitter lets a wait be shorter by a share, and never longer.
func jitter(minus float64) func(*contract.Contract) {
	return func(c *contract.Contract) { c.Schedule.Jitter = &contract.Jitter{Minus: minus} }
}

func codesOtherWay(c *contract.Contract) {
	c.Answers.Success = contract.Codes{"201-299"}
	c.Answers.Retry = contract.Codes{"408", "409", "423", "425", "429", "500", "502-504", "506-599"}
	c.Answers.Permanent = contract.Codes{"1xx", "200", "3xx", "400-407", "410-422", "424", "426-428", "430-499", "501", "505"}
}

func compressedBodies(c *contract.Contract) { c.Body.Coding = contract.CodingGzip }

// signedInside has no room for the signatures of two keys.
func signedInside(c *contract.Contract) { c.Signature.Scheme, c.Keys.Overlap = "mailgun", 0 }

func takesEffectLate(c *contract.Contract) { c.TakesEffectWithin = 3 * time.Second }

// Quick is the contract in five seconds, for senders that are processes and cannot be played on virtual time: at most four attempts, of
// which the last comes late enough to tell a stale signed time from a fresh one; a deadline that hanging reaches and plain
// failures do not; and a request timeout of 1 s, which a machine busy with others does not use up by itself.
func Quick(c *contract.Contract) (*contract.Contract, error) { return changed(c, quick) }

func quick(c *contract.Contract) {
	const ms = time.Millisecond
	waits := []time.Duration{2 * ms, 9 * ms, 54 * ms, 3100 * ms}
	s := c.Schedule
	switch {
	case s.Count() > len(s.Waits):
		s.Waits = []time.Duration{2 * ms, 9 * ms, 30 * ms} // a few seconds for as many attempts as the repeated one is for
	default:
		s.Attempts = min(len(waits), s.Count())
		s.Waits = waits[:s.Attempts]
	}
	s.WaitsMax, s.AttemptsMin = nil, 0
	s.Jitter = &contract.Jitter{Plus: 0.3}
	s.Timeout, s.Deadline, s.TerminalWithin = time.Second, 4600*ms, 300*ms
	s.ClaimedWindow = 0
	if c.RetryAfter != nil {
		c.RetryAfter.Cap = 2100 * ms // so that an attempt later than that is still one before the deadline
	}
	if c.Keys != nil {
		c.Keys.Overlap = min(c.Keys.Overlap, 5*time.Second)
	}
	if c.Log != nil {
		c.Log.Lag = 300 * ms
	}
}
