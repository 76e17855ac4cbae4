package judge

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
)

// KnownFailure is an entry of a file of known failures: failures that somebody knows of and puts up with for a stated reason.
type KnownFailure struct {
	Scenario string `json:"scenario"` // glob, such as retry/*
	Check    string `json:"check"`    // glob, such as backoff.*
	Reason   string `json:"reason"`   // why the failure is put up with
}

// String names the entry in sentences.
func (k KnownFailure) String() string { return k.Check + " in " + k.Scenario }

// Validate says in one sentence what is wrong with an entry in itself.
func (k KnownFailure) Validate() error {
	switch {
	case k.Scenario == "" || k.Check == "":
		return errors.New("a known failure names a scenario and a check, each by a glob such as 'retry/*' and 'backoff.*'")
	case strings.TrimSpace(k.Reason) == "":
		return fmt.Errorf("known failure %s has no reason; write why it is put up with, and until when", k)
	case familyOf(k.Check) == familyAcceptance:
		return fmt.Errorf("known failure %s: a failed acceptance cannot be put up with; leave it out", k)
	}
	for _, glob := range []string{k.Scenario, k.Check} {
		if _, err := path.Match(glob, ""); err != nil {
			return fmt.Errorf("known failure %s: pattern %q: %w; write a name or a glob such as 'retry/*'", k, glob, err)
		}
	}
	return nil
}

func familyOf(check string) string {
	family, _, _ := strings.Cut(check, ".")
	return family
}

// KnownState says what became of an entry in a run.
type KnownState string

// The states. The last four fail the run.
const (
	KnownUsed        KnownState = "used"         // it explains a failure
	KnownNotSelected KnownState = "not-selected" // the selection leaves out what it is about
	KnownUndecided   KnownState = "undecided"    // nothing that it is about came to a decision
	KnownStale       KnownState = "stale"        // what it is about passes
	KnownUnmatched   KnownState = "unmatched"    // it is about nothing that was played
	KnownDuplicate   KnownState = "duplicate"    // an earlier entry says the same
	KnownConflict    KnownState = "contradictory"
)

// Known is an entry after a run.
type Known struct {
	KnownFailure
	State KnownState `json:"state"`
	// Failures is how many verdicts it explains.
	Failures int `json:"failures"`
	// Problem says in one sentence what is wrong with the entry, and what to do; empty if nothing is.
	Problem string `json:"problem,omitempty"`
}

// MarkKnown returns the verdicts with the reason of the entry that lists them in Known, and what became of each entry. Only a
// verdict that says that a promise is broken is marked, and none on the acceptance. The first entry that lists a verdict
// explains it.
func MarkKnown(run *evidence.Run, vs []Verdict, entries []KnownFailure) ([]Verdict, []Known) {
	m := marker{run: run, vs: slices.Clone(vs), by: make([]int, len(vs))}
	for i := range m.by {
		m.by[i] = -1
	}
	for i, k := range entries {
		m.known = append(m.known, Known{KnownFailure: k})
		m.known[i].State, m.known[i].Problem = m.mark(i)
	}
	return m.vs, m.known
}

// marker is the state of MarkKnown.
type marker struct {
	run   *evidence.Run
	vs    []Verdict
	by    []int // index of the entry that explains the verdict; -1: none
	known []Known
}

func (m *marker) mark(i int) (KnownState, string) {
	k := &m.known[i]
	if j := slices.IndexFunc(m.known[:i], func(o Known) bool { return o.Scenario == k.Scenario && o.Check == k.Check }); j >= 0 {
		if m.known[j].Reason == k.Reason {
			return KnownDuplicate, fmt.Sprintf("the known failure %s is listed twice; keep one of the entries", k)
		}
		return KnownConflict, fmt.Sprintf("the known failure %s is listed with two reasons, %q and %q; keep one of them", k, m.known[j].Reason, k.Reason)
	}
	listed, passed, decided := 0, 0, 0
	for n := range m.vs {
		v := &m.vs[n]
		if !k.lists(v) {
			continue
		}
		listed++
		switch v.Outcome {
		case Fail, Warn:
			if j := m.by[n]; j >= 0 && m.known[j].Reason != k.Reason {
				return KnownConflict, fmt.Sprintf("%s in %s is listed by two known failures with different reasons, %s and %s; narrow one of them",
					v.Check, v.Scenario, m.known[j].KnownFailure, k.KnownFailure)
			}
			if m.by[n] < 0 {
				m.by[n], v.Known = i, k.Reason
			}
			k.Failures++
			decided++
		case Pass:
			passed++
			decided++
		case NotApplicable:
		case Inconclusive, Observed, Error:
			decided++
		}
	}
	switch {
	case k.Failures > 0:
		return KnownUsed, ""
	case cutShort(m.run) != "":
		return KnownUndecided, "" // what was not played by then may fail still
	case passed > 0 && passed == decided:
		return KnownStale, fmt.Sprintf("the known failure %s is stale: all that it lists passes now; take it out", k)
	case decided > 0:
		return KnownUndecided, ""
	case listed > 0:
		return KnownUnmatched, fmt.Sprintf("the known failure %s matches nothing that was played: its scenarios or checks do not apply to this sender; take it out", k)
	}
	return m.absent(k)
}

// lists tells whether an entry is about a verdict. A pattern is valid by then.
func (k KnownFailure) lists(v *Verdict) bool {
	return familyOf(v.Check) != familyAcceptance && matches(k.Scenario, v.Scenario) && matches(k.Check, v.Check)
}

func matches(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return ok && err == nil
}

// absent says why an entry is about no verdict at all.
func (m *marker) absent(k *Known) (KnownState, string) {
	if !slices.ContainsFunc(Checks(), func(c Check) bool { return matches(k.Check, c.ID) }) {
		return KnownUnmatched, fmt.Sprintf("the known failure %s matches no check; hookassay list checks names them", k)
	}
	leftOut := slices.ContainsFunc(m.run.Header.LeftOut, func(name string) bool { return matches(k.Scenario, name) })
	played := slices.ContainsFunc(m.run.Scenarios, func(s evidence.Scenario) bool { return matches(k.Scenario, s.Name) })
	switch {
	case leftOut, played && m.run.Header.SelectsChecks():
		return KnownNotSelected, ""
	case played:
		return KnownUnmatched, fmt.Sprintf("the known failure %s matches nothing that was played: its scenarios do not feed that check; mend its pattern, or take it out", k)
	}
	return KnownUnmatched, fmt.Sprintf("the known failure %s matches no scenario; hookassay list scenarios names them, and a * does not reach over the slash", k)
}

// knownProblems returns what is wrong with the entries.
func knownProblems(known []Known) []string {
	var out []string
	for _, k := range known {
		if k.Problem != "" {
			out = append(out, k.Problem)
		}
	}
	return out
}
