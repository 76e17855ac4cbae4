package judge_test

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"pgregory.net/rapid"

	"github.com/hookassay/hookassay/harness/contract"
)

type shot struct {
	known     time.Duration // when the sender knew the end
	transient bool
	success   bool
	asked     time.Duration // Retry-After as asked; 0: none
	heeds     bool          // a value that lands past the deadline ends the event
	cut       bool          // by the kill
	timeout   bool
}

// exchange is one attempt while it is being written down.
type exchange struct {
	at, seen  time.Duration // begun, and read by our side
	head      string        // what is written of the request
	committed *bool
	changedID bool
}

// effect says what the business write does, which happens once per id.
func (x exchange) effect() string {
	if *x.committed && !x.changedID {
		return " effect absorbed"
	}
	*x.committed = true
	return " effect committed"
}

// fire makes one attempt at the given time of the sender's.
func (s *simulated) fire(e string, at time.Duration, committed *bool) shot {
	keys := s.keys(at)
	s.strike(at + time.Microsecond)
	sent := s.awake(at + s.ms("travel", 0, 5))
	if at <= s.killed && s.killed < sent {
		return shot{cut: true}
	}
	if s.deaf.to > 0 && s.deaf.from <= sent && sent <= s.deaf.to {
		s.say("unseen %s at %s", e, at)
		s.now().made++
		return shot{known: sent, transient: true}
	}
	s.strike(sent)
	seen := s.read(sent)
	s.last = seen
	signed, broken := s.breaks(e, at) // of what is sent, so that the first one sent is the original
	x := exchange{at: at, seen: seen, committed: committed, changedID: s.defect == "id-new-on-retry"}
	x.head = fmt.Sprintf("attempt %s at %s signed %s began %s%s%s", e, seen, signed, at, keys, broken)
	if seen > sent && rapid.Bool().Draw(s.t, "accepted at once") {
		x.head += fmt.Sprintf(" opened %s", sent)
	}
	got, before, after := s.goneBefore(x)
	if after == "" && !got.timeout {
		s.strike(seen + time.Microsecond)
		got, before, after = s.exchange(x)
		got = s.perceived(at, got)
	}
	s.now().made++
	if after == "" {
		s.say("unseen %s at %s", e, at)
		return got
	}
	if got.timeout {
		before += " taken timeout"
	}
	s.say("%s%s -> %s", x.head, before, after)
	return got
}

// exchange plays what the receiver does with an attempt: what the sender makes of it, and the words for it.
func (s *simulated) exchange(x exchange) (got shot, before, after string) {
	if s.killed > 0 && x.at <= s.killed && s.killed <= x.at+s.c.Schedule.Timeout && rapid.Bool().Draw(s.t, "in flight at the kill") {
		return shot{cut: true}, "", fmt.Sprintf("timeout hung-up %s", s.read(max(x.seen, s.killed)+2*time.Millisecond))
	}
	switch kind := rapid.SampledFrom([]string{
		"200", "204", "503", "503", "500", "429", "seconds", "date", "bad", "404", "timeout", "reset", "closed", "lost-ack", "cut", "slow", "endless", "rollback",
	}).Draw(s.t, "answer"); kind {
	case "200", "204":
		return s.reply(x, x.effect(), kind, time.Millisecond)
	case "rollback":
		if !*x.committed {
			before = " effect rolled-back"
		}
		return s.reply(x, before, "500", time.Millisecond)
	case "slow":
		return s.reply(x, x.effect(), "200", s.ms("slow", 50, int(s.c.Schedule.Timeout/time.Millisecond)-10))
	case "seconds", "date", "bad":
		return s.asked(x, kind)
	case "timeout", "cut", "endless", "lost-ack", "reset", "closed":
		return s.faulty(x, kind)
	default:
		return s.reply(x, "", kind, time.Millisecond)
	}
}

// reply plays an answer that our side begins after a while, unless a pause makes it later.
func (s *simulated) reply(x exchange, before, status string, after time.Duration) (got shot, words, text string) {
	at, gone := s.read(x.seen+after), s.awake(x.at+s.c.Schedule.Timeout)
	text = fmt.Sprintf("%s after %s", status, at-x.seen)
	if at <= x.at+s.c.Schedule.Timeout {
		code, _ := strconv.Atoi(status) // one of ours
		class := s.c.Class(code)
		return shot{known: at + s.ms("reading", 0, 3), success: class == contract.Success, transient: class == contract.Transient}, before, text
	}
	if gone < at && rapid.Bool().Draw(s.t, "the hang-up is seen first") {
		text += fmt.Sprintf(" cut peer-gone closed %s", max(at-time.Millisecond, gone))
	}
	return s.timedOut(gone), before, text
}

func (s *simulated) timedOut(known time.Duration) shot {
	return shot{known: known, transient: s.c.TransientError(contract.ErrorTimeout), timeout: true}
}

func (s *simulated) asked(x exchange, kind string) (got shot, before, after string) {
	status := rapid.SampledFrom([]int{429, 429, 503}).Draw(s.t, "with retry-after")
	got, before, after = s.reply(x, "", strconv.Itoa(status), time.Millisecond)
	asked, form := time.Duration(0), kind
	switch kind {
	case "seconds":
		r := rapid.IntRange(0, 40).Draw(s.t, "seconds")
		asked = time.Duration(r) * time.Second
		after += fmt.Sprintf(" retry-after %d", r)
	case "date":
		d := (x.seen + s.ms("ahead", 3000, 4000)).Truncate(time.Second)
		asked = max(d-s.clock-s.awake(got.known), 0)
		after += fmt.Sprintf(" retry-at %s", d)
	default:
		after += " retry-after soon"
	}
	honoured := s.c.HonoursRetryAfter(status) && slices.Contains(s.c.RetryAfter.Forms, form)
	if !got.timeout && got.transient && (honoured || s.c.RetryAfter != nil && rapid.Bool().Draw(s.t, "heeded all the same")) {
		got.asked, got.heeds = asked, honoured
	}
	return got, before, after
}

func (s *simulated) faulty(x exchange, kind string) (got shot, before, after string) {
	ended := s.read(x.seen + time.Millisecond)
	got = shot{known: ended + s.ms("reading", 0, 3), transient: s.c.TransientError(contract.ErrorConnection)}
	switch kind {
	case "timeout":
		gone := s.awake(x.at + s.c.Schedule.Timeout)
		if x.at <= s.killed && s.killed < gone {
			gone = s.killed
		}
		return s.timedOut(gone), "",
			fmt.Sprintf("timeout hung-up %s", s.read(max(gone, x.seen)+s.ms("seen later", 0, 11)))
	case "cut":
		if got.success = rapid.Bool().Draw(s.t, "cut is success"); got.success {
			got.transient = false
		}
		return got, x.effect(), fmt.Sprintf("200 after %s cut closed closed %s", ended-x.seen, ended)
	case "endless":
		return got, "", fmt.Sprintf("503 after %s size 2000000 cut peer-gone closed %s", ended-x.seen, s.read(s.awake(got.known)))
	case "lost-ack":
		return got, x.effect(), fmt.Sprintf("%s after %s", kind, ended-x.seen)
	}
	return got, "", fmt.Sprintf("%s after %s", kind, ended-x.seen)
}
