package judge_test

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// TestNoiseMakesNoFailure: a noisy machine may open a verdict, but what passed without the noise never fails with it.
func TestNoiseMakesNoFailure(t *testing.T) {
	var all []*archive
	for _, path := range archives(t) {
		all = append(all, openArchive(t, path))
	}
	rapid.Check(t, func(rt *rapid.T) {
		a := rapid.SampledFrom(all).Draw(rt, "archive")
		before := judge.Judge(a.c, a.run)
		run := *a.run
		run.Noise = append(slices.Clone(run.Noise), drawNoise(rt)...)
		for i, v := range judge.Judge(a.c, &run) {
			if before[i].Outcome == judge.Pass && len(alarms([]judge.Verdict{v})) > 0 {
				rt.Fatalf("%s: noise alone makes %s %s: %s", a.path, v.Check, v.Outcome, v.Because)
			}
		}
	})
}

func drawNoise(t *rapid.T) []evidence.Noise {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) evidence.Noise {
		late := rapid.SliceOfN(rapid.Int64Range(0, 3_000_000), 1, 20).Draw(t, "late")
		// Mostly calm, as a real ticker is, so that the allowance does not swallow everything.
		late = append(late, make([]int64, rapid.SampledFrom([]int{0, 30_000}).Draw(t, "calm"))...)
		return evidence.Noise{
			Source: rapid.SampledFrom([]string{"ticker", "probe:main"}).Draw(t, "source"),
			From:   time.Duration(rapid.IntRange(0, 30_000).Draw(t, "from")) * time.Millisecond, Step: 10 * time.Millisecond, LateUS: late,
		}
	}), 1, 3).Draw(t, "noise")
}

// TestJudgeIsDeterministic judges the same evidence twice.
func TestJudgeIsDeterministic(t *testing.T) {
	for _, path := range archives(t) {
		a := openArchive(t, path)
		if d := cmp.Diff(judge.Judge(a.c, a.run), judge.Judge(a.c, a.run)); d != "" {
			t.Errorf("%s: two verdicts on one evidence:\n%s", path, d)
		}
		if d := cmp.Diff(judge.Timelines(a.c, a.run), judge.Timelines(a.c, a.run)); d != "" {
			t.Errorf("%s: two timelines of one evidence:\n%s", path, d)
		}
	}
}

// TestHostileEvidence spoils good evidence in every way that the types allow: whatever comes, judging ends with a verdict
// for each check that a scenario lists.
func TestHostileEvidence(t *testing.T) {
	paths := archives(t)
	rapid.Check(t, func(rt *rapid.T) {
		a := openArchive(t, rapid.SampledFrom(paths).Draw(rt, "archive"))
		c := *a.c
		dropPromises(rt, &c)
		everything(a, "defect")
		a.run.Header.Sender.Abilities = []string{
			"log", "dead-letters", "rotate", "revoke", "disable", "delete", "read-endpoint", "replay-range", "roll-back", "issue-secrets", "fan-out",
			"environments", "trust-ca", "custom-headers",
		}
		for range rapid.IntRange(1, 12).Draw(rt, "blows") {
			spoil(rt, a.run)
		}
		judgeAll(rt, &c, a.run)
	})
}

func judgeAll(t rapid.TB, c *contract.Contract, run *evidence.Run) {
	vs := judge.Judge(c, run)
	judge.Sum(run, vs)
	judge.Accept(c, run)
	judge.Timelines(c, run)
	for _, v := range vs {
		if v.Outcome == "" || v.Because == "" || v.Records == nil || !slices.IsSorted(v.Records) {
			t.Fatalf("an empty verdict: %+v", v)
		}
	}
}

