package journal

import (
	"bytes"
	"net/http"
	"strconv"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// Class says what a request was to its event: a new one, or one more and why. It is found when it is asked for, and never
// stored, since it is a conclusion.
type Class string

// The classes.
const (
	First Class = "first"
	// Retry is a later attempt; none before it had been received for good.
	Retry Class = "retry"
	// DuplicateAfterSuccess brought an event again that had been received for good: a complete 2xx was written, or the
	// business write was committed and its answer lost.
	DuplicateAfterSuccess Class = "duplicate-after-success"
	// ConcurrentDuplicate came while an earlier request of its event had not been answered.
	ConcurrentDuplicate Class = "concurrent-duplicate"
	// TransportReplay is the second copy of one attempt, sent by the sender's HTTP library at once. It takes a step of the plan
	// as every request does, but is no retry of the sender's.
	TransportReplay Class = "transport-replay"
	// Reordered is the first request of an event that is older than what had been received of the same object.
	Reordered Class = "reordered"
	// Injected is a copy that the harness or a person sent.
	Injected Class = "injected"
	// Handshake is no attempt: the provider asked whether it may deliver.
	Handshake Class = "handshake"
	// Unhandled is no attempt: a head that was cut or malformed, or a request to no endpoint.
	Unhandled Class = "unhandled"
)

// Classes lists all classes.
func Classes() []Class {
	return []Class{
		First, Retry, DuplicateAfterSuccess, ConcurrentDuplicate, TransportReplay, Reordered, Injected, Handshake, Unhandled,
	}
}

const (
	// resendAllowance is how far from our close a resend by an HTTP library may come, where the request says that sending it
	// twice is safe. Such a library resends at once; 250 ms is what a busy machine overshoots even where it looks calm, and the
	// least that the harness allows for noise.
	resendAllowance = 250 * time.Millisecond
	// resendAtOnce is the same for other requests. Few libraries send those again by themselves (curl does, Go does not), and
	// they take a millisecond or two on loopback; the shortest waits that people write into a retry loop begin above it.
	resendAtOnce = 10 * time.Millisecond
	// HistoryLimit is how many of an event's latest requests Classify wants to see. Schedules have up to a few dozen
	// attempts; an older success still shows in the effects of those that came after it.
	HistoryLimit = 32
)

// Classified is a class with its reason.
type Classified struct {
	Class   Class  `json:"class"`
	Because string `json:"because,omitempty"` // one sentence; empty where the class says it all
	Of      int64  `json:"of,omitempty"`      // Seq of the earlier request that it rests on
}

// Classify says what a is, given the latest earlier requests with its endpoint and key, newest first (HistoryLimit of them
// are enough), and which of those are still without an answer. It is a pure function. Bodies are not looked at.
//
// It goes by wall clocks, since a journal may hold several runs whose offsets do not compare: a clock that was set between
// two requests can make a class wrong. A verdict never rests on it; the judge reckons with offsets.
func Classify(a *Attempt, earlier []Attempt, open func(seq int64) bool) Classified {
	switch {
	case a.Origin == evidence.OriginHarness:
		return Classified{Class: Injected}
	case a.Handshake != "":
		return Classified{Class: Handshake}
	case !a.Handled():
		return Classified{Class: Unhandled}
	}
	var own []*Attempt
	for i := range earlier {
		if e := &earlier[i]; e.Handled() && e.Origin != evidence.OriginHarness {
			own = append(own, e)
		}
	}
	if len(own) == 0 {
		return first(a)
	}
	if p := own[0]; resends(p, a) {
		return Classified{
			TransportReplay, "the bytes of request " + num(p) + " came again at once on another connection, after ours had ended without an answer", p.Seq,
		}
	}
	return again(a, own, open)
}

// first is the class of an event's first request. The business side says if it found a newer one of the same object there.
func first(a *Attempt) Classified {
	if a.Attempt > 1 {
		return Classified{Retry, "earlier requests of the event are no longer in the journal", 0}
	}
	if a.Effect != nil && a.Effect.Result == evidence.EffectSuperseded {
		return Classified{Reordered, a.Effect.Detail, 0}
	}
	return Classified{Class: First}
}

// again is the class of a request of an event that was seen before.
func again(a *Attempt, own []*Attempt, open func(seq int64) bool) Classified {
	var pending *Attempt
	for _, e := range own {
		switch end, known := e.Answered(); {
		case known && end.After(a.Wall):
			pending = e
		case !known && open(e.Seq):
			pending = e
		case success(e):
			return Classified{DuplicateAfterSuccess, "request " + num(e) + " was answered with success", e.Seq}
		case kept(e) && e.Outcome == nil:
			return Classified{DuplicateAfterSuccess, "request " + num(e) + " was committed, and what the sender got for it is not known", e.Seq}
		case kept(e):
			return Classified{DuplicateAfterSuccess, "request " + num(e) + " was committed, although the sender got no success for it", e.Seq}
		}
	}
	if pending != nil {
		return Classified{ConcurrentDuplicate, "request " + num(pending) + " was not yet answered", pending.Seq}
	}
	return Classified{Retry, "after request " + num(own[0]), own[0].Seq}
}

func num(a *Attempt) string { return strconv.FormatInt(a.Seq, 10) }

// Answered is the earliest instant at which the sender can have known the end of a request: just before the first byte of
// the answer, or when the connection ended. It is not known while the request has no outcome.
func (a *Attempt) Answered() (at time.Time, known bool) {
	o := a.Outcome
	switch {
	case o == nil:
		return time.Time{}, false
	case o.ReplyStart > 0:
		return a.at(o.ReplyStart), true
	case o.Closed > 0 && o.End == evidence.EndPeerGone:
		// The sender had hung up before we saw it.
		return a.at(o.Closed).Add(-resendAllowance), true
	case o.Closed > 0:
		return a.at(o.Closed), true
	}
	return a.Wall, true
}

// at is the wall clock at an offset of the run that recorded a.
func (a *Attempt) at(offset time.Duration) time.Time { return a.Wall.Add(offset - a.FirstByte) }

// success tells whether a complete 2xx was written.
func success(a *Attempt) bool {
	o := a.Outcome
	return o != nil && o.End == evidence.EndComplete && o.Status/100 == 2
}

// kept tells whether the business side has the event because of a, or had it already.
func kept(a *Attempt) bool {
	return a.Effect != nil && a.Effect.Result != evidence.EffectRolledBack
}

// resends tells whether a is a resend of p by the HTTP library and no attempt of the sender's: the same bytes on another
// connection, right after our close of one that was pooled, without a byte of an answer; likewise, on any
// connection, after HTTP/2 had said that nothing was processed. The harness's judge goes by the same rule, with an allowance
// from measured noise and the contract's waits; a journal knows no contract, so that a request that is not meant to be sent
// twice must come at once.
func resends(p, a *Attempt) bool {
	o := p.Outcome
	if o == nil || o.ReplyStart != 0 {
		return false
	}
	closed := (o.End == evidence.EndReset || o.End == evidence.EndClosed) && p.Pooled() && p.Conn.ID != a.Conn.ID
	if !o.NotProcessed && !closed {
		return false
	}
	allowance := resendAtOnce
	if o.NotProcessed || repeatable(a.Head) {
		allowance = resendAllowance
	}
	since := a.Wall.Sub(p.at(o.Closed))
	return -resendAllowance <= since && since <= allowance &&
		p.BodySize == a.BodySize && p.BodySHA256 == a.BodySHA256 && bytes.Equal(p.Head, a.Head) && bytes.Equal(p.Trailer, a.Trailer)
}

// repeatable tells whether a request says that sending it twice is as good as once: by its method (RFC 9110, 9.2.2), or by a
// field that libraries take for that.
func repeatable(raw evidence.Raw) bool {
	head, _ := evidence.ParseHead(raw) // an error comes with what could be read
	switch head.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodPut, http.MethodDelete:
		return true
	}
	return head.Get("Idempotency-Key") != "" || head.Get("X-Idempotency-Key") != ""
}
