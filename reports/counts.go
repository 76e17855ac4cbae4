package reports

import (
	"slices"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// outcomes returns all outcomes, the gravest first: the order in which every view shows them.
func outcomes() []judge.Outcome {
	return []judge.Outcome{
		judge.Fail, judge.Error, judge.Warn, judge.Inconclusive, judge.Observed, judge.Pass, judge.NotApplicable,
	}
}

// gravity orders outcomes, the gravest lowest. An outcome that this version does not know is as grave as an error.
func gravity(o judge.Outcome) int {
	if i := slices.Index(outcomes(), o); i >= 0 {
		return i
	}
	return slices.Index(outcomes(), judge.Error)
}

// worst returns the gravest outcome of vs, or "" for none.
func worst(vs []judge.Verdict) judge.Outcome {
	if len(vs) == 0 {
		return ""
	}
	return outcomes()[gravity(slices.MinFunc(vs, byGravity).Outcome)]
}

func byGravity(a, b judge.Verdict) int { return gravity(a.Outcome) - gravity(b.Outcome) }

// gravestFirst returns vs sorted by gravity and otherwise in the order given.
func gravestFirst(vs []judge.Verdict) []judge.Verdict {
	out := slices.Clone(vs)
	slices.SortStableFunc(out, byGravity)
	return out
}

// of returns the verdicts of one scenario.
func of(vs []judge.Verdict, scenario string) []judge.Verdict {
	var out []judge.Verdict
	for _, v := range vs {
		if v.Scenario == scenario {
			out = append(out, v)
		}
	}
	return out
}

// with returns the verdicts that have one of the outcomes.
func with(vs []judge.Verdict, wanted ...judge.Outcome) []judge.Verdict {
	var out []judge.Verdict
	for _, v := range vs {
		if slices.Contains(wanted, v.Outcome) {
			out = append(out, v)
		}
	}
	return out
}

// known tells whether a verdict is put up with.
func known(v judge.Verdict) bool { return v.Known != "" }

// unlisted returns the verdicts that are not known failures, and listed those that are.
func unlisted(vs []judge.Verdict) []judge.Verdict { return slices.DeleteFunc(slices.Clone(vs), known) }

func listed(vs []judge.Verdict) []judge.Verdict {
	return slices.DeleteFunc(slices.Clone(vs), func(v judge.Verdict) bool { return !known(v) })
}

func count(run *evidence.Run, vs []judge.Verdict) Counts {
	c := Counts{Scenarios: len(run.Scenarios)}
	checks := map[string]bool{}
	for _, v := range vs {
		checks[v.Check] = true
		*c.outcome(v.Outcome)++
		if v.Outcome == judge.Fail && v.Known != "" {
			c.Known++
		}
	}
	c.Checks = len(checks)
	for _, s := range run.Scenarios {
		if s.NotRun != "" {
			c.NotRun++
		}
	}
	for _, a := range run.Acts {
		if a.Act == evidence.ActEmit && a.OK() {
			c.Events++
		}
	}
	for _, a := range run.Attempts {
		if a.Origin != evidence.OriginHarness {
			c.Attempts++
		}
	}
	return c
}

// outcome returns the counter of o. What this version does not know is counted as an error, never as a pass.
func (c *Counts) outcome(o judge.Outcome) *int {
	switch o {
	case judge.Pass:
		return &c.Pass
	case judge.Fail:
		return &c.Fail
	case judge.Warn:
		return &c.Warn
	case judge.Observed:
		return &c.Observed
	case judge.Inconclusive:
		return &c.Inconclusive
	case judge.NotApplicable:
		return &c.NotApplicable
	case judge.Error:
		return &c.Error
	}
	return &c.Error
}
