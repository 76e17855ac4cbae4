package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/contract"
	"github.com/hookassay/hookassay/harness/evidence"
)

// reads says what a correct sender may have made of an answer. More than one bit means that either is right.
type reads struct{ success, transient, permanent bool }

func (r reads) onlySuccess() bool   { return r.success && !r.transient && !r.permanent }
func (r reads) onlyTransient() bool { return r.transient && !r.success && !r.permanent }
func (r reads) onlyPermanent() bool { return r.permanent && !r.success && !r.transient }

// anything is the reading of an answer of which nothing is known.
func anything() reads { return reads{true, true, true} }

// read says what a correct sender may have made of the answer to an attempt.
func (v *view) read(r *request) reads {
	o := r.outcome()
	if o == nil || o.End == evidence.EndShutdown {
		return anything()
	}
	if v.died(span{r.a.FirstByte, r.latestEnd() + v.recording(r)}) != nil {
		return anything()
	}
	switch {
	case o.Status == 0:
		return v.readError(o).or(v.readLate(r))
	case o.End == evidence.EndComplete:
		return v.readStatus(o.Status).or(v.readLate(r))
	}
	status := v.readStatus(o.Status)
	if !status.success {
		return status.or(v.readError(o))
	}
	switch needs := v.t.c.Answers.Needs; {
	case needs == "head" && o.End != evidence.EndPeerGone:
		return status
	case needs == "complete":
		return v.readError(o)
	default:
		return status.or(v.readError(o))
	}
}

func (r reads) or(o reads) reads {
	return reads{r.success || o.success, r.transient || o.transient, r.permanent || o.permanent}
}

func (v *view) readStatus(status int) reads {
	switch v.t.c.Class(status) {
	case contract.Success:
		return reads{success: true}
	case contract.Transient:
		return reads{transient: true}
	case contract.Open:
		return anything()
	default:
		return reads{permanent: true}
	}
}

// readError reads an exchange that ended without a whole answer: the sender hung up, or we did.
func (v *view) readError(o *evidence.Outcome) reads {
	kind := contract.ErrorConnection
	if o.End == evidence.EndPeerGone {
		kind = contract.ErrorTimeout
	}
	switch {
	case v.t.c.TransientError(kind):
		return reads{transient: true}
	case v.t.c.OpenError(kind):
		return reads{transient: true, permanent: true}
	}
	return reads{permanent: true}
}

// taking is the time in which the sender must have taken the answer to an attempt. Where it was stopped then, its own timeout may
// have come first, although the answer had been written long before.
func (v *view) taking(r *request) span {
	s := span{r.a.FirstByte, r.latestEnd()}
	if sc := v.t.c.Schedule; sc != nil {
		s.to += sc.Timeout
	}
	return s
}

// readLate adds the timeout to the reading of an answer that came so late that the sender may have given up just before. That is a
// matter of how late things were just then: from a timeout before the request to one after its answer, since the sender's own
// clock began to run before we saw the request and went on after we had answered.
func (v *view) readLate(r *request) reads {
	s := v.t.c.Schedule
	if s == nil || s.Timeout <= 0 {
		return reads{}
	}
	from, to := r.last().a.FirstByte, r.latestEnd()
	room := v.allowanceIn(span{from - s.Timeout, to + s.Timeout})
	// Where the request came late over a connection of its own, the attempt began with that. One that had been open for longer than an
	// attempt may take was there before it.
	since := to - r.last().start()
	if to-from < s.Timeout-room && (since < s.Timeout-room || since > s.Timeout+room) {
		return reads{}
	}
	return v.readError(&evidence.Outcome{End: evidence.EndPeerGone})
}

// recording is how long after an answer the sender's record of it may still be under way: a kill within it may lose the
// record, so that at-least-once allows another attempt.
func (v *view) recording(r *request) time.Duration {
	for _, l := range r.ev.logsOrNone() {
		if l.Err == "" && l.State == evidence.StateDelivered && l.Read >= r.latestEnd() {
			return min(l.Read-r.latestEnd(), v.lag()+v.t.allowance)
		}
	}
	return v.lag() + v.t.allowance
}

func (e *event) logsOrNone() []*evidence.LogEntry {
	if e == nil {
		return nil
	}
	return e.logs
}

// lag is how late a record of the sender's may be.
func (v *view) lag() time.Duration {
	if v.t.c.Log == nil {
		return 0
	}
	return v.t.c.Log.Lag
}

// disables tells whether the answer ended all deliveries to its endpoint.
func (v *view) disables(r *request) bool {
	o := r.a.Outcome
	return o != nil && o.Status != 0 && v.t.c.Class(o.Status) == contract.Disable
}

// failure names an answer that is no success, for people and to compare kinds of failure.
func failure(o *evidence.Outcome) string {
	switch {
	case o == nil:
		return "an unknown answer"
	case hungUpFirst(o), o.Status == 0 && o.End == evidence.EndPeerGone:
		return "a timeout"
	case o.Status != 0:
		return statusText(o.Status)
	case o.End == evidence.EndReset:
		return "a reset"
	default:
		return "a closed connection"
	}
}

// failureKind is the contract's word for an exchange without a status that can be read; "" for one with a status.
func failureKind(o *evidence.Outcome) string {
	switch {
	case hungUpFirst(o), o.Status == 0 && o.End == evidence.EndPeerGone:
		return contract.ErrorTimeout
	case o.Status == 0:
		return contract.ErrorConnection
	}
	return ""
}
