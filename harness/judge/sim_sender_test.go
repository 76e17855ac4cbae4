package judge_test

import (
	"fmt"
	"math"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
)

// simulated is a correct sender on paper: it draws its jitter, its overshoot and the receiver's faults, keeps every rule of
// the contract, and writes down in the notation what a receiver would see of it.
type simulated struct {
	t      *rapid.T
	c      *contract.Contract
	lines  []string
	clock  time.Duration // its wall clock's offset from ours
	killed time.Duration // when it was killed; 0: never
	back   time.Duration // when it was up again
	defect string        // the one rule that it breaks; empty: none
	first  map[string]time.Duration
	last   time.Duration // when the event at hand had its last attempt
	// rotated and until bound the time in which two keys sign, by the sender's own view; 0: the key stays.
	rotated, until time.Duration
	pauses         []simPause
	passed         int           // points at which a pause may strike
	strikes        []int         // the points at which one does
	deaf           span          // nothing listens in it; 0: the run was not interrupted
	logs           []*simLog     // of the events so far
	stopped        span          // the endpoint is disabled in it, by the sender's own view
	held           bool          // the event at hand waits for an endpoint that stays disabled
	returned       time.Duration // of the last emit
	ended          time.Duration // when the sender was done with the event before
}

type span struct{ from, to time.Duration }

func (s *simulated) ms(label string, lo, hi int) time.Duration {
	return time.Duration(rapid.IntRange(lo, hi).Draw(s.t, label)) * time.Millisecond
}