func dropPromises(t *rapid.T, c *contract.Contract) {
	drop := rapid.SliceOfN(rapid.Bool(), 12, 12).Draw(t, "drop")
	for i, f := range []func(){
		func() { c.Signature = nil }, func() { c.Identity = nil }, func() { c.Envelope = nil }, func() { c.Body = nil },
		func() { c.Schedule = nil }, func() { c.RetryAfter = nil }, func() { c.Keys = nil }, func() { c.Durability = nil },
		func() { c.Replay = nil }, func() { c.DeadLetter = nil }, func() { c.Log = nil }, func() { c.Acceptance = nil },
	} {
		if drop[i] {
			f()
		}
	}
}

// pick draws an element of a slice, or nil if there is none.
func pick[T any](t *rapid.T, what string, s []T) *T {
	if len(s) == 0 {
		return nil
	}
	return &s[rapid.IntRange(0, len(s)-1).Draw(t, what)]
}

func wild(t *rapid.T) time.Duration {
	return rapid.SampledFrom([]time.Duration{0, 1, -1, time.Second, -time.Hour, math.MaxInt64, math.MinInt64, 30 * time.Second}).Draw(t, "wild")
}

func spoil(t *rapid.T, run *evidence.Run) {
	garbage := func() evidence.Raw { return rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "garbage") }
	a, act, sc := pick(t, "attempt", run.Attempts), pick(t, "act", run.Acts), pick(t, "scenario", run.Scenarios)
	if rapid.Bool().Draw(t, "record") {
		spoilRecords(t, run, garbage)
		return
	}
	switch kind := rapid.IntRange(0, 15).Draw(t, "kind"); {
	case kind == 0 && a != nil:
		a.Outcome = nil
	case kind == 1 && a != nil:
		a.FirstByte = wild(t)
	case kind == 2 && a != nil && a.Outcome != nil:
		a.Outcome.ReplyStart, a.Outcome.ReplyEnd, a.Outcome.Closed = wild(t), wild(t), wild(t)
	case kind == 3 && a != nil && a.Outcome != nil:
		a.Outcome.Status = rapid.SampledFrom([]int{0, -1, 99, 200, 301, 410, 429, 599, 1 << 40}).Draw(t, "status")
	case kind == 4 && a != nil && a.Outcome != nil:
		a.Outcome.End = rapid.SampledFrom([]string{"", "complete", "reset", "closed", "peer-gone", "shutdown", "?"}).Draw(t, "end")
	case kind == 5 && a != nil && a.Outcome != nil:
		v := rapid.SampledFrom([]string{"", "-1", "1.5", "999999999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "0"}).Draw(t, "ra")
		a.Outcome.Header = append(a.Outcome.Header, [2]string{"retry-after", v})
	case kind == 6 && a != nil:
		a.Head = garbage()
	case kind == 7 && a != nil:
		a.Body = garbage()
	case kind == 8 && a != nil:
		a.Endpoint, a.Scenario = "nowhere", "nothing"
	case kind == 9 && act != nil:
		act.Called, act.Returned = wild(t), wild(t)
	case kind == 10 && act != nil:
		act.Act = rapid.SampledFrom([]evidence.ActKind{
			evidence.ActKill, evidence.ActDown, evidence.ActReplay, evidence.ActClock, evidence.ActDisable, "?", evidence.ActReplayRange,
			evidence.ActEnable, evidence.ActDelete, evidence.ActRotate, evidence.ActRevoke, evidence.ActEmitRolledBack, evidence.ActReadDead,
			evidence.ActReadEndpoint, evidence.ActRegister,
		}).Draw(t, "act kind")
		act.Advance = wild(t)
	case kind == 11 && act != nil:
		act.Endpoint, act.Marker, act.Event, act.Data = "", "", "", garbage()
	case kind == 12 && sc != nil:
		sc.WatchUntil = wild(t)
	case kind == 13:
		run.Footer = nil
	case kind == 14:
		run.Noise = append(run.Noise, evidence.Noise{Source: "ticker", From: wild(t), Step: wild(t), LateUS: []int64{math.MaxInt64, math.MinInt64, 5}})
	case kind == 15 && len(run.Attempts) > 0:
		run.Attempts = append(run.Attempts, *a)
	}
}

// spoilRecords spoils what the sender says, and the endpoints with their keys.
func spoilRecords(t *rapid.T, run *evidence.Run, garbage func() evidence.Raw) {
	at := rapid.SampledFrom([]time.Time{{}, started, started.AddDate(400, 0, 0), time.Unix(math.MaxInt64, 0)}).Draw(t, "time")
	l, d, ep, o := pick(t, "log", run.Logs), pick(t, "dead letter", run.DeadLetters), pick(t, "endpoint", run.Endpoints), pick(t, "output", run.Output)
	act := pick(t, "act", run.Acts)
	switch kind := rapid.IntRange(0, 8).Draw(t, "record kind"); {
	case kind == 0 && l != nil:
		l.Read, l.Next, l.State = wild(t), &at, string(garbage())
	case kind == 1 && l != nil:
		l.Attempts = append(l.Attempts, evidence.LogAttempt{At: at, Number: -1, Status: 1 << 40, Digest: strings.Repeat("g", 64)})
	case kind == 2 && l != nil:
		l.Attempts, l.LastFailure = nil, string(garbage())
	case kind == 3 && d != nil:
		d.Read, d.At, d.Attempts, d.Payload, d.Reason = wild(t), &at, -1, garbage(), ""
	case kind == 4 && d != nil:
		d.Replays = append(d.Replays, evidence.Replay{At: at}, evidence.Replay{})
	case kind == 5 && ep != nil:
		ep.Secrets = append(ep.Secrets, evidence.Secret{Value: string(garbage()), From: wild(t), Until: wild(t)}, evidence.Secret{Name: "k", Until: wild(t)})
		ep.Tenant, ep.Types = "t", []string{"x"}
	case kind == 6 && ep != nil:
		ep.Secrets = nil
	case kind == 7 && o != nil:
		o.Line, o.Leaks = string(garbage()), []string{""}
	case kind == 8 && act != nil:
		act.From, act.To, act.Tenant, act.Err = &at, &at, "t", ""
	}
}

// FuzzJudge judges whatever the reader of evidence accepts.
func FuzzJudge(f *testing.F) {
	c := simContract(f)
	for _, path := range archives(f) {
		if strings.HasSuffix(path, "_fail.txtar") {
			f.Add(fileOf(f, openArchive(f, path).run))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		run, err := evidence.Read(bytes.NewReader(file))
		if err != nil {
			return
		}
		judgeAll(t, c, run)
	})
}

// fileOf writes the records of a run without a footer, which a fuzzer could not keep true.
func fileOf(t testing.TB, run *evidence.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	rec, err := evidence.NewRecorder(evidence.NewWriter(&b), &run.Header)
	if err != nil {
		t.Fatal(err)
	}
	add := func(r evidence.Record) {
		if err := rec.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	for i := range run.Scenarios {
		add(&run.Scenarios[i])
	}
	for i := range run.Endpoints {
		add(&run.Endpoints[i])
	}
	for i := range run.Acts {
		add(&run.Acts[i])
	}
	for i := range run.Logs {
		add(&run.Logs[i])
	}
	for i := range run.DeadLetters {
		add(&run.DeadLetters[i])
	}
	for i := range run.Output {
		add(&run.Output[i])
	}
	for i := range run.Attempts {
		add(&run.Attempts[i].Arrival)
		if o := run.Attempts[i].Outcome; o != nil {
			add(o)
		}
	}
	return b.Bytes()
}

// TestArchivesAreStable guards against archives that -update would leave empty.
func TestArchivesAreStable(t *testing.T) {
	for _, path := range archives(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasSuffix(text, []byte("-- want --\n")) {
			t.Errorf("%s: its want file is empty; run the test with -update and look at the result", path)
		}
	}
}
