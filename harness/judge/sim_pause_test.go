package judge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
)

// simPause is a time during which the sender, or our receiver with all that records, stood still.
type simPause struct {
	sender   bool
	from, to time.Duration
}

func (s *simulated) moved(at time.Duration, sender bool) time.Duration {
	for _, p := range s.pauses { // by time
		if p.sender == sender && p.from <= at && at < p.to {
			at = p.to + s.ms("catching up", 0, 20)
		}
	}
	return at
}

// awake is when the sender does what is due at a time.
func (s *simulated) awake(at time.Duration) time.Duration { return s.moved(at, true) }

// read is when our side sees what happens at a time.
func (s *simulated) read(at time.Duration) time.Duration { return s.moved(at, false) }

// goneBefore is an attempt that the sender gave up before our side read it: we see it hang up at once, or nothing of it.
func (s *simulated) goneBefore(x exchange) shot {
	gone := s.awake(x.at + s.c.Schedule.Timeout)
	if rapid.Bool().Draw(s.t, "comes and goes unseen") {
		return shot{known: gone, transient: true, timeout: true}
	}
	x.put("", fmt.Sprintf("timeout hung-up %s", s.read(max(x.seen, gone))+time.Millisecond))
	return shot{known: gone, transient: true, timeout: true}
}

// lateReply is a success that a pause of ours made late, perhaps too late.
func (s *simulated) lateReply(x exchange, reply time.Duration) shot {
	if gone := x.at + s.c.Schedule.Timeout; reply > gone {
		x.put(x.effect(false), fmt.Sprintf("200 after %s cut peer-gone closed %s", reply-x.seen, max(reply-time.Millisecond, gone)))
		return shot{known: gone, transient: true, timeout: true}
	}
	x.put(x.effect(false), fmt.Sprintf("200 after %s", reply-x.seen))
	return shot{known: reply, success: true}
}

// perceived is what the sender makes of an answer that came while it stood still: its timeout may come first when it goes on.
func (s *simulated) perceived(at time.Duration, got shot) shot {
	got.known = s.awake(got.known)
	if len(s.pauses) > 0 && !got.cut && got.known > at+s.c.Schedule.Timeout && rapid.Bool().Draw(s.t, "the timeout comes first") {
		return shot{known: got.known, transient: true, timeout: true}
	}
	return got
}

// drawPauses draws up to three pauses, one after another.
func (s *simulated) drawPauses() {
	at := time.Duration(0)
	for range rapid.IntRange(1, 3).Draw(s.t, "pauses") {
		p := s.pause(rapid.Bool().Draw(s.t, "of the sender"), at+s.ms("pause", 0, 4000))
		at = p.to + 100*time.Millisecond
	}
}

// pause adds a pause, and what ticker or probe measure of it.
func (s *simulated) pause(sender bool, from time.Duration) simPause {
	p := simPause{sender: sender, from: from, to: from + s.ms("lasts", 300, 7000)}
	s.pauses = append(s.pauses, p)
	source, due := "ticker", p.from+5*time.Millisecond
	if sender {
		source, due = "probe:main", p.from+50*time.Millisecond
	}
	s.say("noise %s at %s late %s", source, due, p.to-due)
	return p
}

// strike lets the sender stand still from just after an attempt arrived, before it can read the answer.
func (s *simulated) strike(seen time.Duration) {
	if s.strikes && rapid.Bool().Draw(s.t, "strikes") {
		s.strikes = false
		s.pause(true, seen+time.Microsecond)
	}
}

func simulatePaused(t *rapid.T, c *contract.Contract) string {
	s := &simulated{t: t, c: c, clock: offsetWithin(t), first: map[string]time.Duration{}}
	s.say("abilities log,dead-letters,rotate")
	s.say("scenario any/thing checks %s watch 45s instance main", allChecks())
	events := 1
	if s.strikes = rapid.Bool().Draw(t, "at an answer"); !s.strikes { // where all others were played to their end already, one cannot be added
		s.drawPauses()
		events = rapid.IntRange(1, 4).Draw(t, "events")
	}
	for i := range events {
		s.deliver(fmt.Sprintf("e%d", i+1))
	}
	return strings.Join(s.lines, "\n")
}

// TestAPausedCorrectSenderNeverFails: wherever sender or receiver stand still for a while, a sender that keeps the contract raises no
// alarm. In the short schedule a pause is as long as what the deadline leaves.
func TestAPausedCorrectSenderNeverFails(t *testing.T) {
	for name, text := range map[string]string{
		"long schedule":  longSchedule,
		"short schedule": shortSchedule,
	} {
		t.Run(name, func(t *testing.T) {
			c := readContract(t, []byte(text))
			rapid.Check(t, func(rt *rapid.T) {
				text := simulatePaused(rt, c)
				if bad := alarms(judge.Judge(c, parseEvidence(t, c, text))); len(bad) > 0 {
					rt.Fatalf("alarm:\n%s\nevidence:\n%s", printed(bad), text)
				}
			})
		})
	}
}

// TestAPauseFarAwayChangesNothing: one pause after all that was watched leaves every verdict as it is, failures included.
func TestAPauseFarAwayChangesNothing(t *testing.T) {
	for _, path := range archives(t) {
		a := openArchive(t, path)
		if len(a.run.Noise) > 0 {
			continue
		}
		want := printed(judge.Judge(a.c, a.run))
		late := append([]int64{2_000_000}, make([]int64, 2000)...)
		a.run.Noise = []evidence.Noise{
			{Source: "ticker", From: time.Hour, Step: 10 * time.Millisecond, LateUS: late},
			{Source: "probe:main", From: time.Hour, Step: 100 * time.Millisecond, LateUS: late},
		}
		if d := cmp.Diff(want, printed(judge.Judge(a.c, a.run))); d != "" {
			t.Errorf("%s: a pause an hour later (-without +with):\n%s", path, d)
		}
	}
}
