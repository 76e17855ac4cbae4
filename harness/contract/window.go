package contract

import (
	"fmt"
	"strings"
	"time"
)

// Window is the arithmetic of a schedule against its deadline, for attempts that each take the same time. All offsets
// count from acceptance.
type Window struct {
	PerAttempt time.Duration // as asked
	Starts     []Start       // one for each attempt
	Waits      Band          // sum of all waits without jitter; both ends are equal unless waits are ranges
	Jitter     time.Duration // what jitter can add to the longest of Waits at most
	Deadline   time.Duration // 0: none, and everything below is 0

	// Slack is what the deadline leaves over the longest of Waits. It is spent by request time, jitter and backlog. Below 0: the
	// ranges alone can go past the deadline.
	Slack time.Duration
	// BreakEven is the longest attempt with which, without jitter, the last attempt still starts in time.
	BreakEven time.Duration
	// BreakEvenEnd is the longest with which it also ends in time.
	BreakEvenEnd time.Duration
	// BreakEvenJitter is the share of all waits which, as jitter and with attempts that take no time, uses up the slack.
	BreakEvenJitter float64
}

// Start says when an attempt starts, and whether that is in time.
type Start struct {
	Attempt int       // from 1
	At      Band      // earliest and latest start
	InTime  Certainty // before the deadline, or exactly at it
}

// Certainty says whether something happens whatever the jitter.
type Certainty string

// The certainties.
const (
	Always    Certainty = "always"
	Sometimes Certainty = "sometimes" // jitter decides
	Never     Certainty = "never"
)

// Window computes when each attempt starts if every attempt takes perAttempt and nothing else delays it. A contract
// without a schedule has no starts. A negative perAttempt counts as 0.
func (c *Contract) Window(perAttempt time.Duration) Window {
	w := Window{PerAttempt: max(perAttempt, 0)}
	s := c.Schedule
	if s == nil {
		return w
	}
	w.Waits, w.Jitter, w.Deadline = s.sum(), s.Total().Max-s.sum().Max, s.Deadline
	n := s.Count()
	for k := 1; k <= n; k++ {
		at := s.start(k, w.PerAttempt)
		w.Starts = append(w.Starts, Start{Attempt: k, At: at, InTime: s.inTime(at)})
	}
	if s.Deadline == 0 || n == 0 {
		return w
	}
	w.Slack = s.Deadline - w.Waits.Max
	if w.Waits.Max > 0 {
		w.BreakEvenJitter = max(0, float64(w.Slack)/float64(w.Waits.Max))
	}
	plain := *s
	plain.Jitter = nil
	w.BreakEven = longest(s.Deadline, func(d time.Duration) time.Duration { return plain.start(n, d).Max })
	w.BreakEvenEnd = longest(s.Deadline, func(d time.Duration) time.Duration { return plain.start(n, d).Max + d })
	return w
}

// start returns the offset at which attempt k starts if each before it took d. Where waits are measured from the start of
// an attempt, the next one still never starts before that one has ended.
func (s *Schedule) start(k int, d time.Duration) Band {
	at := s.Wait(1)
	for i := 2; i <= k; i++ {
		gap := s.Wait(i)
		if s.MeasuredFrom == FromStart {
			gap.Min, gap.Max = max(gap.Min, d), max(gap.Max, d)
		} else {
			gap.Min, gap.Max = gap.Min+d, gap.Max+d
		}
		at.Min += gap.Min
		at.Max += gap.Max
	}
	return at
}

func (s *Schedule) inTime(at Band) Certainty {
	switch {
	case s.Deadline == 0 || at.Max <= s.Deadline:
		return Always
	case at.Min > s.Deadline:
		return Never
	}
	return Sometimes
}

// longest returns the greatest d up to limit with reach(d) ≤ limit, to the nanosecond, or 0 if there is none. reach must
// not fall as d grows.
func longest(limit time.Duration, reach func(time.Duration) time.Duration) time.Duration {
	lo, hi := time.Duration(0), limit
	for lo < hi {
		mid := lo + (hi-lo+1)/2
		if reach(mid) <= limit {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

// String shows the window as a small table, for people.
func (w Window) String() string {
	var b strings.Builder
	if w.Deadline == 0 {
		fmt.Fprintf(&b, "waits %v in all, jitter adds at most %v, no deadline\n", w.Waits, w.Jitter)
	} else {
		fmt.Fprintf(&b, "waits %v in all, deadline %v: %v over\n", w.Waits, w.Deadline, w.Slack)
		fmt.Fprintf(&b, "jitter adds at most %v; %.1f %% of each wait would use up the slack\n", w.Jitter, w.BreakEvenJitter*100)
		fmt.Fprintf(&b, "the last attempt starts in time up to %v per attempt, and also ends in time up to %v\n",
			w.BreakEven, w.BreakEvenEnd)
	}
	fmt.Fprintf(&b, "with %v per attempt:\n", w.PerAttempt)
	for _, s := range w.Starts {
		fmt.Fprintf(&b, "  attempt %d starts %v to %v after acceptance", s.Attempt, s.At.Min, s.At.Max)
		switch s.InTime {
		case Always:
		case Sometimes:
			fmt.Fprintf(&b, ": in time or up to %v late, as jitter falls", s.At.Max-w.Deadline)
		case Never:
			fmt.Fprintf(&b, ": cut, it would start %v late", s.At.Min-w.Deadline)
		}
		b.WriteByte('\n')
	}
	b.WriteString(w.verdict())
	return b.String()
}

// verdict says in one line whether the last attempt is made. It is empty without attempts.
func (w Window) verdict() string {
	if len(w.Starts) == 0 {
		return ""
	}
	last := w.Starts[len(w.Starts)-1]
	switch {
	case w.Deadline == 0:
		return fmt.Sprintf("no deadline cuts attempt %d, the last\n", last.Attempt)
	case last.InTime == Always:
		return fmt.Sprintf("attempt %d, the last, always starts in time\n", last.Attempt)
	case last.InTime == Sometimes:
		return fmt.Sprintf("jitter decides whether attempt %d, the last, is made\n", last.Attempt)
	}
	return fmt.Sprintf("attempt %d, the last, is never made\n", last.Attempt)
}
