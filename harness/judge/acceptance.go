package judge

import (
	"cmp"
	"slices"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// familyAcceptance is the family of the scenarios whose events count for the delivery rate.
const familyAcceptance = "acceptance"

// Accept counts how the events of the acceptance scenarios fared: the latest of them, as many as the contract's sample. It
// returns nil if no scenario of that family was played.
func Accept(c *contract.Contract, run *evidence.Run) *Acceptance {
	return newTrial(c, run).accept()
}

// acceptanceEvents returns the accepted events that count, in order of their emits; nil if no scenario was played.
func (t *trial) acceptanceEvents() (events []*event, played bool) {
	for _, v := range t.views {
		if v.sc.Family != familyAcceptance || v.sc.NotRun != "" {
			continue
		}
		played = true
		for _, e := range v.events {
			if e.emit.OK() {
				events = append(events, e)
			}
		}
	}
	slices.SortStableFunc(events, func(a, b *event) int { return cmp.Compare(a.emit.Called, b.emit.Called) })
	if t.c.Acceptance != nil && t.c.Acceptance.Sample > 0 && len(events) > t.c.Acceptance.Sample {
		events = events[len(events)-t.c.Acceptance.Sample:]
	}
	return events, played
}

func (t *trial) accept() *Acceptance {
	events, played := t.acceptanceEvents()
	if !played {
		return nil
	}
	a := &Acceptance{Events: len(events), MissingIDs: []string{}, DeadLetters: []AcceptanceDeadLetter{}}
	for _, e := range events {
		e.accept(a)
	}
	delivered := a.DeliveredFirstTry + a.DeliveredAfterRetry
	if a.Events > 0 {
		a.Rate = float64(delivered) / float64(a.Events)
	}
	if delivered > 0 {
		a.DuplicateRate = float64(a.DuplicateEvents) / float64(delivered)
	}
	a.SampleSufficient = a.Events > 0
	if t.c.Acceptance != nil {
		a.Threshold = t.c.Acceptance.Rate
		a.SampleSufficient = a.Events > 0 && a.Events >= t.c.Acceptance.Sample
	}
	return a
}

// accept adds one event.
func (e *event) accept(a *Acceptance) {
	switch k := e.delivered(); {
	case k == 1:
		a.DeliveredFirstTry++
	case k > 1:
		a.DeliveredAfterRetry++
	case e.terminal() != 0 || e.replayed() == replayDelivered:
		a.DeadLettered++
		if e.replayed() == replayDelivered {
			a.DeliveredByReplay++
		}
		a.DeadLetters = append(a.DeadLetters, e.deadLetter())
	default:
		a.Pending++
		a.MissingIDs = append(a.MissingIDs, e.id())
	}
	if e.duplicate() != nil && e.delivered() > 0 {
		a.DuplicateEvents++
	}
}

// delivered is the number of the first attempt that got a complete success answer; 0 if none did.
func (e *event) delivered() int {
	for _, r := range e.tries {
		if e.v.answeredWell(r) {
			return r.number
		}
	}
	return 0
}

func (v *view) answeredWell(r *request) bool {
	o := r.outcome()
	return o != nil && o.End == evidence.EndComplete && o.Status != 0 && v.readStatus(o.Status).success
}

// What a replay led to.
const (
	replayDelivered = "delivered"
	replayFailed    = "failed"
)

func (e *event) replayed() string {
	result := ""
	for _, round := range e.again {
		for _, r := range round {
			if e.v.answeredWell(r) {
				return replayDelivered
			}
			result = replayFailed
		}
	}
	if result == "" && len(e.calledFor()) > 0 {
		return replayFailed
	}
	return result
}

// id is the event's id as it was seen, else its marker.
func (e *event) id() string {
	if len(e.known) > 0 {
		return e.known[0]
	}
	return e.marker
}

func (e *event) deadLetter() AcceptanceDeadLetter {
	out := AcceptanceDeadLetter{ID: e.id(), Attempts: len(e.tries), Replay: e.replayed()}
	if n := len(e.dead); n > 0 {
		d := e.dead[n-1]
		out.Reason, out.Attempts, out.LastStatus = d.Reason, d.Attempts, d.LastStatus
	}
	return out
}

// duplicate returns the sender's own attempt that brought the event again after it was reliably received, or nil. A lost
// answer counts; replays, resends and copies do not.
func (e *event) duplicate() *request {
	effects := e.v.effectOf
	received := false
	for _, r := range e.tries {
		if received {
			return r
		}
		f := effects[r.a.Seq]
		received = e.v.answeredWell(r) || f != nil && (f.Result == evidence.EffectCommitted || f.Result == evidence.EffectAbsorbed)
	}
	return nil
}

// resentAfterReceipt returns a resend of the sender's HTTP library that brought the event again after it was reliably received, or
// nil. It counts for no rate, but the receiver must have absorbed it like any other.
func (e *event) resentAfterReceipt() *request {
	for _, r := range e.tries {
		f := e.v.effectOf[r.a.Seq]
		if r.resent != nil && f != nil && (f.Result == evidence.EffectCommitted || f.Result == evidence.EffectAbsorbed) {
			return r.resent
		}
	}
	return nil
}

// "Of the latest events this share is delivered at first try or after retry."
func acceptanceRate(v *view) Verdict {
	t := &tally{v: v}
	events, _ := v.t.acceptanceEvents()
	a := v.t.accept()
	if a == nil || !arrived(events) {
		return t.sum("", "no acceptance event arrived")
	}
	records, unknown := v.undelivered(events)
	delivered := a.DeliveredFirstTry + a.DeliveredAfterRetry
	switch could := float64(delivered+unknown) / float64(a.Events); {
	case !a.SampleSufficient:
		t.doubt(nil, "%d events were accepted; the rate is promised over %d", a.Events, v.t.c.Acceptance.Sample)
	case a.Rate >= a.Threshold:
		for _, e := range events {
			t.hold(e.emit.N)
		}
	case could >= a.Threshold:
		t.doubt(records, "%s; attempts of %d more have no known end, or were answered well too late for the sender", a.ratio(), unknown)
	case !v.t.run.Complete():
		t.doubt(records, "%s, but the run was cut short", a.ratio())
	default:
		t.breaks(records, "%s", a.ratio())
	}
	return t.sum(a.ratio(), "")
}

func (a *Acceptance) ratio() string {
	return "(" + num(a.DeliveredFirstTry) + " at first try + " + num(a.DeliveredAfterRetry) + " after retry) of " + num(a.Events) +
		" events = " + percent(a.Rate) + "; promised " + percent(a.Threshold)
}

// undelivered cites the events that count against the rate, and counts those that may not be the sender's doing: an attempt has no
// known end, or we meant it well and were too late.
func (v *view) undelivered(events []*event) (records []int, unknown int) {
	for _, e := range events {
		if e.delivered() > 0 {
			continue
		}
		records = append(records, e.emit.N)
		if slices.ContainsFunc(e.tries, func(r *request) bool { return r.outcome() == nil || v.wellButLate(r) }) {
			unknown++
		}
	}
	return records, unknown
}

// wellButLate tells whether a success was written to a sender that had hung up, at a time at which it may have run into its timeout.
func (v *view) wellButLate(r *request) bool {
	o := r.outcome()
	return r.hungUp() && o.Status != 0 && v.readStatus(o.Status).success && v.readLate(r) != (reads{})
}

func arrived(events []*event) bool {
	return slices.ContainsFunc(events, func(e *event) bool { return len(e.requests) > 0 })
}

// "Duplicates are part of the design and are absorbed": one effect for each event that came again by the sender's own
// attempts, or by a resend of its HTTP library.
func acceptanceAbsorbed(v *view) Verdict {
	t := &tally{v: v}
	events, _ := v.t.acceptanceEvents()
	effects := map[*view]map[*event][]*evidence.Effect{}
	for _, e := range events {
		again := cmp.Or(e.duplicate(), e.resentAfterReceipt())
		if again == nil {
			continue
		}
		if effects[e.v] == nil {
			effects[e.v] = e.v.effectsOf()
		}
		fs := effects[e.v][e]
		committed := count(fs, evidence.EffectCommitted)
		_, changed := e.changedID()
		switch {
		case e.namesake() != nil:
			t.doubt([]int{again.a.N}, idShared, e.name())
		case len(fs) == 0:
			t.doubt([]int{again.a.N}, "%s came again, but its effects are not in the evidence", e.name())
		case committed == 1 && mostRows(fs) == 1:
			t.hold(append(effectRecords(fs), again.a.N)...)
		case changed != nil:
			t.breaks(append(effectRecords(fs), changed.a.N), "%s came again under another id and had %d effects; wanted one", e.name(), committed)
		default:
			t.broke(effectRecords(fs), "%s came again under one id, and the receiver committed %d effects; wanted one", e.name(), committed)
		}
	}
	return t.sum("events that came again had one effect each (events: %d)", "no event came again after it was reliably received")
}

// "Every dead letter has a reason and, when replayed, a record of it."
func acceptanceDeadLetters(v *view) Verdict {
	t := &tally{v: v}
	events, _ := v.t.acceptanceEvents()
	for _, e := range events {
		if len(e.requests) == 0 || e.delivered() > 0 || e.terminal() == 0 && e.replayed() == "" {
			continue
		}
		v.statesReason(t, e)
	}
	return t.sum("dead letters state their reason and their replay (dead letters: %d)", "no event was given up")
}

func (v *view) statesReason(t *tally, e *event) {
	if len(e.dead) == 0 {
		t.doubt([]int{e.emit.N}, "%s was given up, but its dead letter was not read", e.name())
		return
	}
	d, calls := e.dead[len(e.dead)-1], e.calledFor()
	switch {
	case v.keeps("reason") && d.Reason == "":
		t.breaks([]int{d.N}, "the dead letter of %s states no reason", e.name())
	case !v.keeps("replay"):
		t.hold(d.N)
	case len(calls) == 0:
		t.doubt([]int{d.N}, "the dead letter of %s was not replayed, so that its record of a replay cannot be judged", e.name())
	case len(d.Replays) > 0:
		t.hold(d.N, calls[0].N)
	case d.Read < calls[len(calls)-1].Returned+v.lag()+v.t.allowance:
		t.doubt([]int{d.N}, "the dead letter of %s was last read at %s, too early to hold a record of its replay", e.name(), dur(d.Read))
	default:
		t.breaks([]int{d.N, calls[0].N}, "%s was replayed at %s, and its dead letter has no record of that at %s",
			e.name(), dur(calls[0].Called), dur(d.Read))
	}
}
