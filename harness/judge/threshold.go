package judge

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// tick is what may move the count by which a sender disables an endpoint of its own accord: the end of an attempt, or of an event.
type tick struct {
	from, to          time.Duration // the earliest and the latest instant at which the sender can have counted it
	failed, succeeded bool          // both: it may have been either
	vague             bool          // nobody says whether it counts
	n                 int           // its record
}

// reach is when an endpoint was to be disabled by the contract's rule.
type reach struct {
	maybe time.Duration // no correct sender disables it before; never: none may at all
	sure  time.Duration // every correct sender has disabled it by then; never: that is not certain
	n     int           // the record that made it so
}

// ticksOf lists what moved an endpoint's count since an instant.
func (v *view) ticksOf(endpoint string, since time.Duration) []tick {
	out := v.attemptTicks(endpoint)
	if v.t.c.AutoDisable.Of == contract.OfEvents {
		out = v.eventTicks(endpoint)
	}
	for _, a := range v.acts {
		if a.Act == evidence.ActEnable && (a.Endpoint == "" || a.Endpoint == endpoint) {
			out = append(out, tick{from: a.Called, to: a.Returned, succeeded: true, vague: true, n: a.N})
		}
	}
	for i := range v.t.outages {
		// Whether a count outlasts the process is not said.
		if o := &v.t.outages[i]; o.kind != evidence.ActDown && o.concerns(v, endpoint) {
			out = append(out, tick{from: o.from, to: o.to, succeeded: true, vague: true, n: o.n})
		}
	}
	return cutTicks(out, since)
}

// cutTicks leaves out what was over by an instant; what was under way then may count or not.
func cutTicks(out []tick, since time.Duration) []tick {
	out = slices.DeleteFunc(out, func(k tick) bool { return k.to <= since })
	for i := range out {
		out[i].vague = out[i].vague || out[i].from <= since
	}
	return out
}

func (v *view) attemptTicks(endpoint string) []tick {
	var out []tick
	for _, r := range v.requests {
		if r.a.Endpoint != endpoint || r.a.Origin == evidence.OriginHarness || r.class == classTransport {
			continue
		}
		got := v.read(r)
		out = append(out, tick{
			from: r.earliestEnd(), to: r.latestEnd(), failed: got.transient || got.permanent, succeeded: got.success, n: r.a.N,
			vague: r.ev == nil || r.class != classAttempt || slices.Contains(r.ev.unsure, r),
		})
		if r.class == classAttempt && r.ev != nil {
			out = append(out, r.ev.unseenTicks(r)...)
		}
	}
	return out
}

// unseenTicks are the attempts that may have come and gone unseen just before one that was seen: the sender counts them.
func (e *event) unseenTicks(r *request) []tick {
	from := e.emit.Called
	if r.number > 1 {
		from = e.tries[r.number-2].earliestEnd()
	}
	hidden := tick{from: from, to: r.a.FirstByte, failed: true, vague: true, n: r.a.N}
	return slices.Repeat([]tick{hidden}, max(e.unseen(r.number)-e.unseen(r.number-1), 0))
}

// eventTicks lists the ends of events: a delivery when it was answered, the end of one that was given up when it was due.
func (v *view) eventTicks(endpoint string) []tick {
	var out []tick
	for _, e := range v.events {
		n := len(e.tries)
		if e.endpoint != endpoint || n == 0 {
			continue
		}
		for _, r := range e.requests {
			if r.class != classCopy && v.read(r).success {
				out = append(out, tick{
					from: r.earliestEnd(), to: r.latestEnd(), succeeded: true, n: r.a.N,
					vague: r.class != classAttempt || !v.read(r).onlySuccess(),
				})
			}
		}
		last := e.tries[n-1]
		switch due, _ := e.dies(); {
		case due != 0:
			out = append(out, tick{from: last.earliestEnd(), to: due, failed: true, n: last.a.N})
		case v.read(last).permanent || v.read(last).transient && (v.t.c.Schedule == nil || e.stop(n) != stopWrong):
			out = append(out, tick{from: last.earliestEnd(), to: v.t.ended, failed: true, vague: true, n: last.a.N})
		}
	}
	return out
}

// order is how near to a success a failure may be counted before or after it. That is a matter of how late things were just then.
func (v *view) order(success tick) time.Duration {
	near := leastAllowance + v.lag()
	return v.allowanceIn(span{success.from - near, success.to + near}) + v.lag()
}

// reaches finds when the endpoint was to be disabled.
func (v *view) reaches(ticks []tick) reach {
	out := reach{maybe: v.mayReach(slices.Clone(ticks)), sure: never}
	if k := v.mustReach(ticks); k != nil {
		out.sure, out.n = k.to, k.n
		out.maybe = min(out.maybe, k.to)
	}
	return out
}

// mustReach returns the failure by which the rule was met for certain, nil if it was not. Failures count that are certain and came
// after all that may have begun the count anew.
func (v *view) mustReach(ticks []tick) *tick {
	rule := v.t.c.AutoDisable
	slices.SortStableFunc(ticks, func(a, b tick) int { return cmp.Compare(a.to, b.to) })
	var first *tick
	count, barrier := 0, time.Duration(-1)
	for i := range ticks {
		k := &ticks[i]
		if k.succeeded || k.vague {
			count, first, barrier = 0, nil, max(barrier, k.to+v.order(*k))
			continue
		}
		if k.from <= barrier {
			continue
		}
		if count++; first == nil {
			first = k
		}
		if rule.Counts() && count >= rule.Failures || !rule.Counts() && k.from >= first.to+rule.FailingFor+v.timing() {
			return k
		}
	}
	return nil
}

// mayReach returns the earliest instant at which a correct sender may have found the rule met. All counts that may be a failure
// and that no success has certainly put an end to.
func (v *view) mayReach(ticks []tick) time.Duration {
	rule := v.t.c.AutoDisable
	slices.SortStableFunc(ticks, func(a, b tick) int { return cmp.Compare(a.from, b.from) })
	var open []tick
	passed := func(at time.Duration) bool { // that a timer ran out by then
		return !rule.Counts() && len(open) > 0 && v.runsOut(open[0]) <= at
	}
	for _, k := range ticks {
		if passed(k.from) {
			return v.runsOut(open[0])
		}
		if k.succeeded && !k.failed && !k.vague && rule.OnSuccess == contract.OnSuccessReset {
			near := v.order(k)
			open = slices.DeleteFunc(open, func(f tick) bool { return f.to+near < k.from })
		}
		if k.failed {
			open = append(open, k)
		}
		if rule.Counts() && len(open) >= rule.Failures {
			return k.from
		}
	}
	if passed(v.watched()) {
		return v.runsOut(open[0])
	}
	return never
}

// timing is how far off the sender's measure of a time of failures may be.
func (v *view) timing() time.Duration { return v.t.allowance + v.lag() + v.t.c.TimeUnit }

// runsOut is the earliest instant at which a series of failures has lasted as long as the rule says.
func (v *view) runsOut(first tick) time.Duration {
	return max(first.from, first.from+v.t.c.AutoDisable.FailingFor-v.timing())
}

// ruleText says the contract's rule for people.
func ruleText(a *contract.AutoDisable) string {
	text := "failures for " + dur(a.FailingFor)
	if a.Counts() {
		text = strconv.Itoa(a.Failures) + " failed " + a.Of
	}
	if a.OnSuccess == contract.OnSuccessReset {
		text += " without a success between"
	}
	return text
}