func (s *simulated) say(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

func simulate(t *rapid.T, c *contract.Contract) string {
	return simulateDefect(t, c, "")
}

func simulateDefect(t *rapid.T, c *contract.Contract, defect string) string {
	s := &simulated{t: t, c: c, clock: offsetWithin(t), defect: defect, first: map[string]time.Duration{}}
	s.say("abilities log,dead-letters,rotate,disable,replay")
	s.say("scenario any/thing checks %s watch 45s", allChecks())
	return s.play()
}

// play plays what may happen to a sender, and its events.
func (s *simulated) play() string {
	t := s.t
	if rapid.Bool().Draw(t, "rotate") {
		s.rotate()
	}
	if rapid.Bool().Draw(t, "kill") {
		s.killed = s.ms("killed", 100, 6000)
		s.back = s.killed + s.ms("down for", 50, 800)
		s.say("kill at %s returned %s", s.killed, s.killed+5*time.Millisecond)
		s.say("start at %s returned %s", s.killed+20*time.Millisecond, s.back)
	}
	if s.acted() && s.killed == 0 && rapid.Bool().Draw(t, "disable") {
		s.stop()
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "events") {
		s.deliver(fmt.Sprintf("e%d", i+1))
	}
	return s.text()
}

// acted tells whether we disable the endpoint and ask for replays of what is pending; what a defect looks like then is not asked.
func (s *simulated) acted() bool {
	return s.defect == "" && s.killed == 0 && s.deaf.to == 0 && s.c.Order != "per-key" && s.c.Replay != nil && s.c.Replay.Pending == "refuse"
}

func (s *simulated) text() string { return strings.Join(s.lines, "\n") }

// offsetWithin draws a clock offset inside the tolerance (benign variant 16). Signed times must not lie before the epoch.
func offsetWithin(t *rapid.T) time.Duration {
	return time.Duration(rapid.IntRange(-120_000, 120_000).Draw(t, "clock")) * time.Millisecond
}

// deliver plays one event from its emit to its end, and maybe a replay.
func (s *simulated) deliver(e string) {
	called := s.acts(s.ms("emit", 0, 2000))
	if s.killed-20*time.Millisecond <= called && called <= s.back {
		called = s.acts(s.back + time.Millisecond)
	}
	object := ""
	if s.c.Order == "per-key" {
		called, object = s.acts(max(called, s.returned+time.Millisecond)), " object o"
	}
	s.strike(called + time.Microsecond)
	accepted := s.awake(called + s.ms("emit takes", 0, 20))
	created := accepted + s.clock
	if s.defect == "created-local-zone" {
		created += 5*time.Hour + 45*time.Minute
	}
	s.strike(accepted + time.Microsecond)
	s.returned = s.acts(accepted + time.Microsecond)
	s.say("emit %s at %s returned %s created %s%s", e, called, s.returned, created, object)
	s.open(e)
	committed := false
	s.held = false
	delivered := s.schedule(e, accepted, &committed)
	s.ended = s.now().entries[len(s.now().entries)-1].from
	records, reason := "", "exhausted"
	replayed := false
	if s.acted() && !s.held && rapid.Bool().Draw(s.t, "asks for a replay") {
		var got shot
		if replayed, got = s.replay(e, s.returned, &committed); replayed {
			reason += " replays 1"
			delivered = got.success && !got.transient
		}
	}
	switch s.defect {
	case "log-missing-attempt":
		records = " records 1"
	case "dlq-no-reason":
		reason = "''"
	}
	switch {
	case s.last > 38*time.Second:
		// Only a defect goes on for so long; what its log says by then is not asked.
	case s.held:
		s.say("log %s at 40s state pending skew %s", e, s.clock)
	case delivered && !replayed:
		s.say("log %s at 40s state delivered skew %s%s", e, s.clock, records)
	case delivered:
		s.say("log %s at 40s state delivered skew %s", e, s.clock)
		s.say("deadletter %s at 40s reason %s", e, reason)
	default:
		s.say("log %s at 40s state dead-lettered skew %s%s", e, s.clock, records)
		if s.defect != "dlq-missing" {
			s.say("deadletter %s at 40s reason %s", e, reason)
		}
	}
	s.say("read-dead-letters at 39990ms returned 40s")
	if s.defect == "id-new-on-retry" || s.last > 38*time.Second || replayed || s.held {
		// What a replay of such a sender's does is another defect's matter, and a replay of what still runs is none.
		return
	}
	if rapid.Bool().Draw(s.t, "replay") {
		s.say("replay %s at 41s", e)
		s.say("attempt %s at 41010ms signed %s%s effect %s -> 200", e, 41010*time.Millisecond+s.clock, s.keys(41*time.Second),
			map[bool]string{true: "absorbed", false: "committed"}[committed])
	}
}

// schedule makes the attempts of one event, and tells whether the sender took one for a success.
func (s *simulated) schedule(e string, accepted time.Duration, committed *bool) bool {
	deadline := never
	if s.c.Schedule.Deadline > 0 {
		deadline = accepted + s.c.Schedule.Deadline
	}
	at, goes := accepted+s.wait(1), false
	if s.c.Order == "per-key" {
		at = max(at, s.ended+s.ms("its turn", 0, 20))
	}
	s.note(accepted, "pending", at)
	for k := 1; k <= s.c.Schedule.Count(); k++ {
		if s.killed > 0 && at >= s.killed && at < s.back {
			at = s.back + s.ms("resumes", 0, 30)
		}
		if at, goes = s.resumed(s.awake(at)); !goes {
			s.held = true
			return false
		}
		if at > deadline && s.defect != "deadline-overrun" {
			s.note(at, "dead-lettered", 0)
			return false
		}
		if rapid.Bool().Draw(s.t, "advertises none while it is under way") {
			s.note(at, "pending", 0)
		}
		got := s.fire(e, at, committed)
		switch {
		case got.cut:
			at = s.back + s.wait(k+1)
			s.note(s.back, "pending", at)
			if rapid.Bool().Draw(s.t, "does not count") {
				k--
			}
			continue
		case !got.transient && got.success:
			s.note(got.known, "delivered", 0)
			return true
		case !got.transient:
			s.note(got.known, "dead-lettered", 0)
			return false
		case s.defect == "no-retry-timeout" && got.timeout:
			return false
		case got.heeds && got.known+got.asked > deadline && s.defect != "ra-ignored" && s.defect != "deadline-overrun":
			s.giveUp(got.known, deadline)
			return false
		}
		began := at
		at = s.following(k, began, got)
		s.strike(got.known + time.Microsecond)
		if k == s.c.Schedule.Count() || k >= s.c.Schedule.Fewest() && rapid.Bool().Draw(s.t, "enough") {
			s.note(got.known, "dead-lettered", 0)
			return false
		}
		if at > deadline {
			s.giveUp(got.known, deadline)
			if s.defect == "" {
				return false
			}
		}
		s.note(got.known, "pending", at)
		// A log is read between two attempts where the wait is long.
		if at-got.known > 3*time.Second && s.killed == 0 && len(s.pauses) == 0 && len(s.strikes) == 0 && at <= deadline {
			next := at
			if s.defect == "log-next-attempt-wrong" {
				next += 5 * time.Second
			}
			s.say("log %s at %s state pending next %s skew %s", e, at-time.Second, next+s.clock, s.clock)
		}
	}
	return false
}

// giveUp ends an event whose next attempt would come too late: at once, or at the deadline.
func (s *simulated) giveUp(known, deadline time.Duration) {
	if rapid.Bool().Draw(s.t, "at the deadline") {
		s.note(known, "pending", 0)
		known = max(known, deadline)
	}
	s.note(known, "dead-lettered", 0)
}

// following is when the attempt after attempt k is due, which began at a time.
func (s *simulated) following(k int, began time.Duration, got shot) time.Duration {
	from := got.known
	if s.c.Schedule.MeasuredFrom == contract.FromStart {
		from = began
	}
	at := from + s.wait(k+1)
	if s.defect == "no-backoff" {
		at = from
	}
	if ra := s.c.RetryAfter; got.asked > 0 && s.defect != "ra-ignored" {
		asked := got.asked
		if ra.Cap > 0 {
			asked = min(asked, ra.Cap)
		}
		if ra.CapFactor > 0 {
			asked = min(asked, time.Duration(ra.CapFactor*float64(at-from)))
		}
		at = max(at, got.known+asked+s.ms("overshoot", 0, 60))
	}
	return max(at, got.known)
}

const never = time.Duration(math.MaxInt64)

// wait draws the wait before attempt k, and what the machine adds.
func (s *simulated) wait(k int) time.Duration {
	b := s.c.Schedule.Wait(k)
	share := rapid.Float64Range(0, 1).Draw(s.t, "jitter")
	return b.Min + time.Duration(share*float64(b.Max-b.Min)) + s.ms("overshoot", 0, 60)
}

// keys names the keys that sign at a time.
func (s *simulated) keys(at time.Duration) string {
	switch {
	case s.rotated == 0:
		return ""
	case at < s.rotated || s.defect == "rotation-cached-old":
		return " key oldkey"
	case at < s.until || s.defect == "rotation-old-never-dropped":
		return " key newkey,oldkey"
	}
	return " key newkey"
}

// breaks returns the signed time of an attempt and what a defect makes of the rest.
func (s *simulated) breaks(e string, at time.Duration) (signed time.Duration, broken string) {
	first, retried := s.first[e]
	if !retried {
		s.first[e] = at
		return at + s.clock, ""
	}
	switch s.defect {
	case "id-new-on-retry":
		return at + s.clock, fmt.Sprintf(" id n%d", at)
	case "ts-stale-on-retry":
		return first + s.clock, ""
	case "body-rebuilt-on-retry":
		return at + s.clock, " data '{\"marker\":\"" + markerOf(e) + "\",\"amount\":7}'"
	case "sig-missing-on-retry":
		return at + s.clock, " sign missing"
	}
	return at + s.clock, ""
}
