package scenarios_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/selftest"
	"github.com/hookassay/hookassay/scenarios"
)

// promise is a line of the reference contract, the checks that put it to the test, and the paths on which they must.
type promise struct {
	text   string
	checks []string
	on     []drive.Path
}

func everywhere() []drive.Path {
	return []drive.Path{drive.First, drive.Retry, drive.Replay, drive.Burst, drive.Restart}
}

// promises is the reference contract line by line. Where a promise can only be met on some paths (a schedule has no replays),
// only those are named.
func promises() []promise {
	first, retry, replay, burst, restart := drive.First, drive.Retry, drive.Replay, drive.Burst, drive.Restart
	return []promise{
		{"Delivered: any 2xx, and only that", []string{"outcome.2xx"}, []drive.Path{first, retry, burst}},
		{"Delivered: nothing else counts", []string{"outcome.failure"}, []drive.Path{first, retry, burst}},
		{"Retryable: 429, 5xx, timeout, connection error", []string{"retry.transient"}, []drive.Path{first, retry, burst}},
		{"Permanent: no retry, dead letter with a hint", []string{"retry.permanent", "dlq.hint"}, []drive.Path{first, replay}},
		{"Permanent: no retry, after a failure that is retried as well", []string{"retry.permanent"}, []drive.Path{retry}},
		{"Guarantee: at least once, never silently lost", []string{"durable.no-loss"}, everywhere()},
		{"Guarantee: no request after a success that was seen", []string{"durable.no-dup"}, []drive.Path{first, retry, burst, restart}},
		{"Envelope: fields, business data apart", []string{"envelope.fields", "envelope.type"}, everywhere()},
		{"Envelope: id present and unique", []string{"id.present", "id.unique"}, everywhere()},
		{"Envelope: created with offset", []string{"time.payload"}, everywhere()},
		{"Envelope: what was emitted", []string{"body.matches"}, everywhere()},
		{"Envelope: subscriptions by type, and to all", []string{"scope.match"}, []drive.Path{first, retry}},
		{"Requests: media type, reserved headers once", []string{"wire.headers"}, everywhere()},
		{"Requests: to the URL as registered", []string{"wire.target"}, everywhere()},
		{"Requests: framed once, and as they say", []string{"wire.framing"}, everywhere()},
		{"Immutable payload: retries", []string{"id.stable", "body.stable"}, []drive.Path{retry, burst, restart}},
		{"Immutable payload: replays", []string{"replay.identity", "replay.body"}, []drive.Path{replay, burst, restart}},
		{"Immutable payload: fresh time and signature", []string{"time.fresh"}, []drive.Path{retry}},
		{"Immutable payload: fresh on replay", []string{"replay.fresh"}, []drive.Path{replay, restart}},
		{"Signature: over time and raw body", []string{"sig.verifies", "sig.covers-metadata", "time.format"}, everywhere()},
		{"Keys: rotation, revocation", []string{"secret.rotation"}, []drive.Path{first, retry, replay, restart}},
		{"Keys: one per customer and endpoint", []string{"secret.isolation"}, everywhere()},
		{"Keys: one per environment, shown once", []string{"secret.environments", "secret.shown-once"}, []drive.Path{first}},
		{"Keys: in no log or error", []string{"secret.no-leak"}, everywhere()},
		{"Schedule: waits, attempts", []string{"backoff.bounds", "budget.attempts"}, []drive.Path{retry}},
		{"Schedule: attempts, counted on", []string{"budget.attempts"}, []drive.Path{restart}},
		{"Schedule: jitter", []string{"backoff.jitter"}, []drive.Path{retry, burst}},
		{"Schedule: a timeout for each request", []string{"timeout.request"}, []drive.Path{first, retry, replay}},
		{"Answers: taken up to a bound", []string{"timeout.response"}, []drive.Path{first, retry, replay}},
		{"Retryable: connections that fail at once or while kept", []string{"net.survives"}, []drive.Path{first, retry}},
		{"Connections: few are kept, where another contract bounds them", []string{"net.leak"}, []drive.Path{first, retry, burst}},
		{"Redirects: not followed, nowhere", []string{"sec.no-redirect", "sec.no-internal"}, []drive.Path{first}},
		{"Redirects: not followed by what comes later", []string{"sec.no-redirect"}, []drive.Path{retry, replay}},
		{"TLS: certificates checked, configured trust heeded", []string{"sec.tls"}, []drive.Path{first, retry}},
		{"Deadline: no attempt starts after it", []string{"budget.deadline"}, []drive.Path{first, retry}},
		{"429: Retry-After", []string{"backoff.retry-after"}, []drive.Path{retry}},
		{"Endpoints: one in trouble leaves the others alone", []string{"fair.isolation", "fair.concurrency"}, []drive.Path{first, burst}},
		{"Endpoints: one that recovers leaves the others alone", []string{"fair.isolation"}, []drive.Path{retry}},
		{"Replay: not of a pending event", []string{"replay.pending"}, []drive.Path{retry}},
		{"Order per key, where another contract promises it", []string{"order.per-key"}, []drive.Path{first, retry}},
		{"Outbox: a rolled-back change gives no event", []string{"durable.no-phantom"}, []drive.Path{first}},
		{"Dead letter: what is kept", []string{"dlq.entry"}, []drive.Path{first, retry, replay, burst}},
		{"Dead letter: replay by time range", []string{"replay.range"}, []drive.Path{replay}},
		{"Abilities: what the driver declares, the sender can do", []string{"ability.shown"}, []drive.Path{replay, restart}},
		{"Delivery log: every attempt", []string{"log.complete"}, []drive.Path{first, retry, replay, burst, restart}},
		{"Delivery log: the three questions", []string{"log.state", "log.next-attempt"}, []drive.Path{first, retry}},
		{"Delivery log: the state of many", []string{"log.state"}, []drive.Path{burst}},
		{"Delivery log: nothing of a receiver's answer as it was", []string{"log.safe"}, []drive.Path{first, retry}},
		{"Endpoints: disable, delete", []string{"life.stop"}, []drive.Path{retry, restart}},
		{"Endpoints: disabled for their failures, where another contract promises it", []string{"life.threshold"}, []drive.Path{first, retry, burst}},
		{"Acceptance", []string{"acceptance.rate", "acceptance.absorbed", "acceptance.dead-letters"}, []drive.Path{burst}},
		{"Local test 1: answer 502", []string{"retry.transient", "id.stable", "body.stable", "time.fresh"}, []drive.Path{retry}},
		{"Local test 2: hang past the timeout", []string{"timeout.request", "retry.transient"}, []drive.Path{first, retry}},
		{"Local test 3: the business write fails", []string{"effect.rollback"}, []drive.Path{retry}},
		{"Local test 4: the event comes again", []string{"effect.once"}, []drive.Path{retry, burst, replay}},
	}
}

