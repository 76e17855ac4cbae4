package virtual_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/scenarios"
)

// proof is how a variant shows itself: in which scenarios, and what its evidence lacks of what it is to show there; the empty string if
// it is all there.
type proof struct {
	lacks func(*scenarios.Result) string
	in    []string
}

// shows says where a variant shows. The self-test (hookassay selftest) plays every variant against all the others too.
func shows(lacks func(*scenarios.Result) string, in ...string) proof { return proof{lacks, in} }

// everywhere is for what shows in each request: first tries, retries, replays, and signatures by two keys.
func everywhere(lacks func(*scenarios.Result) string, in ...string) proof {
	return shows(lacks, append(in, "delivery/first-try", "retry/transient-status", "replay/delivered", "secret/rotation", "body/every-kind-of-content")...)
}

// proofs are by variant.
func proofs() map[string]proof {
	return map[string]proof{
		"chunked-framing":        everywhere(chunked, "wire/*"),
		"lower-case-headers":     everywhere(lowerCase, "wire/*"),
		"http2":                  shows(elsewhere, "delivery/*"),
		"connection-per-request": everywhere(connectionEach, "net/*"),
		"long-reuse":             shows(reusedLate, "budget/always-failing", "net/*"),
		"signature-list":         everywhere(unknownVersions, "secret/*"),
		"decorrelated-jitter":    shows(shorterThanTriple, "backoff/simultaneous-failures", "budget/always-failing"),
		"retry-after-late":       shows(lateAfterAsked, "backoff/retry-after-*"),
		"library-resend":         shows(resent, "net/*", "retry/*", "budget/always-broken"),
		"own-json-style":         everywhere(ownStyle, "envelope/*"),
		"refuses-under-load":     shows(refused, "durability/backlog", "fair/*"),
		"newest-first":           shows(overtaken, "fair/*"),
		"clock-ahead":            everywhere(clockOff(2*time.Minute), "time/*", "log/*", "backoff/retry-after-date", "replay/range"),
		"clock-behind":           everywhere(clockOff(-2*time.Minute), "time/*", "log/*", "backoff/retry-after-date", "replay/range"),
		"ping-on-registration":   shows(greeted, "delivery/*", "scope/*", "lifecycle/*"),
		"partial-read":           shows(leftUnread, "retry/*", "timeout/*", "log/*"),
		"record-late":            shows(recordedLate, "log/*", "replay/*"),
		"retry-after-gives-up":   shows(gaveUpAtOnce, "budget/*", "backoff/retry-after-*"),
		"retry-after-waits-out":  shows(restedUntilDeadline, "budget/*", "backoff/retry-after-*", "log/*"),
		"takes-effect-late":      shows(lateEffect, "lifecycle/*", "secret/*"),
		"compressed-body":        everywhere(compressed),

		"full-jitter":               shows(gapsWithin(0, 0.25, 0.75, 1), "backoff/simultaneous-failures", "budget/always-failing"),
		"equal-jitter":              shows(gapsWithin(0.5, 0.6, 0.9, 1), "backoff/simultaneous-failures", "budget/always-failing"),
		"retry-after-clamped":       shows(clamped, "backoff/retry-after-*"),
		"again-after-ambiguous-end": shows(again, "retry/*", "effect/*"),
		"same-signed-second":        shows(sameSecond, "retry/*", "time/*", "backoff/simultaneous-failures"),
		"codes-other-way":           shows(otherWay, "retry/*", "outcome/*"),
		"parallel-to-limit":         shows(crowded, "fair/*"),
		"on-the-wire-at-disable":    shows(onTheWire, "lifecycle/*"),
		"dead-letter-at-once":       shows(deadAtOnce, "retry/permanent-status", "replay/*"),
		"stops-at-deadline":         shows(stopped, "budget/*"),
	}
}

// elsewhere is for what needs real sockets: TestHTTP2IsSpoken of the command shows it.
func elsewhere(*scenarios.Result) string { return "" }

