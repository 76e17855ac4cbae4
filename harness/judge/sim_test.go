package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/judge"
)

// simulated is a correct sender on paper: it draws its jitter, its overshoot and the receiver's faults, keeps every rule of
// the contract, and writes down in the notation what a receiver would see of it.
type simulated struct {
	t      *rapid.T
	c      *contract.Contract
	lines  []string
	clock  time.Duration // its wall clock's offset from ours
	killed time.Duration // when it was killed; 0: never
	back   time.Duration // when it was up again
	defect string        // the one rule that it breaks; empty: none
	first  map[string]time.Duration
	last   time.Duration // when the event at hand had its last attempt
	// rotated and until bound the time in which two keys sign, by the sender's own view; 0: the key stays.
	rotated, until time.Duration
	pauses         []simPause
	deaf           span // nothing listens in it; 0: the run was not interrupted
}

type span struct{ from, to time.Duration }

func (s *simulated) ms(label string, lo, hi int) time.Duration {
	return time.Duration(rapid.IntRange(lo, hi).Draw(s.t, label)) * time.Millisecond
}

func (s *simulated) say(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// wait draws the wait before attempt k, and what the machine adds.
func (s *simulated) wait(k int) time.Duration {
	b := s.c.Schedule.Wait(k)
	share := rapid.Float64Range(0, 1).Draw(s.t, "jitter")
	return b.Min + time.Duration(share*float64(b.Max-b.Min)) + s.ms("overshoot", 0, 60)
}

type shot struct {
	known     time.Duration // when the sender knew the end
	transient bool
	success   bool
	asked     time.Duration // Retry-After as asked; 0: none
	cut       bool          // by the kill
	timeout   bool
}

// exchange is one attempt while it is being written down.
type exchange struct {
	at, seen, known time.Duration // sent, arrived, and when the sender knew the answer
	put             func(before, after string)
	committed       *bool
}

// effect says what the business write does, which happens once per id.
func (x exchange) effect(changedID bool) string {
	if *x.committed && !changedID {
		return " effect absorbed"
	}
	*x.committed = true
	return " effect committed"
}

// fire makes one attempt at the given time of the sender's.
func (s *simulated) fire(e string, at time.Duration, committed *bool) shot {
	seen := at + s.ms("travel", 0, 5)
	if s.deaf.to > 0 && s.deaf.from <= seen && seen <= s.deaf.to {
		return shot{known: seen, transient: true}
	}
	seen = s.read(seen)
	signed, broken := s.breaks(e, at, seen)
	s.last = seen
	x := exchange{at: at, seen: seen, known: seen + time.Millisecond + s.ms("reading", 0, 3), committed: committed}
	x.put = func(before, after string) {
		s.say("attempt %s at %s signed %s%s%s%s -> %s", e, seen, signed, s.keys(at), broken, before, after)
	}
	if seen > at+s.c.Schedule.Timeout {
		return s.goneBefore(x)
	}
	return s.perceived(at, s.exchange(x))
}

// exchange plays what the receiver does with an attempt.
func (s *simulated) exchange(x exchange) shot {
	at := x.at
	if s.killed > 0 && at <= s.killed && s.killed <= at+s.c.Schedule.Timeout && rapid.Bool().Draw(s.t, "in flight at the kill") {
		x.put("", fmt.Sprintf("timeout hung-up %s", s.killed+2*time.Millisecond))
		return shot{cut: true}
	}
	kind := rapid.SampledFrom([]string{
		"200", "204", "503", "503", "500", "429", "seconds", "date", "bad", "404", "timeout", "reset", "closed", "lost-ack", "cut", "slow", "endless", "rollback",
	}).Draw(s.t, "answer")
	switch kind {
	case "seconds", "date", "bad":
		return s.asked(x, kind)
	case "timeout", "cut", "slow", "endless", "lost-ack", "reset", "closed":
		return s.faulty(x, kind)
	}
	return s.answered(x, kind)
}

// keys names the keys that sign at a time.
func (s *simulated) keys(at time.Duration) string {
	switch {
	case s.rotated == 0:
		return ""
	case at < s.rotated || s.defect == "rotation-cached-old":
		return " key oldkey"
	case at < s.until || s.defect == "rotation-old-never-dropped":
		return " key newkey,oldkey"
	}
	return " key newkey"
}

// rotate draws a rotation of the endpoint's key, with the declared overlap.
func (s *simulated) rotate() {
	called := s.ms("rotation", 300, 8000)
	returned := called + s.ms("rotation takes", 1, 20)
	s.rotated = called + s.ms("rotation sets in", 0, int((returned-called)/time.Millisecond))
	s.until = s.rotated + s.c.Keys.Overlap
	s.say("endpoint hook secret oldkey until %s secret2 newkey from %s", returned+s.c.Keys.Overlap, called-time.Millisecond)
	s.say("rotate at %s returned %s endpoint hook", called, returned)
}

// breaks returns the signed time of an attempt and what a defect makes of the rest.
func (s *simulated) breaks(e string, at, seen time.Duration) (signed time.Duration, broken string) {
	first, retried := s.first[e]
	if !retried {
		s.first[e] = at
		return at + s.clock, ""
	}
	switch s.defect {
	case "id-new-on-retry":
		return at + s.clock, fmt.Sprintf(" id n%d", seen)
	case "ts-stale-on-retry":
		return first + s.clock, ""
	case "body-rebuilt-on-retry":
		return at + s.clock, " data '{\"marker\":\"" + markerOf(e) + "\",\"amount\":7}'"
	case "sig-missing-on-retry":
		return at + s.clock, " sign missing"
	}
	return at + s.clock, ""
}

func (s *simulated) answered(x exchange, kind string) shot {
	switch kind {
	case "200", "204":
		x.put(x.effect(s.defect == "id-new-on-retry"), kind)
		return shot{known: x.known, success: true}
	case "404":
		x.put("", kind)
		return shot{known: x.known}
	case "rollback":
		before := " effect rolled-back"
		if *x.committed {
			before = ""
		}
		x.put(before, "500")
	default:
		x.put("", kind)
	}
	return shot{known: x.known, transient: true}
}

func (s *simulated) asked(x exchange, kind string) shot {
	got := shot{known: x.known, transient: true}
	switch kind {
	case "seconds":
		r := rapid.IntRange(0, 40).Draw(s.t, "seconds")
		x.put("", fmt.Sprintf("429 retry-after %d", r))
		got.asked = time.Duration(r) * time.Second
	case "date":
		d := (x.seen + s.ms("ahead", 3000, 4000)).Truncate(time.Second)
		x.put("", fmt.Sprintf("429 retry-at %s", d))
		got.asked = max(d-s.clock-x.known, 0)
	default:
		x.put("", "429 retry-after soon")
	}
	return got
}

func (s *simulated) faulty(x exchange, kind string) shot {
	timeout := s.c.Schedule.Timeout
	changed := s.defect == "id-new-on-retry"
	switch kind {
	case "timeout":
		gone := x.at + timeout
		x.put("", fmt.Sprintf("timeout hung-up %s", s.read(s.awake(gone)+s.ms("seen later", 0, 11))))
		return shot{known: gone, transient: true, timeout: true}
	case "cut":
		x.put(x.effect(changed), "200 cut closed")
		return shot{known: x.known, transient: rapid.Bool().Draw(s.t, "cut is failure"), success: true}
	case "slow":
		after := s.ms("slow", 50, 490)
		if reply := s.read(x.seen + after); reply > x.seen+after {
			return s.lateReply(x, reply)
		}
		x.put(x.effect(changed), fmt.Sprintf("200 after %s", after))
		return shot{known: x.seen + after, success: true, transient: x.at+timeout < x.seen+after}
	case "endless":
		x.put("", fmt.Sprintf("503 size 2000000 cut peer-gone closed %s", x.known))
	case "lost-ack":
		x.put(x.effect(changed), kind)
	default:
		x.put("", kind)
	}
	return shot{known: x.known, transient: true}
}

// deliver plays one event from its emit to its end, and maybe a replay.
func (s *simulated) deliver(e string) {
	called := s.read(s.ms("emit", 0, 2000))
	accepted := s.awake(called + s.ms("emit takes", 0, 20))
	created := called + s.clock
	if s.defect == "created-local-zone" {
		created += 5*time.Hour + 45*time.Minute
	}
	s.say("emit %s at %s returned %s created %s", e, called, s.read(accepted), created)
	committed := false
	delivered := s.schedule(e, accepted, &committed)
	records, reason := "", "exhausted"
	switch s.defect {
	case "log-missing-attempt":
		records = " records 1"
	case "dlq-no-reason":
		reason = "''"
	}
	switch {
	case s.last > 38*time.Second:
		// Only a defect goes on for so long; what its log says by then is not asked.
	case delivered:
		s.say("log %s at 40s state delivered skew %s%s", e, s.clock, records)
	default:
		s.say("log %s at 40s state dead-lettered skew %s%s", e, s.clock, records)
		if s.defect != "dlq-missing" {
			s.say("deadletter %s at 40s reason %s", e, reason)
		}
	}
	s.say("read-dead-letters at 39990ms returned 40s")
	if s.defect == "id-new-on-retry" || s.last > 38*time.Second {
		// What a replay of such a sender's does is another defect's matter, and a replay of what still runs is none.
		return
	}
	if rapid.Bool().Draw(s.t, "replay") {
		s.say("replay %s at 41s", e)
		s.say("attempt %s at 41010ms signed %s%s effect %s -> 200", e, 41010*time.Millisecond+s.clock, s.keys(41*time.Second),
			map[bool]string{true: "absorbed", false: "committed"}[committed])
	}
}

// schedule makes the attempts of one event, and tells whether the sender took one for a success.
func (s *simulated) schedule(e string, accepted time.Duration, committed *bool) bool {
	deadline := accepted + s.c.Schedule.Deadline
	at := accepted + s.wait(1)
	for k := 1; k <= s.c.Schedule.Count(); k++ {
		if s.killed > 0 && at >= s.killed && at < s.back {
			at = s.back + s.ms("resumes", 0, 30)
		}
		at = s.awake(at)
		if at > deadline && s.defect != "deadline-overrun" {
			return false
		}
		got := s.fire(e, at, committed)
		switch {
		case got.cut:
			at = s.back + s.wait(k+1)
			if rapid.Bool().Draw(s.t, "does not count") {
				k--
			}
			continue
		case !got.transient:
			return got.success
		case s.defect == "no-retry-timeout" && got.timeout:
			return false
		case got.known+got.asked > deadline && got.asked > 0 && s.defect != "ra-ignored" && s.defect != "deadline-overrun":
			return false
		}
		at = got.known + s.pause(k, got)
		// A log is read between two attempts where the wait is long.
		if at-got.known > 3*time.Second && s.killed == 0 && len(s.pauses) == 0 && at <= deadline && k < s.c.Schedule.Count() {
			next := at
			if s.defect == "log-next-attempt-wrong" {
				next += 5 * time.Second
			}
			s.say("log %s at %s state pending next %s skew %s", e, at-time.Second, next+s.clock, s.clock)
		}
	}
	return false
}

// pause is the wait after attempt k.
func (s *simulated) pause(k int, got shot) time.Duration {
	wait := s.wait(k + 1)
	if s.defect == "no-backoff" {
		wait = 0
	}
	if got.asked == 0 || s.defect == "ra-ignored" {
		return wait
	}
	return max(wait, min(got.asked, s.c.RetryAfter.Cap)+s.ms("overshoot", 0, 60))
}

// notSimulated are checks whose stimulus the simulation does not play; archives hold their cases.
func notSimulated() []string {
	return []string{
		"backoff.jitter", "durable.no-phantom", "replay.range", "scope.match", "life.stop",
		"secret.isolation", "secret.environments", "secret.shown-once", "fair.isolation", "fair.concurrency", "order.per-key", "log.safe", "replay.pending",
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

func simulate(t *rapid.T, c *contract.Contract) string {
	return simulateDefect(t, c, "")
}

func simulateDefect(t *rapid.T, c *contract.Contract, defect string) string {
	s := &simulated{t: t, c: c, clock: offsetWithin(t), defect: defect, first: map[string]time.Duration{}}
	s.say("abilities log,dead-letters,rotate")
	s.say("scenario any/thing checks %s watch 45s", allChecks())
	return s.play()
}

// play plays what may happen to a sender, and its events.
func (s *simulated) play() string {
	t := s.t
	if rapid.Bool().Draw(t, "rotate") {
		s.rotate()
	}
	if rapid.Bool().Draw(t, "kill") {
		s.killed = s.ms("killed", 100, 6000)
		s.back = s.killed + s.ms("down for", 50, 800)
		s.say("kill at %s returned %s", s.killed, s.killed+5*time.Millisecond)
		s.say("start at %s returned %s", s.killed+20*time.Millisecond, s.back)
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "events") {
		s.deliver(fmt.Sprintf("e%d", i+1))
	}
	return s.text()
}

func (s *simulated) text() string { return strings.Join(s.lines, "\n") }

// offsetWithin draws a clock offset inside the tolerance (benign variant 16). Signed times must not lie before the epoch.
func offsetWithin(t *rapid.T) time.Duration {
	return time.Duration(rapid.IntRange(-120_000, 120_000).Draw(t, "clock")) * time.Millisecond
}

func alarms(vs []judge.Verdict) []judge.Verdict {
	var out []judge.Verdict
	for _, v := range vs {
		if v.Outcome == judge.Fail || v.Outcome == judge.Warn || v.Outcome == judge.Error {
			out = append(out, v)
		}
	}
	return out
}

func simContract(t testing.TB) *contract.Contract {
	return readContract(t, []byte("profile: bounded-6\ncompress: 200\n"))
}

// TestCorrectSenderNeverFails: whatever the receiver does and however the machine jitters, a sender that keeps the contract
// raises no alarm.
func TestCorrectSenderNeverFails(t *testing.T) {
	c := simContract(t)
	rapid.Check(t, func(rt *rapid.T) {
		text := simulate(rt, c)
		run := parseEvidence(t, c, text)
		if bad := alarms(judge.Judge(c, run)); len(bad) > 0 {
			rt.Fatalf("alarm:\n%s\nevidence:\n%s", printed(bad), text)
		}
	})
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
			rapid.Check(t, func(rt *rapid.T) {
				text := simulateDefect(rt, c, defect)
				for _, v := range alarms(judge.Judge(c, parseEvidence(t, c, text))) {
					if !slices.Contains(may, v.Check) {
						rt.Fatalf("%s is not its check:\n%s\nevidence:\n%s", v.Check, printed([]judge.Verdict{v}), text)
					}
					caught = caught || v.Check == may[0]
				}
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
	rapid.Check(t, func(rt *rapid.T) {
		for _, v := range judge.Judge(c, parseEvidence(t, c, simulate(rt, c))) {
			if v.Outcome == judge.Pass {
				passed[v.Check]++
			}
		}
	})
	for id := range strings.SplitSeq(allChecks(), ",") {
		if passed[id] == 0 && !slices.Contains(notSimulated(), id) {
			t.Errorf("%s passed in no run", id)
		}
	}
}
