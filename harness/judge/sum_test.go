package judge_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

func verdictOf(check string, o judge.Outcome, l judge.Level) judge.Verdict {
	return judge.Verdict{Scenario: "s/x", Check: check, Outcome: o, Level: l, Because: "so it was"}
}

func TestSum(t *testing.T) {
	whole, cut := &evidence.Run{Footer: &evidence.Footer{}}, &evidence.Run{}
	stopped := &evidence.Run{Footer: &evidence.Footer{Interrupted: "Ctrl-C"}}
	must, should := judge.Must, judge.Should
	for _, tt := range []struct {
		name string
		run  *evidence.Run
		vs   []judge.Verdict
		want judge.RunVerdict
		why  string
	}{
		{"no footer", cut, []judge.Verdict{verdictOf("a", judge.Fail, must)}, judge.Incomplete, "the evidence was cut short: it has no footer"},
		{"interrupted", stopped, []judge.Verdict{verdictOf("a", judge.Pass, must)}, judge.Incomplete, "the run was interrupted: Ctrl-C"},
		{
			"failure before error", whole,
			[]judge.Verdict{verdictOf("a", judge.Error, must), verdictOf("b", judge.Fail, must)},
			judge.NonConformant, "1 MUST verdict failed, the first b in s/x: so it was",
		},
		{
			"error before missing pass", whole,
			[]judge.Verdict{verdictOf("a", judge.Inconclusive, must), verdictOf("b", judge.Error, must)},
			judge.RunError, "b in s/x is an error: so it was",
		},
		{
			"passed nowhere", whole,
			[]judge.Verdict{verdictOf("a", judge.Pass, must), verdictOf("b", judge.Inconclusive, must)},
			judge.Incomplete, "1 MUST check passed nowhere, the first b",
		},
		{
			"passed elsewhere", whole,
			[]judge.Verdict{verdictOf("a", judge.Pass, must), verdictOf("a", judge.Inconclusive, must)},
			judge.Conformant, "1 of 2 verdicts passed, and no MUST is broken",
		},
		{
			"not promised, or open", whole,
			[]judge.Verdict{verdictOf("a", judge.Pass, must), verdictOf("b", judge.NotApplicable, must), verdictOf("c", judge.Observed, must)},
			judge.Conformant, "1 of 3 verdicts passed, and no MUST is broken",
		},
		{
			"a broken SHOULD", whole,
			[]judge.Verdict{verdictOf("a", judge.Pass, must), verdictOf("b", judge.Warn, should)},
			judge.Conformant, "1 of 2 verdicts passed, and no MUST is broken",
		},
		{"nothing applicable", whole, []judge.Verdict{verdictOf("a", judge.NotApplicable, must)}, judge.Incomplete, "no check passed"},
		{"nothing at all", whole, nil, judge.Incomplete, "no check was judged"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, why := judge.Sum(tt.run, tt.vs)
			if got != tt.want || why != tt.why {
				t.Errorf("got %s (%s), want %s (%s)", got, why, tt.want, tt.why)
			}
		})
	}
}

