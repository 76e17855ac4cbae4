package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// "One request takes at most so long in all": where we did not answer, or never finished to, the sender hangs up in time.
// Hanging up earlier breaks nothing.
func timeoutRequest(v *view) Verdict {
	t := &tally{v: v}
	for _, r := range v.requests {
		if r.ev == nil || r.class == classCopy {
			continue
		}
		v.hangsUp(t, r)
	}
	return t.sum("stalled requests were given up in time (requests: %d)", "no request was left without a whole answer until the sender hung up")
}

func (v *view) hangsUp(t *tally, r *request) {
	o, limit := r.a.Outcome, v.t.c.Schedule.Timeout
	if o == nil {
		t.doubt(r.records(), "the evidence does not say how %s ended", which(r))
		return
	}
	if o.End != evidence.EndPeerGone && o.End != evidence.EndShutdown {
		return
	}
	// When we saw the hang-up, which ends the exchange; what a late receiver wrote after it is no matter.
	end := o.Closed
	if end == 0 {
		end = o.ReplyEnd
	}
	if end == 0 && o.End == evidence.EndShutdown {
		end = v.openUntil(r)
	}
	took := end - r.a.FirstByte
	switch {
	case v.cutByOutage(r, end):
		t.skip(r.records(), "the sender went down while %s was open", which(r))
	case took > limit+v.t.allowance && o.End == evidence.EndShutdown:
		t.failBy(span{r.a.FirstByte, end}, took-limit-v.t.allowance, r.records(), "%s was still open after %s, when the receiver closed; promised %s, allowance %s",
			which(r), dur(took), dur(limit), dur(v.t.allowance))
	case took > limit+v.t.allowance:
		t.failBy(span{r.a.FirstByte, end}, took-limit-v.t.allowance, r.records(), "%s was given up after %s; promised %s, allowance %s",
			which(r), dur(took), dur(limit), dur(v.t.allowance))
	case o.End == evidence.EndShutdown || end == 0:
		t.skip(r.records(), "%s was open for too short a time to tell", which(r))
	default:
		t.hold(r.records()...)
	}
}

// openUntil is how long we can have kept a request open which our own end closed, at a time that the evidence does not give: no longer
// than the receiver lived that read it, and that ended where the run was interrupted.
func (v *view) openUntil(r *request) time.Duration {
	end := v.watched()
	if o := v.outage("", func(o *outage) bool { return o.deaf() && o.from >= r.a.FirstByte }); o != nil {
		return min(end, o.from)
	}
	return end
}

// cutByOutage tells whether the sender's end ended the request.
func (v *view) cutByOutage(r *request, end time.Duration) bool {
	return v.restarted(span{r.a.FirstByte, end + v.t.allowance}) != nil
}
