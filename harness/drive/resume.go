package drive

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/sender"
)

// LongestGap is how long a run may have been interrupted to be gone on with. Beyond it the schedules of real senders are over, or have
// come to waits of hours.
const LongestGap = time.Hour

// part is how far an interrupted run came with a scenario.
type part int

const (
	unbegun part = iota // it is played
	over                // it is not played again
	acting              // it was cut in the middle of its acts, which nobody knows how to go on with, or is worth nothing in pieces: it is played anew
	waiting             // it had done all its acts: it is watched to its end
)

// earlier is the part of a run before its interruption.
type earlier struct {
	run       *evidence.Run
	parts     map[string]part
	ends      endpointsOf
	instances map[string]bool // by name: those that were launched and are gone on with
	number    int             // of the interruption, from 1
	ended     time.Duration   // nothing is known of what came later
	told      bool            // the evidence says so
	gaps      []evidence.Interruption
}

// endpointsOf are the latest records of endpoints, in the order of their first ones.
type endpointsOf []evidence.Endpoint

// startOf is the offset 0 of a run that began at a wall-clock time, by this process's clocks.
func startOf(began time.Time) time.Time {
	now := time.Now()
	return now.Add(-now.Round(0).Sub(began))
}

// lookBack finds out what is left to do of the run that is gone on with, and where it was known.
func (p *player) lookBack() (k kept, err error) {
	run := p.setup.Resume.Run
	e := &earlier{run: run, parts: map[string]part{}, instances: map[string]bool{}, number: len(run.Interruptions()) + 1, ended: run.Last()}
	if gap := p.now() - e.ended; gap < 0 {
		return k, errors.New("the clock of this machine was set back since the run was interrupted, so that its times cannot be gone on with; begin a new run")
	} else if gap > LongestGap {
		return k, fmt.Errorf("the run was interrupted %s ago, and at most %s can be bridged; begin a new run", gap.Round(time.Second), LongestGap)
	}
	if why := p.cannotKeep(); why != "" {
		return k, errors.New(why)
	}
	if k, err = p.recallPlace(); err != nil {
		return k, err
	}
	e.findEndpoints()
	for _, sc := range p.setup.Scenarios {
		e.parts[sc.Name] = e.partOf(sc, k.URL)
	}
	for i := range run.Acts {
		a := &run.Acts[i]
		switch {
		case a.Act == evidence.ActLaunch && a.OK():
			e.instances[a.Instance] = true
		case a.Scenario == "" && (a.Act == evidence.ActDown || a.Act == evidence.ActUp):
			e.told = a.Act == evidence.ActDown
		}
	}
	p.before = e
	return k, nil
}

// cannotKeep says why the sender cannot be gone on with; empty if it can.
func (p *player) cannotKeep() string {
	k, ok := p.setup.Launcher.(sender.Keeper)
	switch {
	case p.setup.ByHand != "":
		return "a run on an endpoint that was configured by hand cannot be gone on with; begin a new run"
	case !ok:
		return "the driver of this sender cannot go on with it after the run was interrupted; begin a new run"
	}
	if err := k.Keeps(); err != nil {
		return err.Error()
	}
	return ""
}

// keeping tells whether what the run needs to be gone on with is kept.
func (p *player) keeping() bool { return p.setup.State != "" && p.cannotKeep() == "" }

func (e *earlier) findEndpoints() {
	for _, ep := range e.run.Endpoints {
		if i := slices.IndexFunc(e.ends, func(old evidence.Endpoint) bool { return old.Name == ep.Name }); i >= 0 {
			e.ends[i] = ep
		} else {
			e.ends = append(e.ends, ep)
		}
	}
}

// partOf tells how far a scenario came. base is the URL of the one listener that comes back.
func (e *earlier) partOf(sc Scenario, base string) part {
	for i := range e.run.Scenarios {
		if rec := &e.run.Scenarios[i]; rec.Name == sc.Name && (rec.Ended > 0 || rec.NotRun != "" && rec.NotRun != notBegun && rec.NotRun != notStarted) {
			return over
		}
	}
	// Its first endpoint is written down before the sender is told of it.
	begun := slices.ContainsFunc(e.ends, func(ep evidence.Endpoint) bool { return ep.Scenario == sc.Name })
	watched := false
	for i := range e.run.Acts {
		if a := &e.run.Acts[i]; a.Scenario == sc.Name && a.Act != evidence.ActAgain {
			begun, watched = true, watched || a.Act == evidence.ActWatch
		}
	}
	elsewhere := slices.ContainsFunc(e.ends, func(ep evidence.Endpoint) bool {
		return ep.Scenario == sc.Name && !strings.HasPrefix(ep.URL, base+"/")
	})
	switch {
	case !begun:
		return unbegun
	case watched && !elsewhere && !sc.Unbroken:
		return waiting
	}
	return acting
}

