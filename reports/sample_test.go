package reports_test

import (
	"fmt"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// Text that a sender or its events could bring along to break a report: markup, a formula, a terminal escape, a line
// separator that ends a line in scripts, a bar, a bell and a byte that is no UTF-8.
const hostile = "</script><img src=x onerror=alert(1)> =cmd()|`*_ \x1b[31m\u2028\u202e\x07\xff"

const (
	ms = time.Millisecond
	s  = time.Second
)

func started() time.Time { return time.Date(2026, 3, 4, 9, 12, 30, 250_000_000, time.UTC) }

// bounded6 is the effective contract of a run at 1/200 of the time.
func bounded6() *contract.Contract {
	return &contract.Contract{
		Schema: contract.Schema, Name: "bounded-6", Title: "Six attempts in 75 minutes", CompressedBy: 200,
		Schedule: &contract.Schedule{
			Waits:   []time.Duration{5 * ms, 25 * ms, 150 * ms, 600 * ms, 3 * s, 18 * s},
			Timeout: 500 * ms, Deadline: 22500 * ms,
		},
		Acceptance: &contract.Acceptance{Sample: 1000, Rate: 0.99},
		Identity:   &contract.Identity{Header: "X-Webhook-Id"},
		Signature:  &contract.Signature{Scheme: "timestamp-v1"},
	}
}

func scenario(n int, name, title string, checks ...string) evidence.Scenario {
	return evidence.Scenario{
		Meta: evidence.Meta{N: n}, Name: name, Title: title, Checks: checks, Instance: "scenarios",
		From: 200 * ms, WatchUntil: 24200 * ms,
	}
}

// request is a signed request as it is recorded.
func request(n int, seq int64, at time.Duration, signed int64, id string, o *evidence.Outcome) evidence.Attempt {
	return evidence.Attempt{Outcome: o, Arrival: evidence.Arrival{
		Meta: evidence.Meta{N: n, Kind: evidence.KindArrival}, Seq: seq, FirstByte: at, BodySize: 210, BodySHA256: "5f8a1c02d3",
		Head: evidence.Raw(fmt.Sprintf("POST /e HTTP/1.1\r\nX-Webhook-Id: %s\r\nX-Webhook-Signature: t=%d,v1=0123abcd\r\n\r\n", id, signed)),
	}}
}

func verdict(scenario, check string, o judge.Outcome, because string, records ...int) judge.Verdict {
	level := judge.Must
	if o == judge.Warn {
		level = judge.Should
	}
	return judge.Verdict{Scenario: scenario, Check: check, Level: level, Outcome: o, Because: because, Records: records}
}

// attempt is a step of a made-up event: answered by status (0: none) at so long after the emit, allowed from and until.
type attempt struct {
	at, from, until time.Duration
	status          int
	fault, ending   string
}

func timeline(scenario, event, final string, emitted time.Duration, attempts ...attempt) judge.Timeline {
	t := judge.Timeline{
		Scenario: scenario, Endpoint: "e-" + scenario, Marker: "hkm0123456789abcdefghij", Event: event, Type: "payment.succeeded",
		Emitted: emitted, Accepted: emitted + 2*ms, Deadline: emitted + 22502*ms, Final: final,
	}
	for i, a := range attempts {
		x := judge.TimelineAttempt{
			Record: 17 + 2*i, Number: i + 1, Class: "attempt", Start: emitted + a.at, End: emitted + a.at + 2*ms,
			At: started().Add(emitted + a.at), Fault: a.fault, Status: a.status, Ending: a.ending,
		}
		if x.Ending == "" {
			x.Ending = evidence.EndComplete
		}
		if x.Status/100 == 2 && x.Ending == evidence.EndComplete {
			x.Effect = evidence.EffectCommitted
		}
		if a.from > 0 {
			x.Earliest = emitted + a.from
		}
		if a.until > 0 {
			x.Latest = emitted + a.until
		}
		// As the judge does: the end of a wait is judged where the allowance is at most half of it.
		if a.from >= 500*ms {
			x.Allowance = 250 * ms
		}
		t.Attempts = append(t.Attempts, x)
	}
	return t
}

func exhausted(scenario, event string, emitted time.Duration) judge.Timeline {
	f := func(at, from, until time.Duration, status int) attempt {
		return attempt{at: at, from: from, until: until, status: status, fault: "status"}
	}
	t := timeline(scenario, event, evidence.StateDead, emitted,
		f(6*ms, 5*ms, 257*ms, 500), f(33*ms, 31*ms, 284*ms, 500), f(187*ms, 183*ms, 440*ms, 503),
		f(794*ms, 789*ms, 1053*ms, 500), f(3.81*1000*ms, 3796*ms, 4110*ms, 500), f(21.9*1000*ms, 21812*ms, 22430*ms, 500))
	t.DeadLetter = &evidence.DeadLetter{
		Event: event, Reason: "attempts used up", Attempts: 6, LastStatus: 500, Payload: evidence.Raw(`{"id":"` + event + `"}`),
		Replays: []evidence.Replay{{At: started().Add(23 * s), Status: 200, Outcome: "delivered"}},
	}
	return t
}

// mixed is a run with every outcome, hostile text and a rate that a careless rounding would lift.
func mixed() reports.Input {
	hang := scenario(3, "retry/hang", "The endpoint sends no byte until the sender is killed", "timeout.request", "retry.transient")
	hang.Instance = "alone"
	run := &evidence.Run{
		Header: evidence.Header{
			Meta: evidence.Meta{N: 1}, Suite: "0.9.0", Started: started(), Seed: 7340318825,
			Contract: "schema: hookassay.contract/1\nname: bounded-6\ncompressed_by: 200\nschedule:\n  waits: [5ms, 25ms, 150ms, 600ms, 3s, 18s]\n  timeout: 500ms\n  deadline: 22.5s\n",
			Selected: []string{"*", "!order/*"}, LeftOut: []string{"order/by-object", "order/by-event"},
			Sender:  evidence.Sender{Name: "acme-webhooks", Driver: "httpapi", Abilities: []string{"kill", "log", "replay"}, Version: "2.4.1"},
			Machine: evidence.Machine{OS: "linux", Arch: "amd64", CPUs: 2, GoVer: "go1.26.8"},
		},
		Scenarios: []evidence.Scenario{
			scenario(2, "retry/bad-gateway", "The endpoint answers 502 twice, then 200", "retry.transient", "id.stable", "backoff.bounds"),
			hang,
			scenario(4, "budget/never", "The endpoint fails for ever", "budget.attempts", "dlq.entry", "backoff.bounds"),
			scenario(5, "accept/lost-ack", "The reply is lost after the commit", "effect.once", "success.needs"),
			scenario(6, "replay/by-hand", "A dead letter is replayed by hand", "replay.fresh", "replay.body"),
			{Meta: evidence.Meta{N: 7}, Name: "life/test-clock", Title: "The sender's clock is advanced", NotRun: "the driver has no ability clock"},
			scenario(8, "hostile/text", hostile, "envelope.type"),
			scenario(9, "acceptance/sample", "Two thousand events at a steady pace", "acceptance.rate", "acceptance.absorbed"),
		},
		Acts: []evidence.Act{
			{Meta: evidence.Meta{N: 10, Kind: evidence.KindAct}, Act: evidence.ActEmit, Scenario: "retry/bad-gateway", Event: "evt_1", Type: "payment.succeeded", Called: 400 * ms, Returned: 402 * ms},
			{Meta: evidence.Meta{N: 11}, Act: evidence.ActEmit},
			{Meta: evidence.Meta{N: 12}, Act: evidence.ActEmit, Err: "refused"},
			{Meta: evidence.Meta{N: 13}, Act: evidence.ActRotate, Scenario: "retry/bad-gateway", Called: 430 * ms, Returned: 431 * ms},
			{Meta: evidence.Meta{N: 42, Kind: evidence.KindAct}, Act: evidence.ActKill, Scenario: "retry/hang", Instance: "alone", Called: 470 * ms, Returned: 471 * ms},
			{Meta: evidence.Meta{N: 43, Kind: evidence.KindAct}, Act: evidence.ActStart, Scenario: "retry/hang", Instance: "alone", Called: 471 * ms, Returned: 490 * ms},
			{Meta: evidence.Meta{N: 119}, Act: evidence.ActReplay, Scenario: "replay/by-hand", Called: 26900 * ms, Returned: 26901 * ms, Err: "refused"},
		},
		Attempts: []evidence.Attempt{
			request(17, 1, 407*ms, 1772615550, "evt_1", &evidence.Outcome{Meta: evidence.Meta{N: 18, Kind: evidence.KindOutcome}, Of: 1, Fault: "status", Status: 502, Header: [][2]string{{"Retry-After", "0"}}, End: evidence.EndComplete, ReplyEnd: 409 * ms}),
			request(19, 2, 436*ms, 1772615551, "evt_9", nil),
			{Arrival: evidence.Arrival{Meta: evidence.Meta{N: 23}, Origin: evidence.OriginHarness}},
		},
		Effects:     []evidence.Effect{{Meta: evidence.Meta{N: 100, Kind: evidence.KindEffect}, Of: 1, Result: evidence.EffectCommitted, Dedupe: true, Rows: 1, At: 408 * ms}},
		Logs:        []evidence.LogEntry{{Meta: evidence.Meta{N: 41, Kind: evidence.KindLog}, Scenario: "retry/hang", Event: "evt_2", Read: 24 * s, State: evidence.StatePending, LastFailure: hostile}},
		DeadLetters: []evidence.DeadLetter{{Meta: evidence.Meta{N: 90, Kind: evidence.KindDeadLetter}, Scenario: "budget/never", Event: "evt_3", Read: 24 * s, Reason: "attempts used up", Attempts: 6, LastStatus: 500}},
		Output:      []evidence.Output{{Meta: evidence.Meta{N: 130, Kind: evidence.KindOutput}, Instance: "scenarios", Stream: "stderr", At: 9 * s, Line: hostile}},
		Noise:       []evidence.Noise{{Meta: evidence.Meta{N: 55, Kind: evidence.KindNoise}, Source: "ticker", From: 400 * ms, Step: 10 * ms, LateUS: []int64{120, 412000}}},
		Footer:      &evidence.Footer{Meta: evidence.Meta{N: 4821}, Ended: 26480 * ms},
	}
	return reports.Input{
		Contract: bounded6(), Run: run, Verdicts: mixedVerdicts(), Timelines: mixedTimelines(),
		Acceptance: &judge.Acceptance{
			Events: 2000, DeliveredFirstTry: 1953, DeliveredAfterRetry: 26, DeadLettered: 18, DeliveredByReplay: 17, Pending: 2,
			MissingIDs: []string{"evt_1288"}, Rate: 0.9895, Threshold: 0.99, SampleSufficient: true,
			DuplicateEvents: 7, DuplicateRate: 7.0 / 1979,
			DeadLetters: []judge.AcceptanceDeadLetter{
				{ID: "evt_0411", Reason: "attempts used up", Attempts: 6, LastStatus: 503, Replay: "delivered"},
				{ID: "evt_0977", Reason: "permanent: 410", Attempts: 1, LastStatus: 410, Replay: "failed"},
				{ID: "evt_1502", Reason: "", Attempts: 6, LastStatus: 0},
			},
		},
		Verdict: judge.NonConformant,
		Why:     "3 MUST checks failed, among them id.stable in retry/bad-gateway; the acceptance rate is 98.95 %, promised 99 %.",
		Command: "hookassay run --sender acme.yaml --contract bounded-6 --compress 200 --seed 7340318825",
	}
}

func mixedVerdicts() []judge.Verdict {
	return []judge.Verdict{
		verdict("retry/bad-gateway", "retry.transient", judge.Pass, "three attempts, the third answered 200", 17, 18, 19, 21),
		verdict("retry/bad-gateway", "id.stable", judge.Fail, "attempt 2 carried id evt_9, attempt 1 evt_1; one event keeps one id over its retries", 17, 19),
		verdict("retry/bad-gateway", "backoff.bounds", judge.Fail, "attempt 3 came 61 ms after attempt 2 was answered, promised at least 150 ms, allowance none", 19, 21),
		verdict("retry/hang", "timeout.request", judge.Inconclusive, "the machine was paused for 412 ms within the deciding interval, allowance 250 ms", 40, 41, 42, 43, 55),
		verdict("retry/hang", "retry.transient", judge.Pass, "two attempts, the second answered 200", 40, 44),
		verdict("budget/never", "budget.attempts", judge.Pass, "six attempts, promised at most six", 61, 63, 65, 67, 69, 71),
		verdict("budget/never", "dlq.entry", judge.Pass, "the entry has payload, last status 500 and 6 attempts", 90),
		verdict("budget/never", "backoff.bounds", judge.Pass, "all five gaps lie in their windows", 61, 63, 65, 67, 69, 71),
		verdict("accept/lost-ack", "effect.once", judge.Pass, "one commit, one absorbed copy", 100, 102),
		verdict("accept/lost-ack", "success.needs", judge.Observed, "a 2xx whose body was cut is retried", 100, 102),
		verdict("replay/by-hand", "replay.fresh", judge.Warn, "the replay's signed time is that of the delivery 4 s before", 110, 120),
		verdict("replay/by-hand", "replay.range", judge.NotApplicable, "the sender has no ability replay-range"),
		verdict("accept/lost-ack", "replay.range", judge.NotApplicable, "the sender has no ability replay-range"),
		verdict("life/test-clock", "time.fresh", judge.NotApplicable, "the scenario was not played: the driver has no ability clock"),
		verdict("life/test-clock", "sig.verifies", judge.NotApplicable, "the scenario was not played: the driver has no ability clock"),
		verdict("hostile/text", "envelope.created", judge.Error, "the receiver could not keep 2 records: "+hostile, 130, 131),
		verdict("hostile/text", "envelope.type", judge.Error, "the receiver could not keep 2 records: "+hostile, 130),
		verdict("acceptance/sample", "acceptance.rate", judge.Fail, "(1953 + 26) / 2000 = 98.95 %, promised at least 99 %", lots()...),
		verdict("acceptance/sample", "acceptance.absorbed", judge.Pass, "7 events came again, each with one effect"),
	}
}

// lots is more lines than a sentence can name.
func lots() []int {
	var out []int
	for i := range 14 {
		out = append(out, 1000+3*i)
	}
	return out
}

func mixedTimelines() []judge.Timeline {
	late := timeline("retry/bad-gateway", "evt_1", evidence.StateDelivered, 400*ms,
		attempt{at: 7 * ms, from: 5 * ms, until: 257 * ms, status: 502, fault: "status"},
		attempt{at: 36 * ms, from: 34 * ms, until: 288 * ms, status: 502, fault: "status"},
		attempt{at: 99 * ms, from: 188 * ms, until: 443 * ms, status: 200, fault: "status"})
	late.Attempts[2].Off = judge.OffEarly
	hang := timeline("retry/hang", "evt_2", evidence.StateDelivered, 410*ms,
		attempt{at: 6 * ms, from: 5 * ms, until: 257 * ms, fault: "timeout", ending: evidence.EndPeerGone},
		attempt{at: 538 * ms, from: 530 * ms, until: 790 * ms, status: 200, fault: "status"})
	hang.Attempts[0].End = 471 * ms
	lost := timeline("accept/lost-ack", "evt_4", evidence.StateDelivered, 420*ms,
		attempt{at: 8 * ms, from: 5 * ms, until: 257 * ms, status: 200, fault: "lost-ack", ending: evidence.EndReset},
		attempt{at: 9 * ms, status: 200, fault: "status"},
		attempt{at: 41 * ms, from: 34 * ms, until: 288 * ms, status: 200, fault: "status"})
	lost.Attempts[0].Effect, lost.Attempts[1].Effect, lost.Attempts[2].Effect = evidence.EffectCommitted, evidence.EffectAbsorbed, evidence.EffectAbsorbed
	lost.Attempts[1].Class, lost.Attempts[1].Number, lost.Attempts[2].Number = "transport-replay", 0, 2
	replayed := exhausted("replay/by-hand", "evt_5", 430*ms)
	replayed.Attempts = append(replayed.Attempts, judge.TimelineAttempt{
		Record: 120, Number: 1, Round: 1, Class: "replay", Start: 27 * s, End: 27*s + 2*ms, At: started().Add(27 * s),
		Fault: "status", Status: 200, Ending: evidence.EndComplete, Effect: evidence.EffectCommitted, Earliest: 26900 * ms,
	})
	odd := timeline("hostile/text", hostile, "lost", 440*ms, attempt{at: 90 * ms, status: 500, fault: hostile, ending: hostile})
	odd.Type = hostile
	silent := timeline("hostile/text", "", "lost", 450*ms)
	out := []judge.Timeline{late, hang, exhausted("budget/never", "evt_3", 405*ms), lost, replayed, odd, silent}
	for i := range out[1:] {
		for j := range out[i+1].Attempts {
			out[i+1].Attempts[j].Record += 200 * (i + 1)
		}
	}
	for i := range 20 {
		at := time.Duration(600+4*i) * ms
		event := fmt.Sprintf("evt_1%03d", i)
		t := timeline("acceptance/sample", event, evidence.StateDelivered, at, attempt{at: 7 * ms, from: 5 * ms, until: 257 * ms, status: 200, fault: "status"})
		if i%9 == 4 {
			t = timeline("acceptance/sample", event, evidence.StateDelivered, at,
				attempt{at: 7 * ms, from: 5 * ms, until: 257 * ms, status: 429, fault: "status"},
				attempt{at: 60 * ms, from: 34 * ms, until: 288 * ms, status: 200, fault: "status"})
		}
		out = append(out, t)
	}
	return out
}

// empty is what can be said of a run that ended before anything happened.
func empty() reports.Input {
	return reports.Input{Verdict: judge.Incomplete, Why: "The run was interrupted before the first scenario."}
}

// perfect is a small run without a blemish and without acceptance.
func perfect() reports.Input {
	in := mixed()
	in.Acceptance = nil
	in.Verdict, in.Why = judge.Conformant, "All 2 MUST checks that apply have passed."
	in.Run.Scenarios = in.Run.Scenarios[2:3]
	in.Run.Header.Selected, in.Run.Header.LeftOut = nil, nil
	in.Verdicts = []judge.Verdict{
		verdict("budget/never", "budget.attempts", judge.Pass, "six attempts, promised at most six", 61, 63, 65, 67, 69, 71),
		verdict("budget/never", "dlq.entry", judge.Pass, "the entry has payload, last status 500 and 6 attempts", 90),
	}
	in.Timelines = []judge.Timeline{exhausted("budget/never", "evt_3", 405*ms)}
	return in
}

// listed is a small run of which one failure is known.
func listed() reports.Input {
	in := perfect()
	fail := verdict("budget/never", "dlq.entry", judge.Fail, "the entry states 5 attempts, 6 were made", 61, 90)
	fail.Known = "the entry is written before the last attempt " + hostile + "; mended in 2.5"
	in.Verdicts = []judge.Verdict{in.Verdicts[0], fail}
	in.Known = []judge.Known{
		{
			KnownFailure: judge.KnownFailure{Scenario: "budget/*", Check: "dlq.*", Reason: fail.Known},
			State:        judge.KnownUsed, Failures: 1,
		},
		{
			KnownFailure: judge.KnownFailure{Scenario: "log/*", Check: "log.state", Reason: "the log shows no state before 2.5"},
			State:        judge.KnownNotSelected,
		},
	}
	in.Verdict, in.Why = judge.ConformantWithKnown, "1 of 2 verdicts passed, and 1 MUST verdict failed as known, the first dlq.entry in budget/never"
	return in
}

// stale is a run of which one known failure passes now.
func stale() reports.Input {
	in := listed()
	problem := "the known failure budget.attempts in budget/* is stale: all that it lists passes now; take it out"
	in.Known = append(in.Known, judge.Known{
		KnownFailure: judge.KnownFailure{Scenario: "budget/*", Check: "budget.attempts", Reason: "seven attempts before 2.4"},
		State:        judge.KnownStale, Problem: problem,
	})
	in.Verdict, in.Why = judge.NonConformant, problem
	return in
}
