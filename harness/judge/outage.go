package judge

import (
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
)

// outage is a stretch in which the sender, or our listener, was away by an act of the harness (or, for an exit, by the
// sender's own end).
type outage struct {
	span
	kind     evidence.ActKind // kill, stop, exit, or down
	instance string
	scenario string // of a listener that was down; empty: all listeners were, since the run was interrupted
	endpoint string // of a listener that was down; empty: all of the scenario
	act      span   // the call itself
	unsaid   bool   // nobody wrote down what was under way
	n        int
}

// outages lists them in order of their acts. One that nothing ends lasts to the end of the run.
func outages(run *evidence.Run, end time.Duration) []outage {
	var out []outage
	for i := range run.Acts {
		a := &run.Acts[i]
		switch a.Act {
		case evidence.ActKill, evidence.ActStop, evidence.ActExit, evidence.ActDown:
			out = append(out, outage{
				span: span{a.Called, max(end, a.Returned)}, kind: a.Act, instance: a.Instance, scenario: a.Scenario,
				endpoint: a.Endpoint, act: span{a.Called, a.Returned}, unsaid: a.Unsaid, n: a.N,
			})
		case evidence.ActStart, evidence.ActUp, evidence.ActLaunch:
			closeOutages(out, a)
		default:
			// Other acts leave sender and listener where they are.
		}
	}
	return out
}

// closeOutages ends those that the act ends. The sender is back when its start has returned.
func closeOutages(out []outage, a *evidence.Act) {
	if !a.OK() {
		return
	}
	for i := range out {
		o := &out[i]
		if (o.kind == evidence.ActDown) != (a.Act == evidence.ActUp) || o.act.from > a.Called || o.to < a.Returned {
			continue
		}
		same := o.scenario == a.Scenario && (o.endpoint == "" || a.Endpoint == "" || o.endpoint == a.Endpoint)
		if o.kind != evidence.ActDown {
			same = o.instance == a.Instance
		}
		if same {
			o.to = a.Returned
		}
	}
}

// deaf tells whether nothing of ours listened, since the run was interrupted.
func (o *outage) deaf() bool {
	return o.kind == evidence.ActDown && o.scenario == "" && o.endpoint == ""
}

// blind is when what came may have left no trace. A request is written down once its body is read: where the run ended without a word, one
// whose body was still coming is gone too, and that may take as long as a request may.
func (t *trial) blind(o *outage) span {
	if s := t.c.Schedule; o.deaf() && o.unsaid && s != nil {
		return span{o.from - s.Timeout, o.to}
	}
	return o.span
}

// concerns tells whether the outage touches an endpoint of the scenario.
func (o *outage) concerns(v *view, endpoint string) bool {
	if o.deaf() {
		return !v.asleep(o.span)
	}
	if o.kind == evidence.ActDown {
		return o.scenario == v.sc.Name && (o.endpoint == "" || endpoint == "" || o.endpoint == endpoint)
	}
	if o.instance != "" && v.sc.Instance != "" {
		return o.instance == v.sc.Instance
	}
	return o.scenario == v.sc.Name
}

// asleep tells whether the scenario's sender was away for all of s, so that it sent nothing.
func (v *view) asleep(s span) bool {
	for i := range v.t.outages {
		o := &v.t.outages[i]
		if o.kind != evidence.ActDown && o.instance != "" && o.instance == v.sc.Instance && o.from <= s.from && s.to <= o.to {
			return true
		}
	}
	return false
}

// senderDown tells whether an instance was away, by our act or its own end, at some time within s.
func (t *trial) senderDown(instance string, s span) bool {
	for i := range t.outages {
		o := &t.outages[i]
		if o.kind != evidence.ActDown && o.instance == instance && o.overlaps(s) {
			return true
		}
	}
	return false
}

// outage returns the first outage at the endpoint that matches, or nil.
func (v *view) outage(endpoint string, match func(*outage) bool) *outage {
	for i := range v.t.outages {
		if o := &v.t.outages[i]; o.concerns(v, endpoint) && match(o) {
			return o
		}
	}
	return nil
}

// interrupted returns the first outage that touches s at the endpoint, or nil.
func (v *view) interrupted(endpoint string, s span) *outage {
	return v.outage(endpoint, func(o *outage) bool { return v.t.blind(o).overlaps(s) })
}

// listenerDown returns the first outage of our listener that touches s at the endpoint, or nil.
func (v *view) listenerDown(endpoint string, s span) *outage {
	return v.outage(endpoint, func(o *outage) bool { return o.kind == evidence.ActDown && v.t.blind(o).overlaps(s) })
}

// died returns the first kill or exit whose act touches s, or nil: what the sender did in that moment may be unrecorded.
func (v *view) died(s span) *outage {
	return v.outage("", func(o *outage) bool {
		return (o.kind == evidence.ActKill || o.kind == evidence.ActExit) && o.act.overlaps(s)
	})
}

// restarted returns the first kill, stop or exit that touches s, or nil.
func (v *view) restarted(s span) *outage {
	return v.outage("", func(o *outage) bool { return o.kind != evidence.ActDown && o.overlaps(s) })
}
