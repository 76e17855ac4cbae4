package judge

import "time"

// awaited is the first attempt of an event that would have come in a pause, had the endpoint not been stopped.
type awaited struct {
	e    *event
	k    int  // the attempt seen before it; 0: none
	due  span // when it would have started, the allowance included
	sees bool // the pause was watched until it was due
}

// silentUntil is how long an absence in a pause was watched.
func (v *view) silentUntil(p pause) time.Duration { return min(p.to, v.watched()) }

// heldBack returns what would have come first in the pause, and the noise for which it may have come all the same and not been
// seen. Where there are several, one that no noise can have hidden shows more than one that came before it.
func (v *view) heldBack(endpoint string, p pause) (first awaited, noise *noisy) {
	for _, e := range v.events {
		if e.endpoint != endpoint {
			continue
		}
		next, ok := e.dueAfter(p)
		if !ok {
			continue
		}
		n := next.excuse(v.silentUntil(p))
		shows, shown := next.sees && n == nil, first.sees && noise == nil
		if first.e == nil || shows && !shown || shows == shown && next.due.to < first.due.to {
			first, noise = next, n
		}
	}
	return first, noise
}

// excuse returns the noise for which none of the attempts that were due by an end need have been seen, had they been made; nil if
// there is none.
func (a *awaited) excuse(end time.Duration) *noisy {
	if a.k > 0 {
		return a.e.excuseAfter(a.k, a.due.to, end)
	}
	return firstNoise(a.e.hiddenFrom(1, a.due, end), a.e.v.delays(a.due.to, span{a.due.from, end}))
}

// excuseAfter returns the noise for which an absence of attempts after attempt k, up to an end, may show nothing, though the next one
// was due: it may have hidden each of them, or have made the next one late; nil if there is none.
func (e *event) excuseAfter(k int, due, end time.Duration) *noisy {
	return firstNoise(e.goneUnseenBy(k, end), e.v.delays(due, span{e.tries[k-1].latestEnd(), end}))
}

func firstNoise(a, b *noisy) *noisy {
	if a != nil {
		return a
	}
	return b
}

// delays returns noise within s for which what was due, allowance included, may come only after it; nil if there is none.
func (v *view) delays(due time.Duration, s span) *noisy {
	if due > s.to || due+v.noisyTime(s) <= s.to {
		return nil
	}
	return v.noiseIn(s)
}

// dueAfter is what would have come of the event in the pause, later than a stop may take to show.
func (e *event) dueAfter(p pause) (awaited, bool) {
	v, s := e.v, e.v.t.c.Schedule
	if s == nil {
		return awaited{}, false
	}
	end := v.silentUntil(p)
	if e.emit.Called > p.from {
		// A sender that refuses the event altogether sends nothing either.
		due := span{e.emit.Called, e.emit.Returned + s.Wait(1).Max + v.t.allowance}
		return awaited{e: e, due: due, sees: due.to <= end}, e.emit.Called < p.to
	}
	var before *request
	for _, r := range e.tries {
		if r.a.FirstByte > p.from {
			if r.a.FirstByte >= p.to {
				break // it came once the pause was over, as it should
			}
			return awaited{}, false
		}
		before = r
	}
	if before == nil || !v.read(before).onlyTransient() || before.number >= s.Count() || e.stop(before.number) != stopWrong {
		return awaited{}, false
	}
	b, _ := e.next(before.number)
	due := e.nextDue(before.number, before.number)
	return awaited{e: e, k: before.number, due: due, sees: due.to <= end}, before.earliestEnd()+b.Min > p.from+v.slack()
}
