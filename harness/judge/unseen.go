package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/contract"
)

// An attempt can come and go unseen. Where the sender or our receiver stood still for about as long as a request may take, the
// sender's timeout ended the attempt before its request could be read, perhaps before it was sent. The sender is right to count such
// an attempt, so that those which were seen bear other numbers, and the last one may have been followed by another.

// hidings lists the stretches whose allowance, by what was measured in them, is as long as the request timeout; what overlaps is one. So
// is each in which nothing listened, however short: a refusal takes no time.
func (t *trial) hidings() []noisy {
	s := t.c.Schedule
	if s == nil {
		return nil
	}
	var out []noisy
	open := map[string]int{} // index of the last one, by instance
	for _, n := range t.late {
		if n.deaf {
			out = append(out, n)
			continue
		}
		if s.Timeout <= 0 || n.most() < s.Timeout {
			continue
		}
		if i, ok := open[n.instance]; ok && n.from <= out[i].to {
			out[i].to, out[i].late = max(out[i].to, n.to), max(out[i].late, n.late)
			continue
		}
		open[n.instance] = len(out)
		out = append(out, n)
	}
	return out
}

// hiddenBy tells whether attempts of the scenario's sender may have come and gone unseen in a stretch of hiding. One that was away itself
// while nothing listened made none.
func (v *view) hiddenBy(n *noisy) bool {
	if n.deaf {
		return !v.asleep(n.span)
	}
	return n.instance == "" || n.instance == v.sc.Instance
}

// hides returns the last stretch within s in which an attempt may have come and gone unseen, or nil.
func (v *view) hides(s span) *noisy {
	var last *noisy
	for i := range v.t.hiding {
		n := &v.t.hiding[i]
		if v.hiddenBy(n) && n.touches(s) && (last == nil || n.to > last.to) {
			last = n
		}
	}
	return last
}

// unseen is how many attempts may have come and gone unseen before attempt k, at most; without a schedule nothing tells of any.
func (e *event) unseen(k int) int {
	if len(e.v.t.hiding) == 0 || k < 1 || e.v.t.c.Schedule == nil {
		return 0
	}
	for i := len(e.hidden) + 1; i <= len(e.tries); i++ {
		before := 0
		if i > 1 {
			before = e.hidden[i-2]
		}
		e.hidden = append(e.hidden, before+e.unseenIn(i))
	}
	return e.hidden[k-1]
}

// unseenIn is how many attempts may have come and gone unseen between attempt k and the one before it that was seen: as many as there
// is room for, since each took its time and had its own wait before it.
func (e *event) unseenIn(k int) int {
	s, g := e.v.t.c.Schedule, e.gapTo(k)
	first := s.Wait(k)
	if k > 1 {
		first, _ = e.next(k - 1)
	}
	at, longest := g.span(e), g.longest+g.give
	if g.before != nil {
		longest += e.v.seenLate(g.before)
	}
	at.from = max(at.from, at.to-longest+first.Min-e.v.t.allowance) // no attempt was due sooner
	if at.from > at.to || e.v.hides(at) == nil {
		return 0
	}
	took := e.v.leastTook(at)
	room := longest - first.Min
	n := 0
	for ; k+n < s.Count(); n++ {
		next := e.v.t.soonest(k+n+1, took)
		if room -= next; room < 0 {
			break
		}
	}
	return n
}

// leastTook is how long an attempt within s that was not seen took at least: the whole of the request timeout, or nothing where it may have
// been refused.
func (v *view) leastTook(s span) time.Duration {
	for i := range v.t.hiding {
		if n := &v.t.hiding[i]; n.deaf && v.hiddenBy(n) && n.touches(s) {
			return 0
		}
	}
	return v.t.c.Schedule.Timeout
}

// soonest is how long at least after the start of the attempt before it, which took so long, the attempt of a number starts.
func (t *trial) soonest(number int, took time.Duration) time.Duration {
	wait := t.c.Schedule.Wait(number).Min
	if t.c.Schedule.MeasuredFrom == contract.FromEnd {
		return took + wait
	}
	return max(took, wait)
}

