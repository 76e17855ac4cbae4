package judge

import (
	"fmt"
	"slices"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Sum returns the verdict on the whole run and one sentence that says why. The first of these applies: the run was cut or
// interrupted; a MUST is broken; a verdict is an error; an applicable MUST has no pass anywhere; else it conforms. No
// verdicts at all are an incomplete run.
func Sum(run *evidence.Run, vs []Verdict) (RunVerdict, string) {
	if why := cutShort(run); why != "" {
		return Incomplete, why
	}
	broken := mustFailures(vs)
	if len(broken) > 0 {
		return NonConformant, fmt.Sprintf("%d MUST %s failed, the first %s in %s: %s",
			len(broken), plural(len(broken), "verdict"), broken[0].Check, broken[0].Scenario, broken[0].Because)
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
	if passed == 0 {
		return Incomplete, "no check passed"
	}
	return Conformant, fmt.Sprintf("%d of %d verdicts passed, and no MUST is broken", passed, len(vs))
}

func cutShort(run *evidence.Run) string {
	switch {
	case run.Footer == nil:
		return "the evidence was cut short: it has no footer"
	case run.Footer.Interrupted != "":
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
// observed needs no pass.
func withoutPass(vs []Verdict) []string {
	var open []string
	passed := map[string]bool{}
	for _, v := range vs {
		passed[v.Check] = passed[v.Check] || v.Outcome == Pass
	}
	for _, v := range vs {
		applicable := v.Level == Must && v.Outcome != NotApplicable && v.Outcome != Observed
		if applicable && !passed[v.Check] && !slices.Contains(open, v.Check) {
			open = append(open, v.Check)
		}
	}
	return open
}