// sent calls do for each request of the sender's that could be answered.
func sent(r *scenarios.Result, do func(a *evidence.Attempt, head evidence.Head)) {
	for i := range r.Run.Attempts {
		if a := &r.Run.Attempts[i]; a.Handled() && a.Origin == "" {
			head, _ := evidence.ParseHead(a.Head) // what is odd lacks what is looked for
			do(a, head)
		}
	}
}

// all counts the requests of which ok is true, and wants it of every one.
func all(r *scenarios.Result, what string, ok func(a *evidence.Attempt, head evidence.Head) bool) string {
	n, fit := 0, 0
	sent(r, func(a *evidence.Attempt, head evidence.Head) {
		n++
		if ok(a, head) {
			fit++
		}
	})
	if n == 0 || fit != n {
		return fmt.Sprintf("%d of %d requests %s", fit, n, what)
	}
	return ""
}

func chunked(r *scenarios.Result) string {
	return all(r, "are sent in chunks", func(_ *evidence.Attempt, head evidence.Head) bool {
		return head.Get("Transfer-Encoding") == "chunked" && head.Get("Content-Length") == ""
	})
}

func connectionEach(r *scenarios.Result) string {
	return all(r, "are the first of their connection", func(a *evidence.Attempt, _ evidence.Head) bool { return a.Conn.Request == 1 })
}

// reusedLate wants a connection that carried a request long after the one before.
func reusedLate(r *scenarios.Result) string {
	const long = time.Minute // the reference sender closes what is idle for 3 s
	last, longest := map[int64]time.Duration{}, time.Duration(0)
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		if before, ok := last[a.Conn.ID]; ok {
			longest = max(longest, a.FirstByte-before)
		}
		last[a.Conn.ID] = a.FirstByte
	})
	if longest < long {
		return fmt.Sprintf("no connection was idle for more than %v before its next request", longest)
	}
	return ""
}

// lateAfterAsked wants a retry that came a third later than the seconds that were asked for.
func lateAfterAsked(r *scenarios.Result) string {
	n := 0
	eachGap(r, func(before, next *evidence.Attempt) {
		asked := asked(before)
		if asked > 0 && next.FirstByte-before.Outcome.ReplyEnd > asked*4/3 && asked <= r.Contract.RetryAfter.Cap/2 {
			n++
		}
	})
	if n == 0 {
		return "no retry comes later than was asked for"
	}
	return ""
}

// asked is the seconds form of an answer's Retry-After; 0 if there is none.
func asked(a *evidence.Attempt) time.Duration {
	for _, h := range a.Outcome.Header {
		if h[0] == "Retry-After" {
			s, _ := strconv.Atoi(h[1])
			return time.Duration(s) * time.Second
		}
	}
	return 0
}

// eachGap calls do for each two requests about one event at one endpoint that follow one another, with known outcomes.
func eachGap(r *scenarios.Result, do func(before, next *evidence.Attempt)) {
	last := map[[2]string]*evidence.Attempt{}
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		m := evidence.MarkerIn(a.Body)
		if m == "" || a.Outcome == nil {
			return
		}
		key := [2]string{a.Endpoint, m}
		if before := last[key]; before != nil {
			do(before, a)
		}
		last[key] = a
	})
}

func lowerCase(r *scenarios.Result) string {
	return all(r, "have all header names in lower case", func(_ *evidence.Attempt, head evidence.Head) bool {
		for _, f := range head.Fields {
			if f[0] != strings.ToLower(f[0]) {
				return false
			}
		}
		return len(head.Fields) > 0
	})
}

func unknownVersions(r *scenarios.Result) string {
	return all(r, "have signatures of three versions", func(_ *evidence.Attempt, head evidence.Head) bool {
		sig := head.Get("X-Webhook-Signature")
		return strings.Contains(sig, ",v0=") && strings.Contains(sig, ",v1=") && strings.Contains(sig, ",v9=")
	})
}

