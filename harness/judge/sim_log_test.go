package judge_test

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

// simLog is what the sender's own log says of an event as time goes on.
type simLog struct {
	event   string
	lag     time.Duration // of the log behind what the sender knows
	entries []simEntry
	made    int // attempts so far that the notation knows of
}

type simEntry struct {
	from  time.Duration
	state string
	next  time.Duration // 0: none is advertised
	made  int
}

func (s *simulated) open(e string) {
	l := &simLog{event: e}
	if s.c.Log != nil {
		l.lag = s.ms("lag", 0, int(s.c.Log.Lag/time.Millisecond))
	}
	s.logs = append(s.logs, l)
}

// now is the log of the event at hand.
func (s *simulated) now() *simLog { return s.logs[len(s.logs)-1] }

// note enters what the sender knows of the event at hand from a time on.
func (s *simulated) note(from time.Duration, state string, next time.Duration) {
	l := s.now()
	l.entries = append(l.entries, simEntry{from, state, next, l.made})
}

// at is what the sender knows at a time; awake says when it takes note of what is due at one.
func (l *simLog) at(t time.Duration, awake func(time.Duration) time.Duration) (got simEntry, ok bool) {
	for _, e := range l.entries {
		if awake(e.from) > t {
			break
		}
		got, ok = e, true
	}
	return got, ok
}

// readLogs reads logs and dead letters at any time: what is said was true when the sender said it, and noted when we had the answer.
func (s *simulated) readLogs() {
	for range rapid.IntRange(0, 4).Draw(s.t, "readings") {
		said := s.awake(s.acts(s.ms("read", 1, 38_000)))
		noted := s.acts(said + s.ms("answer takes", 0, 5))
		for _, l := range s.logs {
			got, ok := l.at(said, func(from time.Duration) time.Duration { return s.awake(from + l.lag) })
			if !ok {
				continue
			}
			next := ""
			if got.next > 0 {
				next = fmt.Sprintf(" next %s", got.next+s.clock)
			}
			s.say("log %s at %s state %s skew %s after %d%s", l.event, noted, got.state, s.clock, got.made, next)
		}
	}
}
