package judge_test

import (
	"flag"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
)

func alarms(vs []judge.Verdict) []judge.Verdict {
	var out []judge.Verdict
	for _, v := range vs {
		if v.Outcome == judge.Fail || v.Outcome == judge.Warn || v.Outcome == judge.Error {
			out = append(out, v)
		}
	}
	return out
}

const (
	longSchedule = "profile: bounded-6\ncompress: 200\n"
	// shortSchedule ends soon after its last attempt.
	shortSchedule = `
profile: bounded-6
with:
  schedule:
    waits: [2ms, 9ms, 54ms, 3100ms]
    attempts: 4
    jitter: {plus: 0.3}
    timeout: 1s
    deadline: 4600ms
    terminal_within: 300ms
    claimed_window: ~
  retry_after: {cap: 2100ms}
  keys: {overlap: 5s}
  log: {lag: 300ms}
`
)

// simContracts are what a paused sender is simulated under; most alter the short schedule.
func simContracts(t testing.TB) map[string]*contract.Contract {
	out := map[string]*contract.Contract{
		"long schedule":     simContract(t),
		"standard webhooks": readContract(t, []byte("profile: standard-webhooks\ncompress: 16000\n")),
	}
	for name, with := range map[string]string{
		"short schedule":  "",
		"order per key":   "order: per-key",
		"from start":      "schedule: {measured_from: start}",
		"from either":     "schedule: {measured_from: ~}",
		"some attempts":   "schedule: {attempts_min: 2}",
		"no deadline":     "schedule: {deadline: ~}",
		"ranges of waits": "schedule: {waits_max: [20ms, 400ms, 900ms, 3600ms], deadline: 7s}",
		"full jitter":     "schedule: {jitter: {plus: 0, minus: 1}}",
		"a factor caps":   "{schedule: {jitter: ~}, retry_after: {codes: [429, 503], forms: [seconds], cap: ~, cap_factor: 3}}",
		"seconds":         "{schedule: {waits: [1s, 1s, 2s, 3s], deadline: 11s}, time_unit: 1s}",
		"no timeouts":     "{schedule: {deadline: 5s}, answers: {errors: [connection]}}",
	} {
		out[name] = readContract(t, []byte(shortSchedule), []byte(with))
	}
	return out
}

func simContract(t testing.TB) *contract.Contract { return readContract(t, []byte(longSchedule)) }

// notSimulated are checks whose stimulus the simulation does not play; archives hold their cases.
func notSimulated() []string {
	return []string{
		"backoff.jitter", "durable.no-phantom", "replay.range", "scope.match",
		"secret.isolation", "secret.environments", "secret.shown-once", "fair.isolation", "fair.concurrency", "order.per-key", "log.safe",
		"sec.no-redirect", "sec.no-internal", "sec.tls", "net.survives", "net.leak", "life.threshold",
	}
}

func allChecks() string {
	var ids []string
	for _, ch := range judge.Checks() {
		if !strings.HasPrefix(ch.ID, "acceptance.") {
			ids = append(ids, ch.ID)
		}
	}
	return strings.Join(ids, ",")
}

// simulations is how many cases a run of the tests plays.
const simulations = 100

// eachSimulated plays what is drawn: the same cases in every run of the tests, so that none of them fails now and then for a rare case, and
// as many others as -rapid.checks asks for.
func eachSimulated(t *testing.T, draw func(*rapid.T) string, wrong func(text string) string) {
	t.Helper()
	if asked := flag.Lookup("rapid.checks"); asked != nil && asked.Value.String() != asked.DefValue {
		rapid.Check(t, func(rt *rapid.T) {
			text := draw(rt)
			if why := wrong(text); why != "" {
				rt.Fatalf("%s\nevidence:\n%s", why, text)
			}
		})
		return
	}
	cases := rapid.Custom(draw)
	for seed := range simulations {
		text := cases.Example(seed)
		if why := wrong(text); why != "" {
			t.Fatalf("%s\nevidence of case %d:\n%s", why, seed, text)
		}
	}
}

// alarmed says which alarms a text of evidence raises; "" if it raises none.
func alarmed(t *testing.T, c *contract.Contract, text string) string {
	if bad := alarms(judge.Judge(c, parseEvidence(t, c, text))); len(bad) > 0 {
		return "alarm:\n" + printed(bad)
	}
	return ""
}

// TestCorrectSenderNeverFails: whatever the receiver does and however the machine jitters, a sender that keeps the contract
// raises no alarm.
func TestCorrectSenderNeverFails(t *testing.T) {
	c := simContract(t)
	eachSimulated(t, func(rt *rapid.T) string { return simulate(rt, c) }, func(text string) string { return alarmed(t, c, text) })
}

// TestDefectsFailTheirCheckOnly: a sender that breaks one rule is caught by the check of that rule in some run, and by no
// other than the allowed company in any run.
func TestDefectsFailTheirCheckOnly(t *testing.T) {
	c := simContract(t)
	for defect, may := range map[string][]string{
		"id-new-on-retry":       {"id.stable", "body.stable"},
		"ts-stale-on-retry":     {"time.fresh"},
		"body-rebuilt-on-retry": {"body.stable"},
		"sig-missing-on-retry":  {"sig.verifies"},
		"no-retry-timeout":      {"retry.transient"},
		"no-backoff":            {"backoff.bounds"},
		"ra-ignored":            {"backoff.retry-after"},
		"deadline-overrun":      {"budget.deadline"},

		"created-local-zone":     {"time.payload"},
		"log-missing-attempt":    {"log.complete"},
		"log-next-attempt-wrong": {"log.next-attempt"},
		"dlq-missing":            {"dlq.entry", "dlq.hint"},
		"dlq-no-reason":          {"dlq.entry"},

		"rotation-cached-old":        {"secret.rotation", "replay.fresh"},
		"rotation-old-never-dropped": {"secret.rotation"},
	} {
		t.Run(defect, func(t *testing.T) {
			caught := false
			eachSimulated(t, func(rt *rapid.T) string { return simulateDefect(rt, c, defect) }, func(text string) string {
				for _, v := range alarms(judge.Judge(c, parseEvidence(t, c, text))) {
					if !slices.Contains(may, v.Check) {
						return v.Check + " is not its check:\n" + printed([]judge.Verdict{v})
					}
					caught = caught || v.Check == may[0]
				}
				return ""
			})
			if !caught {
				t.Errorf("%s was caught in no run", may[0])
			}
		})
	}
}

// TestSimulationPutsEveryCheckToTheTest guards the property above against a simulation in which nothing happens.
func TestSimulationPutsEveryCheckToTheTest(t *testing.T) {
	c := simContract(t)
	passed := map[string]int{}
	eachSimulated(t, func(rt *rapid.T) string { return simulate(rt, c) }, func(text string) string {
		for _, v := range judge.Judge(c, parseEvidence(t, c, text)) {
			if v.Outcome == judge.Pass {
				passed[v.Check]++
			}
		}
		return ""
	})
	for id := range strings.SplitSeq(allChecks(), ",") {
		if passed[id] == 0 && !slices.Contains(notSimulated(), id) {
			t.Errorf("%s passed in no run", id)
		}
	}
}
