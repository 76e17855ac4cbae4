package judge_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

type shot struct {
	known     time.Duration // when the sender knew the end
	transient bool
	success   bool
	asked     time.Duration // Retry-After as asked; 0: none
	cut       bool          // by the kill
	timeout   bool
}

// exchange is one attempt while it is being written down.
type exchange struct {
	at, seen, known time.Duration // sent, arrived, and when the sender knew the answer
	put             func(before, after string)
	committed       *bool
}

// effect says what the business write does, which happens once per id.
func (x exchange) effect(changedID bool) string {
	if *x.committed && !changedID {
		return " effect absorbed"
	}
	*x.committed = true
	return " effect committed"
}

// fire makes one attempt at the given time of the sender's.
func (s *simulated) fire(e string, at time.Duration, committed *bool) shot {
	seen := at + s.ms("travel", 0, 5)
	if s.deaf.to > 0 && s.deaf.from <= seen && seen <= s.deaf.to {
		return shot{known: seen, transient: true}
	}
	seen = s.read(seen)
	signed, broken := s.breaks(e, at, seen)
	s.last = seen
	x := exchange{at: at, seen: seen, known: seen + time.Millisecond + s.ms("reading", 0, 3), committed: committed}
	x.put = func(before, after string) {
		s.say("attempt %s at %s signed %s%s%s%s -> %s", e, seen, signed, s.keys(at), broken, before, after)
	}
	if seen > at+s.c.Schedule.Timeout {
		return s.goneBefore(x)
	}
	s.strike(seen)
	return s.perceived(at, s.exchange(x))
}

// exchange plays what the receiver does with an attempt.
func (s *simulated) exchange(x exchange) shot {
	at := x.at
	if s.killed > 0 && at <= s.killed && s.killed <= at+s.c.Schedule.Timeout && rapid.Bool().Draw(s.t, "in flight at the kill") {
		x.put("", fmt.Sprintf("timeout hung-up %s", s.killed+2*time.Millisecond))
		return shot{cut: true}
	}
	kind := rapid.SampledFrom([]string{
		"200", "204", "503", "503", "500", "429", "seconds", "date", "bad", "404", "timeout", "reset", "closed", "lost-ack", "cut", "slow", "endless", "rollback",
	}).Draw(s.t, "answer")
	switch kind {
	case "seconds", "date", "bad":
		return s.asked(x, kind)
	case "timeout", "cut", "slow", "endless", "lost-ack", "reset", "closed":
		return s.faulty(x, kind)
	}
	return s.answered(x, kind)
}

func (s *simulated) answered(x exchange, kind string) shot {
	switch kind {
	case "200", "204":
		x.put(x.effect(s.defect == "id-new-on-retry"), kind)
		return shot{known: x.known, success: true}
	case "404":
		x.put("", kind)
		return shot{known: x.known}
	case "rollback":
		before := " effect rolled-back"
		if *x.committed {
			before = ""
		}
		x.put(before, "500")
	default:
		x.put("", kind)
	}
	return shot{known: x.known, transient: true}
}

func (s *simulated) asked(x exchange, kind string) shot {
	got := shot{known: x.known, transient: true}
	switch kind {
	case "seconds":
		r := rapid.IntRange(0, 40).Draw(s.t, "seconds")
		x.put("", fmt.Sprintf("429 retry-after %d", r))
		got.asked = time.Duration(r) * time.Second
	case "date":
		d := (x.seen + s.ms("ahead", 3000, 4000)).Truncate(time.Second)
		x.put("", fmt.Sprintf("429 retry-at %s", d))
		got.asked = max(d-s.clock-x.known, 0)
	default:
		x.put("", "429 retry-after soon")
	}
	return got
}

func (s *simulated) faulty(x exchange, kind string) shot {
	timeout := s.c.Schedule.Timeout
	changed := s.defect == "id-new-on-retry"
	switch kind {
	case "timeout":
		gone := x.at + timeout
		x.put("", fmt.Sprintf("timeout hung-up %s", s.read(s.awake(gone)+s.ms("seen later", 0, 11))))
		return shot{known: gone, transient: true, timeout: true}
	case "cut":
		x.put(x.effect(changed), "200 cut closed")
		return shot{known: x.known, transient: rapid.Bool().Draw(s.t, "cut is failure"), success: true}
	case "slow":
		after := s.ms("slow", 50, 490)
		if reply := s.read(x.seen + after); reply > x.seen+after {
			return s.lateReply(x, reply)
		}
		x.put(x.effect(changed), fmt.Sprintf("200 after %s", after))
		return shot{known: x.seen + after, success: true, transient: x.at+timeout < x.seen+after}
	case "endless":
		x.put("", fmt.Sprintf("503 size 2000000 cut peer-gone closed %s", x.known))
	case "lost-ack":
		x.put(x.effect(changed), kind)
	default:
		x.put("", kind)
	}
	return shot{known: x.known, transient: true}
}
