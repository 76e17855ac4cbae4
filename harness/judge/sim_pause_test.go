package judge_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// simPause is a time during which the sender, our receiver, or our side with all that acts and records stood still.
type simPause struct {
	sender, receiver, harness bool
	from, to                  time.Duration
}

func (s *simulated) moved(at time.Duration, stands func(simPause) bool) time.Duration {
	for _, p := range s.pauses { // by start
		if stands(p) && p.from <= at && at < p.to {
			at = p.to + s.ms("catching up", 0, 20)
		}
	}
	return at
}

// awake is when the sender does what is due at a time.
func (s *simulated) awake(at time.Duration) time.Duration {
	return s.moved(at, func(p simPause) bool { return p.sender })
}

// read is when our receiver sees or does what is due at a time.
func (s *simulated) read(at time.Duration) time.Duration {
	return s.moved(at, func(p simPause) bool { return p.receiver })
}

// acts is when our side calls the sender, or notes that it has answered.
func (s *simulated) acts(at time.Duration) time.Duration {
	return s.moved(at, func(p simPause) bool { return p.harness })
}

// goneBefore is an attempt that the sender gave up before our side read it: we see it hang up at once, or nothing of it.
func (s *simulated) goneBefore(x exchange) (got shot, before, after string) {
	if x.seen <= x.at+s.c.Schedule.Timeout {
		return got, "", ""
	}
	got = s.timedOut(s.awake(x.at + s.c.Schedule.Timeout))
	if rapid.Bool().Draw(s.t, "comes and goes unseen") {
		return got, "", ""
	}
	return got, "", fmt.Sprintf("timeout hung-up %s", s.read(max(x.seen, got.known))+time.Millisecond)
}

// perceived is what the sender makes of an answer that came while it stood still, or too late: its timeout may come first when it goes on.
func (s *simulated) perceived(at time.Duration, got shot) shot {
	if got.cut || got.timeout {
		return got
	}
	came := got.known
	got.known = s.awake(came)
	limit := at + s.c.Schedule.Timeout
	if at <= s.killed && s.killed < got.known {
		return shot{cut: true}
	}
	if gone := s.awake(limit); got.known > limit && (came > gone || rapid.Bool().Draw(s.t, "the timeout comes first")) {
		return s.timedOut(max(min(gone, got.known), limit))
	}
	return got
}

// drawPauses draws up to three pauses, one after another.
func (s *simulated) drawPauses() {
	at := time.Duration(0)
	for range rapid.IntRange(1, 3).Draw(s.t, "pauses") {
		p := s.pause(at + s.ms("pause", 0, 4000))
		at = p.to + 100*time.Millisecond
	}
}

// pause adds a pause of somebody, and what is measured of it.
func (s *simulated) pause(from time.Duration) simPause {
	lasts := []time.Duration{s.ms("lasts", 50, 7000), 2 * time.Second, 5 * time.Second}
	p := simPause{from: from, to: from + rapid.SampledFrom(lasts).Draw(s.t, "as long")}
	switch rapid.SampledFrom([]string{"sender", "our side", "machine", "receiver"}).Draw(s.t, "stands still") {
	case "sender":
		p.sender = true
	case "our side":
		p.receiver, p.harness = true, true
	case "machine":
		p.sender, p.receiver, p.harness = true, true, true
	default:
		p.receiver = true
	}
	s.pauses = append(s.pauses, p)
	slices.SortStableFunc(s.pauses, func(a, b simPause) int { return int(a.from - b.from) })
	measured := func(source string, due time.Duration) {
		if due < p.to {
			s.say("noise %s at %s late %s", source, due, p.to-due)
		}
	}
	if p.harness {
		measured("ticker", p.from+s.ms("due", 0, 10))
	}
	if p.sender {
		measured("probe:main", p.from+s.ms("probed", 0, 100))
	}
	if p.receiver && !p.harness {
		measured(evidence.NoiseReceiver, p.from+s.ms("probed", 0, 100))
	}
	return p
}

// strike lets somebody stand still from a moment that matters, if it is one of those drawn.
func (s *simulated) strike(at time.Duration) {
	s.passed++
	if slices.Contains(s.strikes, s.passed) {
		s.pause(at)
	}
}

// changes plays what may be changed while events are delivered: one thing, so that a pause can strike at it.
func (s *simulated) changes() {
	what := []string{"nothing", "the key"}
	if s.acted() {
		what = append(what, "the endpoint")
	}
	switch rapid.SampledFrom(what).Draw(s.t, "changes") {
	case "the key":
		s.rotate()
	case "the endpoint":
		s.stop()
	}
}

func simulatePaused(t *rapid.T, c *contract.Contract) string {
	s := &simulated{t: t, c: c, clock: offsetWithin(t), first: map[string]time.Duration{}}
	s.say("abilities log,dead-letters,rotate,disable,replay")
	s.say("scenario any/thing checks %s watch 45s instance main", allChecks())
	strikes := rapid.SliceOfN(rapid.IntRange(1, 15), 1, 2).Draw(t, "strikes")
	events := rapid.IntRange(1, 4).Draw(t, "events")
	switch rapid.SampledFrom([]string{"any time", "an event", "a change"}).Draw(t, "pauses at") {
	case "any time":
		s.drawPauses()
		s.changes()
	case "an event": // where all others were played to their end already, a pause cannot be added
		s.strikes, events = strikes, 1
	default:
		s.strikes = strikes
		s.changes()
		s.strikes = nil
	}
	for i := range events {
		s.deliver(fmt.Sprintf("e%d", i+1))
	}
	s.readLogs()
	return s.text()
}

// TestAPausedCorrectSenderNeverFails: wherever sender or receiver stand still for a while, a sender that keeps the contract raises no
// alarm. In the short schedule a pause is as long as what the deadline leaves.
func TestAPausedCorrectSenderNeverFails(t *testing.T) {
	for name, c := range simContracts(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachSimulated(t, func(rt *rapid.T) string { return simulatePaused(rt, c) }, func(text string) string { return alarmed(t, c, text) })
		})
	}
}

// TestAPauseFarAwayChangesNothing: one pause after all that was watched leaves every verdict as it is, failures included.
func TestAPauseFarAwayChangesNothing(t *testing.T) {
	for _, path := range archives(t) {
		a := openArchive(t, path)
		if len(a.run.Noise) > 0 {
			continue
		}
		want := printed(judge.Judge(a.c, a.run))
		late := append([]int64{2_000_000}, make([]int64, 2000)...)
		a.run.Noise = []evidence.Noise{
			{Source: "ticker", From: time.Hour, Step: 10 * time.Millisecond, LateUS: late},
			{Source: "probe:main", From: time.Hour, Step: 100 * time.Millisecond, LateUS: late},
		}
		if d := cmp.Diff(want, printed(judge.Judge(a.c, a.run))); d != "" {
			t.Errorf("%s: a pause an hour later (-without +with):\n%s", path, d)
		}
	}
}
