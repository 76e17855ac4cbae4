package judge_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

func known(scenario, check, reason string) judge.KnownFailure {
	return judge.KnownFailure{Scenario: scenario, Check: check, Reason: reason}
}

func in(scenario, check string, o judge.Outcome) judge.Verdict {
	level := judge.Must
	if o == judge.Warn {
		level = judge.Should
	}
	return judge.Verdict{Scenario: scenario, Check: check, Level: level, Outcome: o, Because: "so it was", Records: []int{1}}
}

// played is a whole run of three scenarios, of which one could not be played, with a fourth left out.
func played(selected ...string) *evidence.Run {
	return &evidence.Run{
		Header:    evidence.Header{Selected: selected, LeftOut: []string{"log/read"}},
		Scenarios: []evidence.Scenario{{Name: "retry/status"}, {Name: "retry/reset"}, {Name: "life/gone", NotRun: "no answer disables"}},
		Footer:    &evidence.Footer{},
	}
}

func verdictsOfPlayed() []judge.Verdict {
	return []judge.Verdict{
		in("retry/status", "id.stable", judge.Fail), in("retry/status", "body.stable", judge.Pass),
		in("retry/reset", "id.stable", judge.Fail), in("retry/reset", "time.fresh", judge.Inconclusive),
		in("retry/reset", "envelope.type", judge.Warn), in("life/gone", "life.stop", judge.NotApplicable),
		in("retry/reset", "acceptance.rate", judge.Fail),
	}
}

func TestWhatBecomesOfAKnownFailure(t *testing.T) {
	for _, tt := range []struct {
		name     string
		run      *evidence.Run
		entries  []judge.KnownFailure
		want     []judge.KnownState // of each entry
		failures int                // of the last entry
		says     string             // the last entry's problem
	}{
		{"explains two failures", played(), []judge.KnownFailure{known("retry/*", "id.stable", "r")}, []judge.KnownState{judge.KnownUsed}, 2, ""},
		{"explains broken advice", played(), []judge.KnownFailure{known("*/*", "envelope.*", "r")}, []judge.KnownState{judge.KnownUsed}, 1, ""},
		{
			"a glob over what fails and what passes", played(),
			[]judge.KnownFailure{known("retry/status", "*.stable", "r")},
			[]judge.KnownState{judge.KnownUsed},
			1, "",
		},
		{
			"passes now", played(),
			[]judge.KnownFailure{known("retry/status", "body.stable", "r")},
			[]judge.KnownState{judge.KnownStale},
			0,
			"the known failure body.stable in retry/status is stale: all that it lists passes now; take it out",
		},
		{"inconclusive", played(), []judge.KnownFailure{known("retry/*", "time.fresh", "r")}, []judge.KnownState{judge.KnownUndecided}, 0, ""},
		{
			"not applicable", played(),
			[]judge.KnownFailure{known("life/gone", "life.*", "r")},
			[]judge.KnownState{judge.KnownUnmatched},
			0,
			"the known failure life.* in life/gone matches nothing that was played: its scenarios or checks do not apply to this sender; take it out",
		},
		{
			"no such scenario", played(),
			[]judge.KnownFailure{known("retries/*", "id.stable", "r")},
			[]judge.KnownState{judge.KnownUnmatched},
			0,
			"the known failure id.stable in retries/* matches no scenario; hookassay list scenarios names them, and a * does not reach over the slash",
		},
		{
			"no such check", played(),
			[]judge.KnownFailure{known("retry/*", "id.steady", "r")},
			[]judge.KnownState{judge.KnownUnmatched},
			0,
			"the known failure id.steady in retry/* matches no check; hookassay list checks names them",
		},
		{
			"the scenario does not feed it", played(),
			[]judge.KnownFailure{known("retry/status", "log.state", "r")},
			[]judge.KnownState{judge.KnownUnmatched},
			0,
			"the known failure log.state in retry/status matches nothing that was played: its scenarios do not feed that check; mend its pattern, or take it out",
		},
		{"the scenario was left out", played("retry/*"), []judge.KnownFailure{known("log/*", "log.state", "r")}, []judge.KnownState{judge.KnownNotSelected}, 0, ""},
		{"the check was left out", played("labels: id"), []judge.KnownFailure{known("retry/*", "log.state", "r")}, []judge.KnownState{judge.KnownNotSelected}, 0, ""},
		{
			"the acceptance is no known failure, though a glob takes it in", played(),
			[]judge.KnownFailure{known("retry/reset", "a*", "r")},
			[]judge.KnownState{judge.KnownUnmatched},
			0,
			"the known failure a* in retry/reset matches nothing that was played: its scenarios do not feed that check; mend its pattern, or take it out",
		},
		{
			"twice", played(),
			[]judge.KnownFailure{known("retry/*", "id.stable", "r"), known("retry/*", "id.stable", "r")},
			[]judge.KnownState{judge.KnownUsed, judge.KnownDuplicate},
			0, "the known failure id.stable in retry/* is listed twice; keep one of the entries",
		},
		{
			"twice with two reasons", played(),
			[]judge.KnownFailure{known("retry/*", "id.stable", "r"), known("retry/*", "id.stable", "s")},
			[]judge.KnownState{judge.KnownUsed, judge.KnownConflict},
			0,
			`the known failure id.stable in retry/* is listed with two reasons, "r" and "s"; keep one of them`,
		},
		{
			"one failure by two entries", played(),
			[]judge.KnownFailure{known("retry/*", "id.stable", "r"), known("retry/status", "id.*", "s")},
			[]judge.KnownState{judge.KnownUsed, judge.KnownConflict},
			0,
			"id.stable in retry/status is listed by two known failures with different reasons, id.stable in retry/* and id.* in retry/status; narrow one of them",
		},
		{
			"one failure by two entries of one reason", played(),
			[]judge.KnownFailure{known("retry/*", "id.stable", "r"), known("retry/status", "id.*", "r")},
			[]judge.KnownState{judge.KnownUsed, judge.KnownUsed},
			1, "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := verdictsOfPlayed()
			vs, got := judge.MarkKnown(tt.run, before, tt.entries)
			var states []judge.KnownState
			for _, k := range got {
				states = append(states, k.State)
			}
			if d := cmp.Diff(tt.want, states); d != "" {
				t.Errorf("states (-want +got):\n%s", d)
			}
			last := got[len(got)-1]
			if last.Failures != tt.failures || last.Problem != tt.says {
				t.Errorf("got %d failures, problem %q\nwant %d, %q", last.Failures, last.Problem, tt.failures, tt.says)
			}
			if d := cmp.Diff(verdictsOfPlayed(), before); d != "" {
				t.Errorf("the verdicts handed in were changed:\n%s", d)
			}
			verdict, why := judge.Sum(tt.run, vs, got...)
			if tt.says != "" && (verdict != judge.NonConformant || !strings.HasSuffix(why, tt.says)) {
				t.Errorf("the run is %s (%s) with a wrong entry", verdict, why)
			}
		})
	}
}

