package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Sum returns the verdict on the whole run and one sentence that says why. The first of these applies: the run was cut or
// interrupted; a MUST is broken that is not known, or an entry of the known failures is wrong; a verdict is an error; an
// applicable MUST has no pass anywhere; only known failures are left; else it conforms. No verdicts at all are an incomplete
// run. vs and known are those of MarkKnown, where known failures are listed. The sentence also says when nothing listened, where the
// run was interrupted and gone on with.
func Sum(run *evidence.Run, vs []Verdict, known ...Known) (RunVerdict, string) {
	verdict, why := sum(run, vs, known...)
	for _, gap := range run.Interruptions() {
		why += fmt.Sprintf("; the run was resumed (%s): nothing listened from %s to %s", gap.Why, dur(gap.From), dur(gap.To))
	}
	return verdict, why
}

func sum(run *evidence.Run, vs []Verdict, known ...Known) (RunVerdict, string) {
	if why := cutShort(run); why != "" {
		return Incomplete, why
	}
	broken := mustFailures(vs)
	fresh := slices.DeleteFunc(slices.Clone(broken), func(v Verdict) bool { return v.Known != "" })
	if why := nonConformant(fresh, knownProblems(known)); why != "" {
		return NonConformant, why
	}
	for _, v := range vs {
		if v.Outcome == Error {
			return RunError, fmt.Sprintf("%s in %s is an error: %s", v.Check, v.Scenario, v.Because)
		}
	}
	if len(vs) == 0 {
		return Incomplete, "no check was judged"
	}
	if open := withoutPass(vs); len(open) > 0 {
		return Incomplete, fmt.Sprintf("%d MUST %s passed nowhere, the first %s", len(open), plural(len(open), "check"), open[0])
	}
	passed := 0
	for _, v := range vs {
		if v.Outcome == Pass {
			passed++
		}
	}
	switch {
	case passed == 0:
		return Incomplete, "no check passed"
	case len(broken) > 0:
		return ConformantWithKnown, fmt.Sprintf("%d of %d verdicts passed, and %d MUST %s failed as known, the first %s in %s: %s",
			passed, len(vs), len(broken), plural(len(broken), "verdict"), broken[0].Check, broken[0].Scenario, broken[0].Known)
	}
	return Conformant, fmt.Sprintf("%d of %d verdicts passed, and no MUST is broken", passed, len(vs))
}

// nonConformant says what is broken, or wrong with the known failures; "" if nothing is.
func nonConformant(fresh []Verdict, problems []string) string {
	var why []string
	if len(fresh) > 0 {
		why = append(why, fmt.Sprintf("%d MUST %s failed, the first %s in %s: %s",
			len(fresh), plural(len(fresh), "verdict"), fresh[0].Check, fresh[0].Scenario, fresh[0].Because))
	}
	if n := len(problems); n == 1 {
		why = append(why, problems[0])
	} else if n > 1 {
		why = append(why, fmt.Sprintf("%d entries of the known failures are wrong, the first: %s", n, problems[0]))
	}
	return strings.Join(why, "; ")
}

func cutShort(run *evidence.Run) string {
	switch {
	case run.Footer == nil:
		return "the evidence was cut short: it has no footer"
	case run.Footer.Interrupted != "":
		if why, ok := strings.CutPrefix(run.Footer.Interrupted, "interrupted by "); ok {
			return "the run was interrupted by " + why
		}
		return "the run was interrupted: " + run.Footer.Interrupted
	}
	return ""
}

func mustFailures(vs []Verdict) []Verdict {
	var out []Verdict
	for _, v := range vs {
		if v.Outcome == Fail && v.Level == Must {
			out = append(out, v)
		}
	}
	return out
}

// withoutPass lists the MUST checks that were applicable somewhere and passed nowhere. Where a contract is silent, what was
// observed needs no pass; nor does what is known to fail, which was put to the test.
func withoutPass(vs []Verdict) []string {
	var open []string
	passed := map[string]bool{}
	for _, v := range vs {
		passed[v.Check] = passed[v.Check] || v.Outcome == Pass || v.Outcome == Fail && v.Known != ""
	}
	for _, v := range vs {
		applicable := v.Level == Must && v.Outcome != NotApplicable && v.Outcome != Observed
		if applicable && !passed[v.Check] && !slices.Contains(open, v.Check) {
			open = append(open, v.Check)
		}
	}
	return open
}
