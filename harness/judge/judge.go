package judge

import (
	"slices"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// Judge returns one verdict per scenario and check that the scenario's record lists, in the order of the records. c is the
// effective contract (see contract.Compress), since the evidence shows the sender under that one. It is a pure function:
// the same contract and evidence give the same verdicts, on any day and any machine.
func Judge(c *contract.Contract, run *evidence.Run) []Verdict { return newTrial(c, run).judge() }

// All returns what Judge, Accept and Timelines do. It reads the evidence once for the three of them.
func All(c *contract.Contract, run *evidence.Run) ([]Verdict, *Acceptance, []Timeline) {
	t := newTrial(c, run)
	return t.judge(), t.accept(), t.timelines()
}

func (t *trial) judge() []Verdict {
	checks := Checks()
	var out []Verdict
	for _, v := range t.views {
		for i, id := range v.sc.Checks {
			if slices.Contains(v.sc.Checks[:i], id) {
				continue
			}
			at := slices.IndexFunc(checks, func(ch Check) bool { return ch.ID == id })
			if at < 0 {
				out = append(out, v.plain(id, Error, "check "+id+" is unknown to this version; judge with the version that made the evidence, or mend the scenario"))
				continue
			}
			out = append(out, v.judge(checks[at]))
		}
	}
	return out
}

// judge finds the verdict of one check in one scenario.
func (v *view) judge(ch Check) Verdict {
	if v.sc.NotRun != "" {
		return v.plain(ch.ID, NotApplicable, "the scenario was not played: "+v.sc.NotRun)
	}
	if v.observed() && !observable(ch.ID) {
		return v.plain(ch.ID, NotApplicable, "the traffic was only observed: it is not known what was emitted, and when")
	}
	if why := ch.absent(v.t); why != "" {
		return v.plain(ch.ID, NotApplicable, why)
	}
	if tr := v.trouble(); tr != nil {
		return v.plain(ch.ID, Error, "the harness had trouble: "+tr.What, tr.N)
	}
	got := ch.judge(v)
	if v.t.c.Advises(ch.ID) && got.Outcome == Fail {
		got.Outcome = Warn
	}
	got.Scenario, got.Check, got.Level = v.sc.Name, ch.ID, v.t.level(ch.ID)
	if lost := v.lost(); lost != nil && got.Outcome != NotApplicable && got.Outcome != Error {
		return v.plain(ch.ID, Inconclusive, "records were lost: "+lost.What, lost.N)
	}
	return v.unwatched(got)
}

func (v *view) plain(id string, o Outcome, because string, records ...int) Verdict {
	return Verdict{
		Scenario: v.sc.Name, Check: id, Level: v.t.level(id), Outcome: o, Because: because,
		Records: append([]int{}, records...),
	}
}

func (t *trial) level(id string) Level {
	if t.c.Advises(id) {
		return Should
	}
	return Must
}

// trouble returns the first trouble that spoils the scenario; lost records are another matter.
func (v *view) trouble() *evidence.Trouble {
	return v.findTrouble(func(tr *evidence.Trouble) bool { return tr.Lost == 0 })
}

func (v *view) lost() *evidence.Trouble {
	return v.findTrouble(func(tr *evidence.Trouble) bool { return tr.Lost != 0 })
}

func (v *view) findTrouble(match func(*evidence.Trouble) bool) *evidence.Trouble {
	for i := range v.t.run.Troubles {
		tr := &v.t.run.Troubles[i]
		if (tr.Scenario == "" || tr.Scenario == v.sc.Name) && match(tr) {
			return tr
		}
	}
	return nil
}