func effective(t *testing.T) *contract.Contract {
	t.Helper()
	c, err := contract.Profile("bounded-6")
	if err != nil {
		t.Fatal(err)
	}
	c, err = c.Compress(200) // as the examples do
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestEveryPromiseIsPutToTheTest prints which scenario exercises which promise on which path, and which defect its check is
// known to catch; a hole fails.
func TestEveryPromiseIsPutToTheTest(t *testing.T) {
	all, more := scenarios.All(effective(t), 0), effective(t)
	// What the reference contract does not promise:
	more.Order = "per-key"
	more.AutoDisable = &contract.AutoDisable{Failures: 100, Of: contract.OfAttempts, OnSuccess: contract.OnSuccessReset}
	more.Network.IdleConnections = 8
	defects := map[string][]string{}
	for _, r := range selftest.Rows() {
		if !slices.Contains(defects[r.MustFail], r.Name) {
			defects[r.MustFail] = append(defects[r.MustFail], r.Name)
		}
	}
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	listed := map[string]bool{}
	for _, p := range promises() {
		fmt.Fprintf(w, "\n%s\n", p.text)
		for _, check := range p.checks {
			listed[check] = true
			for _, path := range p.on {
				who := exercising(all, check, path)
				if check == "order.per-key" || check == "life.threshold" || check == "net.leak" {
					who = exercising(scenarios.All(more, 0), check, path)
				}
				if len(who) == 0 {
					t.Errorf("%s: no scenario exercises %s on the path %s", p.text, check, path)
				}
				fmt.Fprintf(w, "  %s\t%s\t%s\n", check, path, strings.Join(who, " "))
			}
			if len(defects[check]) == 0 {
				t.Errorf("%s: no defect is known to be caught by %s", p.text, check)
			}
			fmt.Fprintf(w, "  %s\tdefect\t%s\n", check, strings.Join(defects[check], " "))
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	for _, c := range judge.Checks() {
		if !listed[c.ID] {
			t.Errorf("check %s belongs to no promise of the table", c.ID)
		}
	}
}

func exercising(all []drive.Scenario, check string, path drive.Path) []string {
	var who []string
	for _, sc := range all {
		if sc.NotRun == "" && slices.Contains(sc.Checks, check) && slices.Contains(sc.Paths, path) {
			who = append(who, sc.Name)
		}
	}
	return who
}

func TestScenariosAreWellFormed(t *testing.T) {
	known := map[string]bool{}
	for _, c := range judge.Checks() {
		known[c.ID] = true
	}
	seen := map[string]bool{}
	for _, sc := range scenarios.All(effective(t), 0) {
		if seen[sc.Name] {
			t.Errorf("%s: the name is there twice", sc.Name)
		}
		seen[sc.Name] = true
		if family, situation, ok := strings.Cut(sc.Name, "/"); !ok || family == "" || situation == "" {
			t.Errorf("%s: want family/situation", sc.Name)
		}
		if sc.Title == "" || len(sc.Paths) == 0 || sc.Watch <= 0 && sc.NotRun == "" {
			t.Errorf("%s: title, paths or watch are missing", sc.Name)
		}
		sorted := slices.Sorted(slices.Values(sc.Checks))
		if len(slices.Compact(sorted)) != len(sc.Checks) {
			t.Errorf("%s: a check is listed twice", sc.Name)
		}
		for _, c := range sc.Checks {
			if !known[c] {
				t.Errorf("%s: check %s does not exist", sc.Name, c)
			}
		}
	}
}