func TestAllowance(t *testing.T) {
	calm := make([]int64, 1000)
	busy := make([]int64, 1000)
	for i := range busy {
		busy[i] = 100_000
	}
	onePause := make([]int64, 3000)
	onePause[7] = 1_000_000
	// As the ticker writes it: each tick that was missed is late until the same instant.
	stopped := make([]int64, 3000)
	for i := range 300 {
		stopped[100+i] = 3_000_000 - 10_000*int64(i)
	}
	for _, tt := range []struct {
		name string
		late []int64
		want time.Duration
	}{
		{"nothing measured", nil, 250 * time.Millisecond},
		{"calm", calm, 250 * time.Millisecond},
		{"busy throughout", busy, 300 * time.Millisecond},
		{"one pause does not spoil the run", onePause, 250 * time.Millisecond},
		{"nor do all the ticks that it missed", stopped, 250 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := &evidence.Run{Noise: []evidence.Noise{{Source: "ticker", Step: 10 * time.Millisecond, LateUS: tt.late}}}
			if got := judge.Allowance(run); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A pause of the machine stops every source at once, and is one pause all the same.
func TestAllowanceCountsAPauseOfAllSourcesOnce(t *testing.T) {
	run := &evidence.Run{}
	for _, source := range []string{"ticker", "probe:a", "probe:b", "probe:c", "probe:d", "probe:e"} {
		late := make([]int64, 300)
		late[10] = 2_000_000
		run.Noise = append(run.Noise, evidence.Noise{Source: source, Step: 100 * time.Millisecond, LateUS: late})
	}
	if got := judge.Allowance(run); got != 250*time.Millisecond {
		t.Errorf("one pause: got %s", got)
	}
	for _, i := range []int{50, 100, 150, 200, 250} {
		for s := range run.Noise {
			run.Noise[s].LateUS[i] = 400_000
		}
	}
	if got := judge.Allowance(run); got != 1200*time.Millisecond {
		t.Errorf("six pauses of 1800 samples: got %s, want three times the lesser of them", got)
	}
}

func TestAcceptCountsTheWorkedExample(t *testing.T) {
	a := openArchive(t, "testdata/acceptance.dead-letters_pass.txtar")
	want := &judge.Acceptance{
		Events: 3, DeliveredFirstTry: 1, DeliveredAfterRetry: 1, DeadLettered: 1, DeliveredByReplay: 1,
		MissingIDs: []string{}, Rate: 2.0 / 3, Threshold: 0.66, SampleSufficient: true, DuplicateEvents: 1, DuplicateRate: 0.5,
		DeadLetters: []judge.AcceptanceDeadLetter{{ID: "evt-e3", Reason: "404 Not Found", Attempts: 1, LastStatus: 404, Replay: "delivered"}},
	}
	if d := cmp.Diff(want, judge.Accept(a.c, a.run)); d != "" {
		t.Errorf("acceptance (-want +got):\n%s", d)
	}
	other := openArchive(t, "testdata/retry.transient_pass.txtar")
	if got := judge.Accept(other.c, other.run); got != nil {
		t.Errorf("a run without acceptance scenario has an acceptance: %+v", got)
	}
}

func TestAcceptListsWhatIsMissing(t *testing.T) {
	a := openArchive(t, "testdata/defect_silent.txtar")
	got := judge.Accept(a.c, a.run)
	if got.Pending != 1 || !cmp.Equal([]string{"evt-e2"}, got.MissingIDs) {
		t.Errorf("got %d pending, missing %v; want the latest one event, evt-e2", got.Pending, got.MissingIDs)
	}
}

func TestTimelines(t *testing.T) {
	c := simContract(t)
	run := parseEvidence(t, c, `
scenario any/thing checks id.stable watch 60s
emit e1 at 0ms returned 2ms
emit e2 at 1s refused 'busy'
emit e3 at 2s
attempt e1 at 8ms conn 3/2 -> closed
attempt e1 at 10ms signed 8ms conn 4/1 -> 503
attempt e1 at 40ms effect committed -> 200
replay e1 at 5s
attempt e1 at 5010ms -> 200
attempt e1 at 5020ms copy yes -> 200
`)
	got := judge.Timelines(c, run)
	type row struct {
		Number, Round int
		Class         string
		Effect        string
	}
	var rows []row
	for _, a := range got[0].Attempts {
		rows = append(rows, row{a.Number, a.Round, a.Class, a.Effect})
	}
	want := []row{
		{1, 0, "attempt", ""},
		{0, 0, "transport-replay", ""},
		{2, 0, "attempt", "committed"},
		{1, 1, "replay", ""},
		{0, 0, "copy", ""},
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Errorf("attempts (-want +got):\n%s", d)
	}
	second := got[0].Attempts[2]
	if second.Earliest != 36*time.Millisecond || second.Latest != 36500*time.Microsecond {
		t.Errorf("attempt 2 was allowed from %s to %s; want 36ms to 36.5ms, from the end of the resend", second.Earliest, second.Latest)
	}
	for i, want := range []string{"delivered", "refused", "lost"} {
		if got[i].Final != want {
			t.Errorf("event %d ended %s, want %s", i+1, got[i].Final, want)
		}
	}
	if want := 22502 * time.Millisecond; got[0].Deadline != want {
		t.Errorf("deadline %s, want %s", got[0].Deadline, want)
	}
}

func TestSettledCoversDeadlineAndRecord(t *testing.T) {
	if got, want := judge.Settled(simContract(t)), 22500*time.Millisecond+1500*time.Millisecond+250*time.Millisecond; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := judge.Settled(&contract.Contract{}); got != 0 {
		t.Errorf("a contract without schedule settles after %s, want 0", got)
	}
}

// TestAttribution: a request is told by its marker, else by its id, else because its endpoint has one event; the rest is
// said to be in doubt.
func TestAttribution(t *testing.T) {
	c := simContract(t)
	two := "scenario any/thing checks id.present watch 1s\nemit e1 at 0ms\nemit e2 at 1ms\n"
	one := "scenario any/thing checks id.present watch 1s\nemit e1 at 0ms\n"
	for _, tt := range []struct {
		name, evidence string
		want           []int // requests of each event
	}{
		{"by marker, whatever the id", two + "attempt e2 at 9ms id evt-e1 -> 200", []int{0, 1}},
		{"by the id that the emit returned", two + "attempt e2 at 9ms body '' -> 200", []int{0, 1}},
		{"by an id seen with a marker", two + "attempt e1 at 8ms id other -> 503\nattempt e1 at 9ms id other body '' -> 200", []int{2, 0}},
		{"the only event", one + "attempt e1 at 9ms id other body '' -> 200", []int{1}},
		{"cannot be told", two + "attempt e1 at 9ms id other body '' -> 200", []int{0, 0}},
		{"before the emit", "scenario any/thing checks id.present watch 1s\nemit e1 at 5ms\nattempt e1 at 1ms id other body '' -> 200", []int{0}},
		{"a greeting of another type", one + "attempt ping at 9ms id other -> 200", []int{0}},
		{"a marker of nobody here", one + "attempt e9 at 9ms id evt-e1 data '{\"marker\":\"" + markerOf("e9") + "\"}' -> 200", []int{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			for _, tl := range judge.Timelines(c, parseEvidence(t, c, tt.evidence)) {
				got = append(got, len(tl.Attempts))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("requests per event (-want +got):\n%s", d)
			}
		})
	}
}

func TestEveryCheckIsDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, ch := range judge.Checks() {
		family, rule, _ := strings.Cut(ch.ID, ".")
		if seen[ch.ID] || family == "" || rule == "" || ch.Title == "" || ch.Rests == "" || ch.Needs == "" {
			t.Errorf("check %q is listed twice or not described: %+v", ch.ID, ch)
		}
		seen[ch.ID] = true
	}
}

// TestAnEndpointIsWrittenAnew: a later record of an endpoint replaces the earlier one, so that an emit for all reaches it once.
func TestAnEndpointIsWrittenAnew(t *testing.T) {
	c := simContract(t)
	run := parseEvidence(t, c, `
scenario any/thing checks id.present watch 1s
endpoint hook types order.created
emit e1 at 0ms for all
`)
	anew := run.Endpoints[0]
	anew.Types = nil
	run.Endpoints = append(run.Endpoints, anew, anew)
	if got := judge.Timelines(c, run); len(got) != 1 {
		t.Errorf("got %d deliveries of one event to one endpoint, want 1", len(got))
	}
}
