package judge_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestCorrectSenderNeverFailsAcrossAGap: a sender that keeps the contract raises no alarm where the run was interrupted and gone on with,
// whether it ran on meanwhile and was refused, or was away itself.
func TestCorrectSenderNeverFailsAcrossAGap(t *testing.T) {
	c := simContract(t)
	eachSimulated(t, func(rt *rapid.T) string {
		s := &simulated{t: rt, c: c, clock: offsetWithin(rt), first: map[string]time.Duration{}}
		s.say("abilities log,dead-letters,rotate,disable,replay")
		s.say("scenario any/thing checks %s watch 75s instance main", allChecks())
		from := s.ms("interrupted", 5, 24_000)
		to := from + s.ms("gap", 1, 15_000)
		if rapid.Bool().Draw(rt, "away itself") {
			s.killed, s.back = from, to+s.ms("starts", 20, 800)
			s.say("kill at %s returned %s", from, from+time.Millisecond)
			s.say("start at %s returned %s", to+time.Millisecond, s.back)
		} else {
			s.deaf = span{from, to}
		}
		s.say("down at %s all yes", from)
		s.say("up at %s all yes", to)
		for _, e := range []string{"e1", "e2", "e3"}[:rapid.IntRange(1, 3).Draw(rt, "events")] {
			s.deliver(e)
		}
		return s.text()
	}, func(text string) string { return alarmed(t, c, text) })
}
