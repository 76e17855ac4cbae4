package judge

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/signature"
)

// trial is a run as all checks see it: requests read, attributed and sorted into scenarios. It is built once and not
// changed afterwards.
type trial struct {
	c         *contract.Contract
	run       *evidence.Run
	scheme    *signature.Scheme // nil if the contract promises none, or one that is unknown
	allowance time.Duration
	ended     time.Duration // nothing was recorded after it
	noise     []noisy       // by start
	outages   []outage
	offset    time.Duration   // δ of section 2
	drifted   int             // record of an arrival whose two clocks disagree; 0: none
	moves     []*evidence.Act // by which the sender's clock was advanced
	views     []*view
}

func newTrial(c *contract.Contract, run *evidence.Run) *trial {
	t := &trial{c: c, run: run, allowance: Allowance(run), ended: lastInstant(run)}
	if c.Signature != nil {
		// The contract was validated, so an unknown scheme is another version's; sig checks then say that it is absent.
		t.scheme, _ = signature.Lookup(c.Signature.Scheme)
	}
	t.outages = outages(run, t.ended)
	t.noise = t.noisySpans()
	slices.SortStableFunc(t.noise, func(a, b noisy) int { return cmp.Compare(a.from, b.from) })
	for i := range run.Scenarios {
		t.views = append(t.views, &view{t: t, sc: &run.Scenarios[i]})
	}
	for i := range run.Acts {
		if a := &run.Acts[i]; a.Act == evidence.ActClock && a.OK() {
			t.moves = append(t.moves, a)
		}
	}
	t.distribute()
	for _, v := range t.views {
		v.attributeAll()
	}
	t.readClocks()
	return t
}

// lastInstant is the offset up to which the evidence speaks. A file that was cut short speaks up to its last record.
func lastInstant(run *evidence.Run) time.Duration {
	if run.Footer != nil {
		return run.Footer.Ended
	}
	var last time.Duration
	for i := range run.Acts {
		last = max(last, run.Acts[i].Returned)
	}
	for i := range run.Attempts {
		last = max(last, run.Attempts[i].FirstByte)
	}
	for i := range run.Logs {
		last = max(last, run.Logs[i].Read)
	}
	return last
}

// distribute hands every record to the scenario that it names, or whose endpoint it names.
func (t *trial) distribute() {
	byName := make(map[string]*view, len(t.views))
	for _, v := range t.views {
		if byName[v.sc.Name] == nil {
			byName[v.sc.Name] = v
		}
	}
	byEndpoint := map[string]*view{}
	for i := range t.run.Endpoints {
		e := &t.run.Endpoints[i]
		if v := byName[e.Scenario]; v != nil {
			v.endpoints = append(v.endpoints, e)
			byEndpoint[e.Name] = v
		}
	}
	find := func(scenario, endpoint string) *view {
		if v := byName[scenario]; v != nil {
			return v
		}
		return byEndpoint[endpoint]
	}
	for i := range t.run.Acts {
		a := &t.run.Acts[i]
		if v := find(a.Scenario, a.Endpoint); v != nil {
			v.acts = append(v.acts, a)
		}
	}
	for i := range t.run.Attempts {
		a := &t.run.Attempts[i]
		copied := a.Origin == evidence.OriginHarness
		if v := find(a.Scenario, a.Endpoint); v != nil && (a.Handled() || copied) {
			v.requests = append(v.requests, t.readRequest(a))
		}
	}
	t.distributeRecords(find)
}

func (t *trial) distributeRecords(find func(scenario, endpoint string) *view) {
	for i := range t.run.Effects {
		e := &t.run.Effects[i]
		if v := find(e.Scenario, e.Endpoint); v != nil {
			v.effects = append(v.effects, e)
		}
	}
	for i := range t.run.Logs {
		l := &t.run.Logs[i]
		if v := find(l.Scenario, l.Endpoint); v != nil {
			v.logs = append(v.logs, l)
		}
	}
	for i := range t.run.DeadLetters {
		d := &t.run.DeadLetters[i]
		if v := find(d.Scenario, d.Endpoint); v != nil {
			v.dead = append(v.dead, d)
		}
	}
}

// can tells whether the sender's driver listed an ability.
func (t *trial) can(ability string) bool {
	return slices.ContainsFunc(t.run.Header.Sender.Abilities, func(a string) bool { return strings.EqualFold(a, ability) })
}

// Abilities that decide what evidence can exist. The names are those of package sender, which judge may not import.
const (
	abilityLog  = "log"
	abilityDead = "dead-letters"
)
