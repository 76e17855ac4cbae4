package reports

import (
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// Kinds of gap: keys of their texts.
const (
	notSelected = "gaps.not-selected"
	notPlayed   = "gaps.not-played"
)

// gap is a reason for which something was not tested, with all that it kept from being tested.
type gap struct {
	What     []string
	Kind     string // the text of Key
	Key, Why string
	N        int // scenarios, or verdicts
}

// gaps returns what was not tested, one entry per reason: scenarios that were not selected or not played, and verdicts that
// decide nothing. The checks of a scenario that was not played are in that scenario's entry. No reason is ever left out.
func gaps(w words.Texts, r Results) []gap {
	var out []gap
	if len(r.LeftOut) > 0 {
		g := gap{Key: notSelected, Why: w.Text("gaps.selection"), N: len(r.LeftOut)}
		if by := selectedBy(r); by != "" {
			g.Why = w.Text("gaps.selection-by", by)
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
			out = append(out, gap{What: []string{plain(s.Name)}, Why: plain(s.NotRun), Key: notPlayed, N: 1})
		}
	}
	for _, o := range []judge.Outcome{judge.Inconclusive, judge.NotApplicable} {
		vs := slices.DeleteFunc(with(r.Verdicts, o), func(v judge.Verdict) bool { return idle[v.Scenario] && o == judge.NotApplicable })
		out = append(out, undecided(w, "outcome."+string(o), vs)...)
	}
	for i := range out {
		out[i].Kind = w.Text(out[i].Key)
	}
	return out
}

// undecided returns one gap per reason of the verdicts, which have one outcome.
func undecided(w words.Texts, kind string, vs []judge.Verdict) []gap {
	at := map[string]int{}
	var out []gap
	in := map[[2]string][]string{} // reason and check → scenarios
	checks := map[string][]string{}
	for _, v := range vs {
		i, seen := at[v.Because]
		if !seen {
			i = len(out)
			at[v.Because] = i
			out = append(out, gap{Why: or(plain(v.Because), w.Text("finding.no-reason-short")), Key: kind})
		}
		out[i].N++
		k := [2]string{v.Because, v.Check}
		if in[k] == nil {
			checks[v.Because] = append(checks[v.Because], v.Check)
		}
		in[k] = append(in[k], or(plain(v.Scenario), w.Text("finding.the-whole-run")))
	}
	for because, i := range at {
		for _, check := range checks[because] {
			out[i].What = append(out[i].What, w.Text("gaps.check-in", plain(check), namesText(w, in[[2]string{because, check}])))
		}
	}
	return out
}

// noGaps is what stands in place of an empty list of gaps.
func noGaps(w words.Texts, r Results) string {
	if len(r.Verdicts) == 0 {
		return w.Text("gaps.nothing")
	}
	if r.Verdict == judge.Incomplete && r.Ended == nil {
		return w.Text("gaps.cut")
	}
	return w.Text("gaps.none")
}

// gapsText counts the gaps in one line: "18 not selected, 2 inconclusive".
func gapsText(w words.Texts, list []gap) string {
	n := map[string]int{}
	for _, g := range list {
		n[g.Key] += g.N
	}
	var parts []string
	for _, k := range []string{notSelected, notPlayed, "outcome." + string(judge.Inconclusive), "outcome." + string(judge.NotApplicable)} {
		if n[k] > 0 {
			parts = append(parts, w.Text("outcome.count", n[k], w.Text(k)))
		}
	}
	return strings.Join(parts, w.Text("list.comma"))
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
func (f finding) where(w words.Texts) string {
	checks := strings.Join(f.Checks, w.Text("list.comma"))
	if f.Scenario == "" {
		return checks
	}
	return w.Text("where.in", checks, plain(f.Scenario))
}

// because is a finding's sentence, the lines that it rests on, and why it is put up with.
func (f finding) because(w words.Texts) string {
	s := or(sentence(w, f.Because), w.Text("finding.no-reason-short"))
	if l := lines(w, f.Records); l != "" {
		s += w.Text("md.basis", evidenceFile+" "+l)
	}
	if f.Known != "" {
		s += w.Text("finding.known-note", plain(f.Known))
	}
	return s
}
