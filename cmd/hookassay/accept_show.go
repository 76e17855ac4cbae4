package main

import (
	"fmt"
	"strconv"
	"strings"
)

// text is the count for people.
func (t *tallied) text(w acceptWords) string {
	var b strings.Builder
	a := t.Acceptance
	if t.Rows > 0 {
		fmt.Fprintf(&b, w.readRows, shown(t.Source), w.rows(t.Rows), w.events(t.All), a.Events, t.Contract)
	} else {
		fmt.Fprintf(&b, w.read, shown(t.Source), w.events(t.All), a.Events, t.Contract)
	}
	delivered := a.DeliveredFirstTry + a.DeliveredAfterRetry
	fmt.Fprintf(&b, w.interval, a.DeliveredFirstTry, a.DeliveredAfterRetry, a.Events, share(a.Rate), share(t.Interval.Low), share(t.Interval.High))
	if t.Verdict == acceptUnknown {
		fmt.Fprintf(&b, w.wanted[t.Verdict], share(a.Threshold), t.sample)
	} else {
		fmt.Fprintf(&b, w.wanted[t.Verdict], share(a.Threshold))
	}
	if t.Verdict == acceptReached && t.Interval.Low < a.Threshold {
		b.WriteString(w.low)
	}
	if t.CutShort {
		b.WriteString(w.cutShort)
	}
	if t.Lost > 0 {
		fmt.Fprintf(&b, w.lost, t.Lost)
	}
	fmt.Fprintf(&b, "  %6d  %s\n  %6d  %s\n  %6d  %s: %d\n  %6d  %s\n  %6d  %s: %d / %d = %s\n",
		a.DeliveredFirstTry, w.first, a.DeliveredAfterRetry, w.retry, a.DeadLettered, w.dead, a.DeliveredByReplay, a.Pending, w.pending,
		a.DuplicateEvents, w.again, a.DuplicateEvents, delivered, share(a.DuplicateRate))
	fmt.Fprintf(&b, "%s: %s\n", w.missing, w.list(a.MissingIDs, false))
	if a.DeadLettered > 0 {
		fmt.Fprintf(&b, "%s: %s\n%s: %s\n", w.noReason, w.list(t.Unreasoned, t.Unreasoned == nil), w.noReplay, w.list(t.Unreplayed, t.Unreplayed == nil))
	}
	b.WriteString(strings.Join(w.definitions, "\n") + "\n")
	return b.String()
}

// maxListed is how many ids are shown; --json has all.
const maxListed = 20

func (w acceptWords) list(ids []string, unknown bool) string {
	switch {
	case unknown:
		return w.notSaid
	case len(ids) == 0:
		return w.none
	}
	var out []string
	for i, id := range ids {
		if i == maxListed {
			out = append(out, fmt.Sprintf(w.more, len(ids)-i))
			break
		}
		out = append(out, shown(id))
	}
	return strings.Join(out, ", ")
}

// share shows a rate in per cent, to four digits behind the point, and never rounds it up to a figure that was not reached.
func share(rate float64) string {
	const digits = 1e4
	// A float of 0.57 × 100 × 10 000 lies a hair below what it stands for.
	cut := float64(int64(rate*100*digits+1e-6)) / digits
	return strconv.FormatFloat(cut, 'f', -1, 64) + " %"
}

// shown makes text from outside fit for a terminal.
func shown(s string) string {
	const most = 200
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	if q := strconv.Quote(s); q != `"`+s+`"` {
		return q
	}
	return s
}
