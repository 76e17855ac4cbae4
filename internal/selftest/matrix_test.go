package selftest_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/selftest"
)

// said is a verdict of one scenario.
func said(check string, o judge.Outcome) judge.Verdict {
	return judge.Verdict{Scenario: "family/case", Check: check, Outcome: o, Because: "because of " + check}
}

func defect() selftest.Row {
	return selftest.Row{
		Kind: selftest.Defect, Name: "no-ids", Title: "ids are left out", Contract: selftest.Default,
		MustFail: "id.present", MayAlso: []string{"envelope.fields"},
	}
}

func correct() selftest.Row {
	return selftest.Row{Kind: selftest.Correct, Name: selftest.Default, Contract: selftest.Default}
}

func receiver() selftest.Row {
	return selftest.Row{
		Kind: selftest.Receiver, Name: "receiver-effect-again", Contract: selftest.Default, MustFail: "effect.once", MayAlso: []string{"acceptance.absorbed"},
	}
}

func silent() selftest.Row {
	return selftest.Row{
		Kind: selftest.Silent, Name: "silent", Contract: selftest.Default, MustFail: "durable.no-loss", MayAlso: []string{"*"},
	}
}

func TestResultOfARow(t *testing.T) {
	t.Parallel()
	variant := correct()
	variant.Kind = selftest.Variant
	for _, tt := range []struct {
		name     string
		row      selftest.Row
		verdicts []judge.Verdict
		verdict  judge.RunVerdict
		want     selftest.Result
		why      string
	}{
		{
			"caught", defect(),
			[]judge.Verdict{said("sig.verifies", judge.Pass), said("id.present", judge.Fail), said("id.present", judge.Pass)},
			judge.NonConformant, selftest.IsCaught, "because of id.present",
		},
		{
			"caught where the contract only advises it", defect(),
			[]judge.Verdict{said("id.present", judge.Warn)},
			judge.Conformant, selftest.IsCaught, "because of id.present",
		},
		{
			"caught in company", defect(),
			[]judge.Verdict{said("id.present", judge.Fail), said("envelope.fields", judge.Fail)},
			judge.NonConformant, selftest.IsCaught, "because of id.present",
		},
		{
			"caught, and by others too", defect(),
			[]judge.Verdict{said("id.present", judge.Fail), said("sig.verifies", judge.Fail), said("body.stable", judge.Warn)},
			judge.NonConformant, selftest.IsWrong,
			"body.stable fails in family/case: because of body.stable; and sig.verifies",
		},
		{
			"only by its company", defect(),
			[]judge.Verdict{said("envelope.fields", judge.Fail), said("id.present", judge.Pass)},
			judge.NonConformant, selftest.IsMissed, "id.present passes in family/case: because of id.present",
		},
		{
			"undecided", defect(),
			[]judge.Verdict{said("id.present", judge.Inconclusive)},
			judge.Incomplete, selftest.IsUndecided, "id.present in family/case: because of id.present",
		},
		{
			"not asked", defect(),
			[]judge.Verdict{said("id.present", judge.NotApplicable), said("sig.verifies", judge.Pass)},
			judge.Conformant, selftest.IsNone, "id.present applies in no scenario that was played",
		},
		{
			"an error of ours", defect(),
			[]judge.Verdict{said("id.present", judge.Error), said("id.present", judge.Fail)},
			judge.RunError, selftest.IsWrong, "id.present fails in family/case: because of id.present",
		},
		{
			"a receiver found at fault", receiver(),
			[]judge.Verdict{said("sig.verifies", judge.Pass), said("effect.once", judge.Error), said("acceptance.absorbed", judge.Error)},
			judge.RunError, selftest.IsCaught, "because of effect.once",
		},
		{
			"a receiver found at fault, and by others too", receiver(),
			[]judge.Verdict{said("effect.once", judge.Error), said("effect.rollback", judge.Error)},
			judge.RunError, selftest.IsWrong, "effect.rollback fails in family/case: because of effect.rollback",
		},
		{
			"a receiver's fault that is blamed on the sender", receiver(),
			[]judge.Verdict{said("effect.once", judge.Error), said("id.stable", judge.Fail)},
			judge.NonConformant, selftest.IsWrong, "id.stable fails in family/case: because of id.stable",
		},
		{
			"a receiver's fault that the named check itself blames on the sender", receiver(),
			[]judge.Verdict{said("effect.once", judge.Fail)},
			judge.NonConformant, selftest.IsWrong, "effect.once fails in family/case: because of effect.once",
		},
		{
			"a receiver not found at fault", receiver(),
			[]judge.Verdict{said("effect.once", judge.Pass)},
			judge.Conformant, selftest.IsMissed, "effect.once passes in family/case: because of effect.once",
		},
		{
			"clean", correct(),
			[]judge.Verdict{said("id.present", judge.Pass), said("sig.verifies", judge.NotApplicable)},
			judge.Conformant, selftest.IsClean, "1 check passed",
		},
		{
			"false alarm", correct(),
			[]judge.Verdict{said("id.present", judge.Fail)},
			judge.NonConformant, selftest.FalseAlarm, "id.present fails in family/case: because of id.present",
		},
		{
			"false alarm of a variant", variant,
			[]judge.Verdict{said("id.present", judge.Warn)},
			judge.Conformant, selftest.FalseAlarm, "id.present fails in family/case: because of id.present",
		},
		{
			"a promise that was never seen to be kept", correct(),
			[]judge.Verdict{said("id.present", judge.Inconclusive)},
			judge.Incomplete, selftest.IsUndecided, "incomplete: for this reason",
		},
		{
			"silent", silent(),
			[]judge.Verdict{said("durable.no-loss", judge.Fail), said("sig.verifies", judge.Inconclusive)},
			judge.NonConformant, selftest.PassesNothing, "because of durable.no-loss",
		},
		{
			"silent, and something passes", silent(),
			[]judge.Verdict{said("durable.no-loss", judge.Fail), said("sig.verifies", judge.Pass)},
			judge.NonConformant, selftest.PassesSome, "sig.verifies passes in family/case: because of sig.verifies",
		},
		{
			"silent, and nothing is said", silent(), nil,
			judge.Conformant, selftest.IsNone, "durable.no-loss applies in no scenario that was played",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := selftest.Judge(tt.row, 0, selftest.Played{Verdicts: tt.verdicts, Verdict: tt.verdict, Why: "for this reason", Evidence: "e.ndjson"})
			if f.Result != tt.want || f.Why != tt.why {
				t.Errorf("got %s: %s\nwant %s: %s", f.Result, f.Why, tt.want, tt.why)
			}
			if kept := len(f.Evidence) > 0; kept == f.Result.Holds() {
				t.Errorf("evidence %q of a row that is %s", f.Evidence, f.Result)
			}
		})
	}
}

