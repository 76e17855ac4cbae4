package virtual_test

import (
	"fmt"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/scenarios"
)

// shown tells for each variant what its evidence lacks of what the variant is to show; the empty string if it is all there.
func shown() map[string]func(*scenarios.Result) string {
	return map[string]func(*scenarios.Result) string{
		"chunked-framing":        chunked,
		"connection-per-request": connectionEach,
		"long-reuse":             reusedLate,
		"retry-after-late":       lateAfterAsked,
	}
}

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