// TestACutRunSaysNothingOfEntries: what was not played by then may fail still.
func TestACutRunSaysNothingOfEntries(t *testing.T) {
	run := played()
	run.Footer = nil
	_, got := judge.MarkKnown(run, verdictsOfPlayed(), []judge.KnownFailure{
		known("retry/status", "body.stable", "r"), known("budget/*", "budget.attempts", "r"), known("life/gone", "life.stop", "r"),
	})
	for _, k := range got {
		if k.State != judge.KnownUndecided || k.Problem != "" {
			t.Errorf("%s is %s: %s", k, k.State, k.Problem)
		}
	}
}

func TestSumWithKnownFailures(t *testing.T) {
	entry := known("retry/*", "id.stable", "until 2.3")
	pass, fail := in("retry/status", "body.stable", judge.Pass), in("retry/status", "id.stable", judge.Fail)
	for _, tt := range []struct {
		name string
		vs   []judge.Verdict
		want judge.RunVerdict
		why  string
	}{
		{
			"only known failures, though the check passed nowhere",
			[]judge.Verdict{pass, fail},
			judge.ConformantWithKnown,
			"1 of 2 verdicts passed, and 1 MUST verdict failed as known, the first id.stable in retry/status: until 2.3",
		},
		{
			"another failure",
			[]judge.Verdict{pass, fail, in("retry/reset", "time.fresh", judge.Fail)},
			judge.NonConformant,
			"1 MUST verdict failed, the first time.fresh in retry/reset: so it was",
		},
		{
			"a failed acceptance",
			[]judge.Verdict{pass, fail, in("retry/reset", "acceptance.rate", judge.Fail)},
			judge.NonConformant,
			"1 MUST verdict failed, the first acceptance.rate in retry/reset: so it was",
		},
		{
			"an error",
			[]judge.Verdict{pass, fail, in("retry/reset", "time.fresh", judge.Error)},
			judge.RunError,
			"time.fresh in retry/reset is an error: so it was",
		},
		{
			"another check that passed nowhere",
			[]judge.Verdict{pass, fail, in("retry/reset", "time.fresh", judge.Inconclusive)},
			judge.Incomplete,
			"1 MUST check passed nowhere, the first time.fresh",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			vs, entries := judge.MarkKnown(played(), tt.vs, []judge.KnownFailure{entry})
			got, why := judge.Sum(played(), vs, entries...)
			if got != tt.want || why != tt.why {
				t.Errorf("got %s (%s), want %s (%s)", got, why, tt.want, tt.why)
			}
		})
	}
}

func TestValidateKnownFailure(t *testing.T) {
	for _, tt := range []struct {
		entry judge.KnownFailure
		want  string
	}{
		{known("retry/*", "id.stable", "until 2.3"), ""},
		{known("", "id.stable", "r"), "a known failure names a scenario and a check, each by a glob such as 'retry/*' and 'backoff.*'"},
		{known("retry/*", "id.stable", " "), "known failure id.stable in retry/* has no reason; write why it is put up with, and until when"},
		{known("retry/*", "acceptance.rate", "r"), "known failure acceptance.rate in retry/*: a failed acceptance cannot be put up with; leave it out"},
		{known("retry/[", "id.stable", "r"), `known failure id.stable in retry/[: pattern "retry/[": syntax error in pattern; write a name or a glob such as 'retry/*'`},
	} {
		got := ""
		if err := tt.entry.Validate(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