// TestCellIsTheWeightiestVerdict shows a check by the gravest that it said of a sender, over both plays.
func TestCellIsTheWeightiestVerdict(t *testing.T) {
	t.Parallel()
	f := selftest.Judge(defect(), 0,
		selftest.Played{Verdicts: []judge.Verdict{said("id.present", judge.Pass), said("sig.verifies", judge.Observed), said("a.b", judge.NotApplicable)}},
		selftest.Played{Verdicts: []judge.Verdict{said("id.present", judge.Fail), said("id.present", judge.Fail), said("id.present", judge.Pass)}},
	)
	want := map[string]selftest.Cell{
		"id.present":   {Mark: selftest.Caught, Scenario: "family/case", Because: "because of id.present", Verdicts: 2},
		"sig.verifies": {Mark: selftest.Undecided, Scenario: "family/case", Because: "because of sig.verifies", Verdicts: 1},
	}
	if diff := cmp.Diff(want, f.Cells); diff != "" {
		t.Error(diff)
	}
}

// TestPromiseMayBeSeenInEitherPlay leaves a check to noise in processes where it passed on virtual time, and no other.
func TestPromiseMayBeSeenInEitherPlay(t *testing.T) {
	t.Parallel()
	open := said("durable.no-loss", judge.Inconclusive)
	open.Level = judge.Must
	virtual := selftest.Played{Verdict: judge.Conformant, Verdicts: []judge.Verdict{said("id.present", judge.Pass)}}
	processes := selftest.Played{Verdict: judge.Incomplete, Verdicts: []judge.Verdict{open}}
	if f := selftest.Judge(correct(), 0, virtual, processes); f.Result != selftest.IsUndecided ||
		f.Why != "durable.no-loss in family/case: because of durable.no-loss" {
		t.Errorf("seen in neither: %s: %s", f.Result, f.Why)
	}
	virtual.Verdicts = append(virtual.Verdicts, said("durable.no-loss", judge.Pass))
	if f := selftest.Judge(correct(), 0, virtual, processes); f.Result != selftest.IsClean {
		t.Errorf("seen on virtual time: %s: %s", f.Result, f.Why)
	}
	processes.Verdict = judge.RunError
	if f := selftest.Judge(correct(), 0, virtual, processes); f.Result != selftest.IsUndecided {
		t.Errorf("with trouble: %s: %s", f.Result, f.Why)
	}
}

