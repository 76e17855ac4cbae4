package judge

import (
	"github.com/hookassay/hookassay/harness/evidence"
)

// buffered is how much of an answer can be on its way although the sender takes no more of it: Linux lets the buffers of a
// connection grow to 4 MiB for writing and 6 MiB for reading unless told otherwise; the rest is for a proxy.
const buffered = 12 << 20

// "Of an answer's body so many bytes are taken at most": where more was offered, the sender hangs up soon, whatever its timeout.
func timeoutResponse(v *view) Verdict {
	t := &tally{v: v}
	for _, r := range v.requests {
		if r.ev != nil && r.class != classCopy {
			v.takes(t, r)
		}
	}
	return t.sum("the sender hung up on answers that were too large (answers: %d)", "no answer was larger than what the sender takes")
}

func (v *view) takes(t *tally, r *request) {
	o, most := r.a.Outcome, int64(v.t.c.Answers.MaxRead)
	if o == nil || o.Status == 0 {
		return
	}
	written := max(o.BodySize, int64(len(o.Body)))
	switch {
	case written > most+buffered:
		t.breaks(r.records(), "%s was answered by %d bytes, all of which were taken; promised %d at most, and %d may lie in buffers",
			which(r), written, most, buffered)
	case written <= most || o.End != evidence.EndPeerGone:
		// Too little to tell, or so little that all of it may lie in buffers.
	case v.cutByOutage(r, o.Closed):
		t.skip(r.records(), "the sender went down while %s was open", which(r))
	case v.byTimeout(r, o):
		t.doubt(r.records(), "%s was answered by more than is taken, but the sender may have hung up for its timeout of %s",
			which(r), dur(v.t.c.Schedule.Timeout))
	default:
		t.hold(r.records()...)
	}
}

// byTimeout tells whether the sender may have hung up because of its timeout, which began before we saw the request: as readLate.
func (v *view) byTimeout(r *request, o *evidence.Outcome) bool {
	s := v.t.c.Schedule
	if s == nil || s.Timeout <= 0 {
		return false
	}
	from, to := r.a.FirstByte, max(o.Closed, o.ReplyEnd)
	return to-from >= s.Timeout-v.allowanceIn(span{from - s.Timeout, to})
}
