package contract

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Reckon returns the arithmetic of a schedule, one sum in each line, for people: what the waits add up to, what the deadline leaves over
// them, and how long attempts may take before the last one is cut. Empty without a schedule.
func Reckon(c *Contract) []string {
	s := c.Schedule
	if s == nil || !s.Stepped() {
		return nil
	}
	w := c.Window(s.Timeout)
	lines := []string{fmt.Sprintf("waits: %s = %s, before %s", s.terms(), secondsAndMinutes(w.Waits), attemptsText(s))}
	if j := s.Jitter; j != nil {
		lines = append(lines, fmt.Sprintf("jitter: -%s to +%s %% of each wait, at most %s on top: %s",
			figure(j.Minus*100), figure(j.Plus*100), seconds(w.Jitter), secondsAndMinutes(s.Total())))
	}
	if s.Deadline == 0 || s.Count() < 2 {
		return lines
	}
	lines = append(lines, fmt.Sprintf("deadline: %s - %s = %s left for requests, jitter and backlog (jitter alone uses that up from %.1f %%)",
		seconds(s.Deadline), seconds(w.Waits.Max), seconds(w.Slack), w.BreakEvenJitter*100))
	n := s.Count()
	lines = append(lines,
		s.timeouts(w, s.Timeout),
		fmt.Sprintf("break-even: %s for each attempt, for attempt %d to start in time (%s / %d); %s, for it to end in time as well",
			seconds(w.BreakEven), n, seconds(w.Slack), n-1, seconds(w.BreakEvenEnd)))
	if t := usualAbove(w.BreakEven); t > s.Timeout {
		lines = append(lines, s.timeouts(c.Window(t), t))
	}
	return lines
}

// usualAbove returns the shortest of the request timeouts that senders have which is longer than d; 0: there is none.
func usualAbove(d time.Duration) time.Duration {
	for _, s := range []float64{3, 5, 10, 15, 20, 30, 60, 120} {
		if t := share(time.Second, s); t > d {
			return t
		}
	}
	return 0
}

// timeouts says what happens to the last attempt if all before it take t.
func (s *Schedule) timeouts(w Window, t time.Duration) string {
	n := s.Count()
	spent := time.Duration(n-1) * t
	out := fmt.Sprintf("%d timeouts of %s: %s", n-1, seconds(t), seconds(spent))
	switch last := w.Starts[n-1]; last.InTime {
	case Always:
		out += fmt.Sprintf(", with all jitter %s, of %s: attempt %d always starts in time", seconds(spent+w.Jitter), seconds(w.Slack), n)
	case Sometimes:
		out += fmt.Sprintf(" of %s: jitter decides whether attempt %d is made; it starts up to %s late", seconds(w.Slack), n, seconds(last.At.Max-s.Deadline))
	case Never:
		out += fmt.Sprintf(" of %s: attempt %d would start %s past the deadline and is cut", seconds(w.Slack), n, seconds(last.At.Min-s.Deadline))
	}
	return out
}

// terms writes the waits out as a sum in seconds, a run of equal ones as a product.
func (s *Schedule) terms() string {
	var terms []string
	for k := 1; k <= s.Count(); {
		w, n := s.Range(k), 1
		for k+n <= s.Count() && s.Range(k+n) == w {
			n++
		}
		term := bare(w)
		if n > 2 || n > 1 && w.Min != w.Max {
			term = fmt.Sprintf("%d × %s", n, term)
		} else if n == 2 {
			term += " + " + term
		}
		terms = append(terms, term)
		k += n
	}
	return strings.Join(terms, " + ") + " s"
}

func bare(b Band) string {
	if b.Min == b.Max {
		return figure(b.Min.Seconds())
	}
	return "(" + figure(b.Min.Seconds()) + " to " + figure(b.Max.Seconds()) + ")"
}

func figure(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// seconds shows a duration as a plain number of seconds, to the millisecond.
func seconds(d time.Duration) string { return figure(d.Round(time.Millisecond).Seconds()) + " s" }

// secondsAndMinutes shows both, since schedules are published in one and reckoned in the other.
func secondsAndMinutes(b Band) string {
	minutes := func(d time.Duration) string { return strconv.FormatFloat(d.Minutes(), 'f', 1, 64) }
	if b.Min == b.Max {
		return seconds(b.Min) + " = " + minutes(b.Min) + " min"
	}
	return figure(b.Min.Seconds()) + " to " + seconds(b.Max) + " = " + minutes(b.Min) + " to " + minutes(b.Max) + " min"
}

func attemptsText(s *Schedule) string {
	n := strconv.Itoa(s.Count()) + " attempts"
	if s.Count() == 1 {
		n = "1 attempt"
	}
	if f := s.Fewest(); f < s.Count() {
		n = strconv.Itoa(f) + " to " + n
	}
	return n
}