func TestRowsAreApart(t *testing.T) {
	t.Parallel()
	rows := selftest.Rows()
	keys := map[string]bool{}
	kinds := map[selftest.Kind]int{}
	for _, r := range rows {
		if keys[r.Key()] {
			t.Errorf("two rows are called %s", r.Key())
		}
		keys[r.Key()] = true
		kinds[r.Kind]++
		if _, err := selftest.Contract(r.Contract); err != nil {
			t.Errorf("%s: %v", r.Key(), err)
		}
	}
	for _, k := range []selftest.Kind{selftest.Correct, selftest.Variant, selftest.Defect, selftest.Receiver, selftest.Silent} {
		if kinds[k] == 0 {
			t.Errorf("there is no row of kind %s", k)
		}
	}
	for _, ch := range judge.Checks() {
		if !slices.ContainsFunc(rows, func(r selftest.Row) bool { return r.MustFail == ch.ID }) {
			t.Errorf("no row proves %s", ch.ID)
		}
	}
	if last := rows[len(rows)-1]; last.Kind != selftest.Silent {
		t.Errorf("last comes %s, want the silent sender", last.Key())
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	rows := []selftest.Row{correct(), defect(), silent()}
	elsewhere := defect()
	elsewhere.Contract = "limit-1"
	loaded := defect()
	loaded.Load = true
	rows = append(rows, elsewhere, loaded)
	for _, tt := range []struct {
		globs []string
		want  []string
		err   string
	}{
		{nil, []string{"bounded-6", "no-ids", "silent", "no-ids@limit-1", "no-ids@load"}, ""},
		{[]string{"no-*"}, []string{"no-ids", "no-ids@limit-1", "no-ids@load"}, ""},
		{[]string{"*@load"}, []string{"no-ids@load"}, ""},
		{[]string{"*@limit-1", "silent"}, []string{"silent", "no-ids@limit-1"}, ""},
		{[]string{"silent", "ids"}, nil, `selection "ids" matches no row of the self-test; hookassay list defects names the defects`},
		{[]string{"["}, nil, `selection "[": syntax error in pattern; write a name or a glob, as sig-*`},
	} {
		got, err := selftest.Select(rows, tt.globs)
		if tt.err != "" {
			if err == nil || err.Error() != tt.err {
				t.Errorf("%q: got %v, want %s", tt.globs, err, tt.err)
			}
			continue
		}
		var keys []string
		for _, r := range got {
			keys = append(keys, r.Key())
		}
		if diff := cmp.Diff(tt.want, keys); diff != "" || err != nil {
			t.Errorf("%q: %v %s", tt.globs, err, diff)
		}
	}
}
