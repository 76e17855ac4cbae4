package judge

import (
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
	late      []noisy       // by start
	noise     []noisy       // of late, what exceeds the allowance
	pauses    []noisy       // of late, what exceeds the least allowance
	hiding    []noisy       // of late, what may hide an attempt
	outages   []outage
	offset    time.Duration   // of the sender's clock: its wall time is so much behind ours
	offsetBy  time.Duration   // that is too much at most, since the request that shows it was late
	drifted   int             // record of an arrival whose two clocks disagree; 0: none
	moves     []*evidence.Act // by which the sender's clock was advanced
	measured  bool            // whether any signed time showed the offset
	sameID    map[idPlace][]*event
	views     []*view
	strangers map[string]*strangers // of each endpoint, by its name, once they were asked for
	needles   map[searched]*needles // once they were asked for
}

func newTrial(c *contract.Contract, run *evidence.Run) *trial {
	t := &trial{c: c, run: run, allowance: Allowance(run), ended: lastInstant(run)}
	if c.Signature != nil {
		// The contract was validated, so an unknown scheme is another version's; sig checks then say that it is absent.
		t.scheme, _ = c.Signature.Lookup()
	}
	t.outages = outages(run, t.ended)
	t.late = t.lateSpans()
	for _, n := range t.late { // a pause may have begun right after the sample before
		if n.to-n.from > leastAllowance {
			t.pauses = append(t.pauses, n)
		}
		if n.to-n.from > t.allowance {
			t.noise = append(t.noise, n)
		}
	}
	t.hiding = t.hidings()
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
	t.sameID = t.eventsByID()
	return t
}

// applies tells whether the contract promises what a check judges, so that the check can own its part.
func (t *trial) applies(id string) bool {
	for _, ch := range Checks() {
		if ch.ID == id {
			return ch.absent(t) == ""
		}
	}
	return false
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
			v.addEndpoint(e)
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

// addEndpoint adds an endpoint; a later record of the same name replaces the earlier one, since keys change.
func (v *view) addEndpoint(e *evidence.Endpoint) {
	for i, old := range v.endpoints {
		if old.Name == e.Name {
			v.endpoints[i] = e
			return
		}
	}
	v.endpoints = append(v.endpoints, e)
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
	abilityLog          = "log"
	abilityDead         = "dead-letters"
	abilityOutput       = "output"
	abilityRotate       = "rotate"
	abilityRevoke       = "revoke"
	abilityDisable      = "disable"
	abilityDelete       = "delete"
	abilityReadEndpoint = "read-endpoint"
	abilityReplay       = "replay"
	abilityReplayRange  = "replay-range"
	abilityRollBack     = "roll-back"
	abilityIssueSecrets = "issue-secrets"
	abilityFanOut       = "fan-out"
	abilitySeparate     = "environments"
	abilityTrust        = "trust-ca"
	abilitySetHeaders   = "custom-headers"
)
