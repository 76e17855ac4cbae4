package judge_test

import (
	"time"

	"pgregory.net/rapid"
)

// change plays a call that changes what the sender does, and returns when that set in.
func (s *simulated) change(act string, called time.Duration, more string) (sets, returned time.Duration) {
	s.strike(called + time.Microsecond)
	sets = s.awake(called + s.ms("sets in", 0, 20))
	s.strike(sets + time.Microsecond)
	returned = s.acts(s.awake(sets + s.ms("change takes", 1, 20)))
	s.say("%s at %s returned %s endpoint hook%s", act, called, returned, more)
	return sets, returned
}

// rotate draws a rotation of the endpoint's key, with the declared overlap.
func (s *simulated) rotate() {
	called := s.acts(s.ms("rotation", 300, 8000))
	sets, returned := s.change("rotate", called, "")
	s.rotated, s.until = sets, sets+s.c.Keys.Overlap
	s.say("endpoint hook secret oldkey until %s secret2 newkey from %s", returned+s.c.Keys.Overlap, called-time.Millisecond)
}

// stop draws a time in which the endpoint is disabled. What is due then comes after it.
func (s *simulated) stop() {
	sets, returned := s.change("disable", s.acts(s.ms("disabled", 20, 5000)), "")
	s.stopped = span{sets, never}
	if rapid.Bool().Draw(s.t, "enabled again") {
		s.stopped.to, _ = s.change("enable", s.acts(returned+s.ms("held", 500, 5000)), "")
	}
}

// resumed is when the sender makes an attempt that is due at a time; ok is false if the endpoint stays disabled.
func (s *simulated) resumed(at time.Duration) (time.Duration, bool) {
	for s.stopped.from <= at && at < s.stopped.to {
		if s.stopped.to == never {
			return at, false
		}
		at = s.awake(s.stopped.to + s.ms("resumes", 0, 30))
	}
	return at, true
}

// replay asks for a replay of the event at hand, which is refused while that is pending, and tells what came of it.
func (s *simulated) replay(e string, since time.Duration, committed *bool) (asked bool, got shot) {
	called := s.acts(since + s.ms("asked for", 1, 25_000))
	decides := s.awake(called + s.ms("call takes", 0, 5))
	noted := s.acts(decides + s.ms("answer takes", 0, 5))
	is, _ := s.now().at(decides, s.awake)
	switch is.state {
	case "pending":
		s.say("replay %s at %s returned %s refused pending", e, called, noted)
	case "dead-lettered":
		s.say("replay %s at %s returned %s", e, called, noted)
		got = s.fire(e, s.awake(decides+s.ms("starts", 0, 20)), committed)
		s.note(got.known, map[bool]string{true: "delivered", false: "dead-lettered"}[got.success && !got.transient], 0)
		return true, got
	}
	return false, shot{}
}