// shorterThanTriple wants waits in the upper half of their band, and none there beyond three times the wait before.
func shorterThanTriple(r *scenarios.Result) string {
	type wait struct {
		n   int
		was time.Duration
	}
	waits, late := map[[2]string]wait{}, 0
	broke := ""
	eachGap(r, func(before, next *evidence.Attempt) {
		key := [2]string{next.Endpoint, evidence.MarkerIn(next.Body)}
		w := waits[key]
		gap := next.FirstByte - before.Outcome.ReplyEnd
		if before.Outcome.Status == 503 && next.Attempt == before.Attempt+1 {
			band := r.Contract.Schedule.Wait(next.Attempt)
			middle := (band.Min + band.Max) / 2
			if gap > middle {
				late++
			}
			if w.was > 0 && w.n == before.Attempt && gap > max(3*w.was, middle)+time.Millisecond {
				broke = fmt.Sprintf("a wait of %v follows one of %v", gap, w.was)
			}
			waits[key] = wait{next.Attempt, gap}
		}
	})
	if broke == "" && late == 0 {
		return "no wait lies in the upper half of its band"
	}
	return broke
}

// resent wants a request that came again on another connection at once, because a kept one had ended without an answer.
func resent(r *scenarios.Result) string {
	n := 0
	eachGap(r, func(before, next *evidence.Attempt) {
		if o := before.Outcome; o.ReplyStart == 0 && before.Conn.Request > 1 && before.Conn.ID != next.Conn.ID && next.FirstByte-o.Closed < 100*time.Millisecond {
			n++
		}
	})
	if n == 0 {
		return "no request was sent again at once"
	}
	return ""
}

func ownStyle(r *scenarios.Result) string {
	return all(r, "have a body in the variant's own style", func(a *evidence.Attempt, _ evidence.Head) bool {
		ascii := !bytes.ContainsFunc(a.Body, func(r rune) bool { return r > 0x7e })
		return ascii && bytes.HasPrefix(a.Body, []byte("{\n\t\"type\" : ")) && bytes.Contains(a.Body, []byte(`https:\/\/`)) == bytes.Contains(a.Body, []byte("https"))
	})
}

func refused(r *scenarios.Result) string {
	n := 0
	for _, a := range r.Run.Acts {
		if a.Act == evidence.ActEmit && !a.OK() {
			n++
		}
	}
	if n == 0 {
		return "no emit was refused"
	}
	return ""
}

// overtaken wants, of the events that were due at one endpoint, one that came before an earlier one.
func overtaken(r *scenarios.Result) string {
	emitted := map[string]time.Duration{}
	for _, a := range r.Run.Acts {
		if a.Act == evidence.ActEmit && a.Scenario == "fair/crowded-endpoint" {
			emitted[a.Marker] = a.Called
		}
	}
	latest, n := time.Duration(0), 0
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		at, ok := emitted[evidence.MarkerIn(a.Body)]
		if ok && at < latest {
			n++
		}
		latest = max(latest, at)
	})
	if n == 0 {
		return "no event came before an earlier one"
	}
	return ""
}

// clockOff wants signed times, times of events and times of the log that are wrong by d.
func clockOff(d time.Duration) func(*scenarios.Result) string {
	near := func(got, right time.Time) bool { return got.Sub(right.Add(d)).Abs() < 5*time.Second }
	return func(r *scenarios.Result) string {
		begun := map[string]time.Time{}
		missing := all(r, "are signed by a clock that is off", func(a *evidence.Attempt, head evidence.Head) bool {
			if m := evidence.MarkerIn(a.Body); begun[m].IsZero() {
				begun[m] = a.Wall
			}
			unix, _ := strconv.ParseInt(strings.TrimPrefix(strings.Split(head.Get("X-Webhook-Signature"), ",")[0], "t="), 10, 64)
			return near(time.Unix(unix, 0), a.Wall)
		})
		n := 0
		for _, l := range r.Run.Logs {
			if len(l.Attempts) > 0 && near(l.Attempts[0].At, begun[l.Marker]) {
				n++
			}
		}
		if missing == "" && n == 0 {
			return "no log has times by a clock that is off"
		}
		return missing
	}
}