// seenLate is by how much longer ago than we saw it the sender may have hung up, where a pause of ours lay before.
func (v *view) seenLate(r *request) time.Duration {
	if !r.hungUp() {
		return 0
	}
	end, first := r.latestEnd(), r.last().a.FirstByte
	for i := range v.t.hiding {
		n := &v.t.hiding[i]
		if n.instance != "" || !v.hiddenBy(n) || !n.touches(span{end, end}) {
			continue
		}
		if n.touches(span{first, first}) {
			return max(end-n.from, 0) // it was read late as well, and may have been given up before
		}
		return max(end-max(n.from, first), 0)
	}
	return 0
}

// mayHaveHidden tells whether attempts before t may have come and gone unseen, the one after the last that was seen included.
func (e *event) mayHaveHidden(t time.Duration) bool {
	n := 0
	for n < len(e.tries) && e.tries[n].a.FirstByte <= t {
		n++
	}
	switch {
	case n == 0 || e.v.t.c.Schedule == nil:
		return false
	case n < len(e.tries) && e.tries[n].dead(): // given up before it was read, and perhaps before t
		return e.nextDue(n, n).from <= t
	case len(e.v.t.hiding) == 0:
		return false
	case e.unseen(n) > 0:
		return true
	case n < len(e.tries) && e.unseen(n+1) > 0: // perhaps before t
	case n < len(e.tries), n >= e.v.t.c.Schedule.Count() || !e.v.read(e.tries[n-1]).transient:
		return false
	}
	due := e.nextDue(n, n)
	due.to = min(e.v.delayed(e.tries[n-1].latestEnd(), due.to), t)
	return due.from <= t && e.v.hides(due) != nil
}

// nextDue is when the attempt after attempt k starts if that was the one of the number, with the allowance on both sides.
func (e *event) nextDue(k, number int) span {
	p := e.tries[k-1]
	b, _ := e.nextAs(k, number)
	end := p.earliestEnd() - e.v.seenLate(p)
	late := !p.hungUp() && e.v.readLate(p) != (reads{})
	if late { // the attempt may have ended with the sender's own timeout
		end = min(end, p.last().start()+e.v.t.c.Schedule.Timeout)
	}
	from := end + b.Min - e.v.t.allowance
	if !late && !p.hungUp() {
		from = max(from, p.earliestEnd()) // not before the answer, however large the allowance is
	}
	return span{from, p.latestEnd() + b.Max + e.v.t.allowance}
}

// goneUnseen returns the noise that may have hidden every attempt that had to follow attempt k, which failed and was the last one seen;
// nil if one of them must have been seen.
func (e *event) goneUnseen(k int) *noisy { return e.goneUnseenBy(k, never) }

// goneUnseenBy is goneUnseen for the attempts that were due by a time.
func (e *event) goneUnseenBy(k int, until time.Duration) *noisy {
	s := e.v.t.c.Schedule
	if s == nil || len(e.v.t.hiding) == 0 {
		return nil
	}
	for number := k; number <= min(k+e.unseen(k), s.Count()); number++ {
		due := e.nextDue(k, number)
		due.to = e.v.delayed(e.tries[k-1].latestEnd(), due.to)
		if n := e.hiddenFrom(number+1, due, until); n != nil {
			return n
		}
	}
	return nil
}

// hiddenFrom returns the noise that may have hidden every attempt from the one of a number on, which was to start within due, as far as
// they were due by a time; nil if one of them must have been seen.
func (e *event) hiddenFrom(number int, due span, until time.Duration) *noisy {
	s, v := e.v.t.c.Schedule, e.v
	if s == nil {
		return nil // no timeout is known that would end one
	}
	if early, _, limited := e.deadline(); limited {
		until = min(until, early)
	}
	var last *noisy
	for j := number; j <= s.Count() && due.to <= until; j++ {
		n := v.hides(due)
		if n == nil {
			return nil
		}
		last = n
		if !v.t.c.TransientError(contract.ErrorTimeout) {
			return last // none follows one that was given up
		}
		latest := max(due.to, n.to+v.t.allowance) + s.Timeout + s.Wait(j+1).Max
		due = span{due.from + v.t.soonest(j+1, v.leastTook(due)), v.delayed(n.to, latest)}
	}
	return last
}