// needs tells whether the instance of a name holds what a scenario waits for.
func (p *player) needs(name string) bool {
	return slices.ContainsFunc(p.setup.Scenarios, func(sc Scenario) bool {
		in := instanceName(sc.Instance)
		if !p.canLaunch() {
			in = shared
		}
		return in == name && p.before.parts[sc.Name] == waiting
	})
}

// left tells whether a sender is there already, or its state is, and is to be gone on with.
func (p *player) left(name string) bool {
	return p.before != nil && p.before.instances[name] && (!p.canLaunch() || p.needs(name))
}

// say records when nothing listened, and what is played anew.
func (p *player) say() {
	e := p.before
	if !e.told { // the run did not end in order: its senders ended with it, or go on
		why := "the run ended without a word"
		if p.canLaunch() {
			for name := range e.instances {
				p.add(&evidence.Act{Act: evidence.ActKill, Instance: name, Called: e.ended, Returned: e.ended, Note: why, Unsaid: true})
			}
		}
		p.add(&evidence.Act{Act: evidence.ActDown, Called: e.ended, Returned: e.ended, Note: why, Unsaid: true})
	}
	now := p.now()
	for _, sc := range p.setup.Scenarios {
		if e.parts[sc.Name] == acting {
			p.add(&evidence.Act{Act: evidence.ActAgain, Scenario: sc.Name, Called: now, Returned: now, Note: "the run was interrupted before it had shown what it is for"})
		}
	}
	p.add(&evidence.Act{Act: evidence.ActUp, Called: now, Returned: p.now(), Note: "the run is gone on with"})
	e.gaps = p.rec.Run().Interruptions()
	for i := range e.run.Attempts {
		a := &e.run.Attempts[i]
		p.board.note(&a.Arrival)
		if a.Handled() {
			p.clock.note(a.Wall, p.receiver.SignedAt(&a.Arrival))
		}
		if a.Outcome != nil {
			p.board.note(a.Outcome)
		}
	}
	p.tell(func(pr *Progress) {
		for i := range e.run.Acts {
			if a := &e.run.Acts[i]; a.Act == evidence.ActEmit && a.OK() && e.parts[a.Scenario] != acting {
				pr.Emitted++
			}
		}
		for _, at := range e.parts {
			if at == over {
				pr.Done++
			}
		}
	})
}

// rejoin fills the stage of a scenario that waited when the run was interrupted with its endpoints and events. now is its record.
func (p *player) rejoin(st *Stage, now *evidence.Scenario) {
	run, e := p.before.run, p.before
	byName := map[string]*Endpoint{}
	for _, rec := range e.ends {
		if rec.Scenario == st.sc.Name {
			ep := &Endpoint{
				EndpointSpec: EndpointSpec{Types: rec.Types, Tenant: rec.Tenant, Environment: rec.Environment, Headers: rec.Headers},
				Name:         rec.Name, URL: rec.URL, ID: rec.SenderID, keys: rec.Secrets,
			}
			byName[rec.Name] = ep
			st.endpoints = append(st.endpoints, ep)
		}
	}
	for i := range run.Acts {
		a := &run.Acts[i]
		if a.Scenario != st.sc.Name {
			continue
		}
		switch a.Act {
		case evidence.ActEmit, evidence.ActEmitRolledBack:
			st.lastEmit = max(st.lastEmit, a.Returned)
			if a.OK() && a.Act == evidence.ActEmit {
				ev := &Event{Emission: Emission{Endpoint: byName[a.Endpoint]}, Marker: a.Marker, ID: a.Event, Accepted: a.Returned}
				st.events = append(st.events, ev)
			}
		case evidence.ActDelete:
			if ep := byName[a.Endpoint]; ep != nil {
				ep.deleted = true
			}
		default:
		}
	}
	now.From = e.began(st.sc.Name)
}

// began is the offset at which a scenario began.
func (e *earlier) began(scenario string) time.Duration {
	for i := range e.run.Scenarios {
		if rec := &e.run.Scenarios[i]; rec.Name == scenario && rec.From > 0 {
			return rec.From
		}
	}
	for i := range e.run.Acts { // its record was to be written at its end
		if a := &e.run.Acts[i]; a.Scenario == scenario {
			return a.Called
		}
	}
	return 0
}

// missed is how long nothing listened since an offset: by so much later a scenario is watched, so that what was late for that alone is seen.
func (p *player) missed(since time.Duration) time.Duration {
	var sum time.Duration
	if p.before == nil {
		return 0
	}
	for _, gap := range p.before.gaps {
		if gap.To > since {
			sum += gap.To - max(gap.From, since)
		}
	}
	return sum
}