func greeted(r *scenarios.Result) string {
	at := map[string]bool{}
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		if evidence.MarkerIn(a.Body) == "" && bytes.Contains(a.Body, []byte("endpoint.registered")) {
			at[a.Endpoint] = true
		}
	})
	if len(at) < len(r.Run.Endpoints)/2 {
		return fmt.Sprintf("%d of %d endpoints got a ping", len(at), len(r.Run.Endpoints))
	}
	return ""
}

// leftUnread wants answers whose digest in the log is that of their beginning.
func leftUnread(r *scenarios.Result) string {
	digests := map[string]bool{}
	for i := range r.Run.Attempts {
		if o := r.Run.Attempts[i].Outcome; o != nil && len(o.Body) > 8 {
			sum := sha256.Sum256(o.Body[:8])
			digests[hex.EncodeToString(sum[:])] = true
		}
	}
	for _, l := range r.Run.Logs {
		for _, a := range l.Attempts {
			if digests[a.Digest] {
				return ""
			}
		}
	}
	return "no record is of the beginning of an answer"
}

// recordedLate wants a log that was read after an answer and did not have it yet.
func recordedLate(r *scenarios.Result) string {
	answered := map[string][]time.Duration{}
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		if m := evidence.MarkerIn(a.Body); a.Outcome != nil && a.Outcome.ReplyEnd > 0 {
			answered[m] = append(answered[m], a.Outcome.ReplyEnd)
		}
	})
	for _, l := range r.Run.Logs {
		n := 0
		for _, at := range answered[l.Marker] {
			if at < l.Read {
				n++
			}
		}
		if l.Err == "" && len(l.Attempts) < n {
			return ""
		}
	}
	return "no log lacked an answer when it was read"
}

// gaveUpAtOnce wants a dead letter from the time of the only attempt, whose answer asked for a time past the deadline.
func gaveUpAtOnce(r *scenarios.Result) string {
	return gaveUp(r, func(answered, _ time.Duration) time.Duration { return answered })
}

// restedUntilDeadline wants one from the deadline.
func restedUntilDeadline(r *scenarios.Result) string {
	return gaveUp(r, func(_, accepted time.Duration) time.Duration { return accepted + r.Contract.Schedule.Deadline })
}

// gaveUp wants a dead letter of an event with one attempt, whose answer asked for a time past the deadline. It must be of the time
// that is due for when the answer came and the event was accepted.
func gaveUp(r *scenarios.Result, due func(answered, accepted time.Duration) time.Duration) string {
	n, answered, accepted := map[string]int{}, map[string]time.Duration{}, map[string]time.Duration{}
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		m := evidence.MarkerIn(a.Body)
		n[m]++
		if a.Outcome != nil && a.Attempt == 1 && asked(a) > r.Contract.Schedule.Deadline {
			answered[m] = a.Outcome.ReplyEnd
		}
	})
	for _, a := range r.Run.Acts {
		if a.Act == evidence.ActEmit {
			accepted[a.Marker] = a.Returned
		}
	}
	for _, d := range r.Run.DeadLetters {
		at, wished := answered[d.Marker]
		if wished && n[d.Marker] == 1 && d.At != nil && d.At.Sub(r.Run.Header.Started.Add(due(at, accepted[d.Marker]))).Abs() < 100*time.Millisecond {
			return ""
		}
	}
	return fmt.Sprintf("of %d events whose receiver asked for a time past the deadline, none was given up when it should be", len(answered))
}

func compressed(r *scenarios.Result) string {
	return all(r, "are compressed JSON", func(a *evidence.Attempt, head evidence.Head) bool {
		payload, readable := evidence.Payload(head, a.Body)
		return readable && head.Get("Content-Encoding") == "gzip" && json.Valid(payload) && !json.Valid(a.Body)
	})
}
