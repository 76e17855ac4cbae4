package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
)

// Kinds of gap that are no outcomes.
const (
	notSelected = "not selected"
	notPlayed   = "not played"
)

// gap is a reason for which something was not tested, with all that it kept from being tested.
type gap struct {
	What      []string
	Kind, Why string
	N         int // scenarios, or verdicts
}

// gaps returns what was not tested, one entry per reason: scenarios that were not selected or not played, and verdicts that
// decide nothing. The checks of a scenario that was not played are in that scenario's entry. No reason is ever left out.
func gaps(r Results) []gap {
	var out []gap
	if len(r.LeftOut) > 0 {
		g := gap{Kind: notSelected, Why: "the selection leaves it out", N: len(r.LeftOut)}
		if by := selectedBy(r); by != "" {
			g.Why = "the selection, " + by + ", leaves it out"
		}
		for _, name := range r.LeftOut {
			g.What = append(g.What, plain(name))
		}
		out = append(out, g)
	}
	idle := map[string]bool{}
	for _, s := range r.Scenarios {
		if s.NotRun != "" {
			idle[s.Name] = true
			out = append(out, gap{What: []string{plain(s.Name)}, Why: plain(s.NotRun), Kind: notPlayed, N: 1})
		}
	}
	for _, o := range []judge.Outcome{judge.Inconclusive, judge.NotApplicable} {
		vs := slices.DeleteFunc(with(r.Verdicts, o), func(v judge.Verdict) bool { return idle[v.Scenario] && o == judge.NotApplicable })
		out = append(out, undecided(string(o), vs)...)
	}
	return out
}

// undecided returns one gap per reason of the verdicts, which have one outcome.
func undecided(kind string, vs []judge.Verdict) []gap {
	at := map[string]int{}
	var out []gap
	in := map[[2]string][]string{} // reason and check → scenarios
	checks := map[string][]string{}
	for _, v := range vs {
		i, seen := at[v.Because]
		if !seen {
			i = len(out)
			at[v.Because] = i
			out = append(out, gap{Why: or(plain(v.Because), "no reason was given"), Kind: kind})
		}
		out[i].N++
		k := [2]string{v.Because, v.Check}
		if in[k] == nil {
			checks[v.Because] = append(checks[v.Because], v.Check)
		}
		in[k] = append(in[k], or(plain(v.Scenario), "the whole run"))
	}
	for because, i := range at {
		for _, check := range checks[because] {
			out[i].What = append(out[i].What, plain(check)+" in "+namesText(in[[2]string{because, check}]))
		}
	}
	return out
}

// noGaps is what stands in place of an empty list of gaps.
func noGaps(r Results) string {
	if len(r.Verdicts) == 0 {
		return "No check had a verdict: nothing was tested."
	}
	if r.Verdict == judge.Incomplete && r.Ended == nil {
		return "The run was cut short; what it had not played by then is not known."
	}
	return "Nothing was left out."
}

// gapsText counts the gaps in one line: "18 not selected, 2 inconclusive".
func gapsText(list []gap) string {
	n := map[string]int{}
	for _, g := range list {
		n[g.Kind] += g.N
	}
	var parts []string
	for _, k := range []string{notSelected, notPlayed, string(judge.Inconclusive), string(judge.NotApplicable)} {
		if n[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[k], k))
		}
	}
	return strings.Join(parts, ", ")
}

// finding is what several checks found in one scenario for one and the same reason.
type finding struct {
	Scenario, Because string
	Known             string // why it is put up with; empty if it is not
	Outcome           judge.Outcome
	Checks            []string
	Levels            []string // each once
	Records           []int    // ascending, each once
}

// grouped puts verdicts of the same scenario, outcome and reason together, in the order of the first of each.
func grouped(vs []judge.Verdict) []finding {
	type key struct {
		outcome                  judge.Outcome
		scenario, because, known string
	}
	at := map[key]int{}
	var out []finding
	for _, v := range vs {
		k := key{v.Outcome, v.Scenario, v.Because, v.Known}
		i, seen := at[k]
		if !seen {
			i = len(out)
			at[k] = i
			out = append(out, finding{Scenario: v.Scenario, Because: v.Because, Known: v.Known, Outcome: v.Outcome})
		}
		f := &out[i]
		f.Checks = append(f.Checks, plain(v.Check))
		if l := plain(string(v.Level)); l != "" && !slices.Contains(f.Levels, l) {
			f.Levels = append(f.Levels, l)
		}
		f.Records = append(f.Records, v.Records...)
	}
	for i := range out {
		slices.Sort(out[i].Records)
		out[i].Records = slices.Compact(out[i].Records)
	}
	return out
}

// where names a finding: its checks and the scenario.
func (f finding) where() string {
	checks := strings.Join(f.Checks, ", ")
	if f.Scenario == "" {
		return checks
	}
	return checks + " in " + plain(f.Scenario)
}

// because is a finding's sentence, the lines that it rests on, and why it is put up with.
func (f finding) because() string {
	s := or(plain(f.Because), "no reason was given")
	if l := lines(f.Records); l != "" {
		s += " (" + evidenceFile + " " + l + ")"
	}
	if f.Known != "" {
		s += "; known: " + plain(f.Known)
	}
	return s
}
