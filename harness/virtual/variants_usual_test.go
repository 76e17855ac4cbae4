package virtual_test

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/scenarios"
)

// What follows shows in the reference sender as it is, or under another contract.

// retried calls do for the gap between a 503 and the next attempt of its event.
func retried(r *scenarios.Result, do func(next *evidence.Attempt, gap time.Duration)) {
	eachGap(r, func(before, next *evidence.Attempt) {
		if before.Outcome.Status == 503 && next.Attempt == before.Attempt+1 {
			do(next, next.FirstByte-before.Outcome.ReplyEnd)
		}
	})
}

// gapsWithin wants waits near both ends of a range, as shares of the declared ones, and none outside of it.
func gapsWithin(least, low, high, most float64) func(*scenarios.Result) string {
	return func(r *scenarios.Result) string {
		short, long, outside := 0, 0, 0
		retried(r, func(next *evidence.Attempt, gap time.Duration) {
			switch share := float64(gap) / float64(r.Contract.Schedule.Waits[next.Attempt-1]); {
			case share < least || share > most:
				outside++ // while the endpoint was disabled, or the sender down
			case share < low:
				short++
			case share > high:
				long++
			}
		})
		if short < 3 || long < 3 || outside > short+long {
			return fmt.Sprintf("%d waits are short, %d long and %d outside of the range", short, long, outside)
		}
		return ""
	}
}

func clamped(r *scenarios.Result) string {
	most, n := r.Contract.RetryAfter.Cap, 0
	eachGap(r, func(before, next *evidence.Attempt) {
		if gap := next.FirstByte - before.Outcome.ReplyEnd; asked(before) > most && gap >= most && gap < most+time.Minute {
			n++
		}
	})
	if n == 0 {
		return "no retry came after the cap, where more was asked for"
	}
	return ""
}

// again wants retries with the same id and bytes after a timeout and after a reset.
func again(r *scenarios.Result) string {
	ends := map[string]int{}
	eachGap(r, func(before, next *evidence.Attempt) {
		if o := before.Outcome; o.ReplyStart == 0 && before.BodyEnd > 0 && bytes.Equal(before.Body, next.Body) && id(before) != "" && id(before) == id(next) {
			ends[o.End]++
		}
	})
	if ends[evidence.EndReset] == 0 || ends[evidence.EndPeerGone] == 0 {
		return fmt.Sprintf("of ends without an answer %v were followed by the same request", ends)
	}
	return ""
}

func id(a *evidence.Attempt) string {
	head, _ := evidence.ParseHead(a.Head)
	return head.Get("X-Webhook-Id")
}

func sameSecond(r *scenarios.Result) string {
	n := 0
	eachGap(r, func(before, next *evidence.Attempt) {
		one, _ := evidence.ParseHead(before.Head)
		two, _ := evidence.ParseHead(next.Head)
		if one.Get("X-Webhook-Signature") == two.Get("X-Webhook-Signature") && next.FirstByte-before.FirstByte < time.Second {
			n++
		}
	})
	if n < 10 {
		return fmt.Sprintf("%d retries share the signed second of the attempt before", n)
	}
	return ""
}

// otherWay wants each of the statuses on which senders differ, with what this contract says follows.
func otherWay(r *scenarios.Result) string {
	got, followed := map[int]bool{}, map[int]bool{}
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		if a.Outcome != nil {
			got[a.Outcome.Status] = true
		}
	})
	eachGap(r, func(before, _ *evidence.Attempt) { followed[before.Outcome.Status] = true })
	for _, s := range []int{408, 409, 423, 425, 501, 505} {
		if retries := r.Contract.Class(s) == contract.Transient; !got[s] || followed[s] != retries || retries != (s < 500) {
			return fmt.Sprintf("%d: answered %t, retried %t", s, got[s], followed[s])
		}
	}
	return ""
}

// crowded wants a time at which an endpoint had as many requests in flight as it may have.
func crowded(r *scenarios.Result) string {
	type change struct {
		at time.Duration
		by int
	}
	changes := map[string][]change{}
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		if o := a.Outcome; o != nil {
			changes[a.Endpoint] = append(changes[a.Endpoint], change{a.FirstByte, 1}, change{max(o.ReplyEnd, o.Closed, a.FirstByte), -1})
		}
	})
	most := 0
	for _, all := range changes {
		slices.SortFunc(all, func(a, b change) int { return int(a.at - b.at) })
		n := 0
		for _, c := range all {
			n += c.by
			most = max(most, n)
		}
	}
	if limit := r.Contract.Fairness.PerEndpoint; most < limit {
		return fmt.Sprintf("%d of %d requests were in flight at one endpoint", most, limit)
	}
	return ""
}

// disabled calls do for each request of an endpoint that was disabled, with when that had returned.
func disabled(r *scenarios.Result, do func(a *evidence.Attempt, from time.Duration)) {
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		for _, act := range r.Run.Acts {
			if act.Act == evidence.ActDisable && act.Endpoint == a.Endpoint {
				do(a, act.Returned)
			}
		}
	})
}

func onTheWire(r *scenarios.Result) string {
	n := 0
	disabled(r, func(a *evidence.Attempt, from time.Duration) {
		if a.FirstByte <= from && a.Outcome != nil && a.Outcome.ReplyStart > from {
			n++
		}
	})
	if n == 0 {
		return "no request was on the wire when its endpoint was disabled"
	}
	return ""
}

func lateEffect(r *scenarios.Result) string {
	n := 0
	disabled(r, func(a *evidence.Attempt, from time.Duration) {
		if since := a.FirstByte - from; since > time.Second/2 && since < r.Contract.TakesEffectWithin {
			n++
		}
	})
	if n == 0 {
		return "no request started soon after its endpoint was disabled"
	}
	return ""
}

// deadAtOnce wants a dead letter from the time of the permanent failure that ended the delivery.
func deadAtOnce(r *scenarios.Result) string {
	ended := map[string]time.Time{}
	sent(r, func(a *evidence.Attempt, _ evidence.Head) {
		if o := a.Outcome; o != nil && o.Status != 0 && r.Contract.Class(o.Status) == contract.Permanent {
			ended[evidence.MarkerIn(a.Body)] = r.Run.Header.Started.Add(o.ReplyEnd)
		}
	})
	n := 0
	for _, d := range r.Run.DeadLetters {
		if at, ok := ended[d.Marker]; ok && d.At != nil && d.At.Sub(at).Abs() < 100*time.Millisecond {
			n++
		}
	}
	if n == 0 {
		return "no dead letter is from the time of its permanent failure"
	}
	return ""
}

// stopped wants a dead letter of an event that was never answered, with fewer attempts than there may be.
func stopped(r *scenarios.Result) string {
	for _, d := range r.Run.DeadLetters {
		if d.LastStatus == 0 && d.Attempts > 1 && d.Attempts < r.Contract.Schedule.Count() {
			return ""
		}
	}
	return "no dead letter has fewer attempts than there may be"
}
